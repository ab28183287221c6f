package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.controller.ephemeralrunner.lifecycle.Shield;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.HashMap;

/** Pods as a kubelet tells of them. */
final class Pods {
  private Pods() {}

  static Pod running(Pod pod) {
    return new PodBuilder(pod)
        .editSpec()
        .withNodeName("node-1")
        .endSpec()
        .withNewStatus()
        .withPhase("Running")
        .addNewContainerStatus()
        .withName("runner")
        .withNewState()
        .withNewRunning()
        .endRunning()
        .endState()
        .endContainerStatus()
        .endStatus()
        .build();
  }

  static Pod shielded(Pod pod, Shield.Change change) {
    var labels = new HashMap<>(pod.getMetadata().getLabels());
    change.labels().forEach((key, value) -> labels.compute(key, (k, before) -> value));
    return new PodBuilder(pod).editMetadata().withLabels(labels).endMetadata().build();
  }

  static Pod exited(Pod pod, int code) {
    return new PodBuilder(pod)
        .withNewStatus()
        .withPhase(code == 0 ? "Succeeded" : "Failed")
        .addNewContainerStatus()
        .withName("runner")
        .withNewState()
        .withNewTerminated()
        .withExitCode(code)
        .endTerminated()
        .endState()
        .endContainerStatus()
        .endStatus()
        .build();
  }
}
