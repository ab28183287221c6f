package dev.runnerset.controller.autoscalingrunnerset.children;

import dev.runnerset.controller.memory.Memories;
import dev.runnerset.kube.KubeApi;
import java.time.Clock;

/** Everything that reads and writes the objects of a runner set at the API server. */
public record ChildObjects(TemplateCheck templates, ChildWriter children, LiveRunners runners) {
  /**
   * Over single requests.
   *
   * @param listenerNamespace the namespace of the listener and of its listener objects
   * @param listenerServiceAccount the listener's service account in that namespace
   */
  public static ChildObjects of(
      KubeApi kube,
      String listenerNamespace,
      String listenerServiceAccount,
      Memories memories,
      Clock clock) {
    return new ChildObjects(
        new TemplateCheck(kube, memories, clock),
        new ChildWriter(kube, listenerNamespace, listenerServiceAccount),
        new LiveRunners(kube));
  }
}
