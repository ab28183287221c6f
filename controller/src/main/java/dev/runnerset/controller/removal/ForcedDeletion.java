package dev.runnerset.controller.removal;

import dev.runnerset.controller.ownership.Meta;
import dev.runnerset.crds.Labels;
import io.fabric8.kubernetes.api.model.HasMetadata;

/** Runners that go whatever the service answers, with their jobs (RN12). */
public final class ForcedDeletion {
  private ForcedDeletion() {}

  /** Whether the runner has the annotation, or the set that is being deleted. */
  public static boolean isOf(HasMetadata object) {
    return Meta.isMarked(object, Labels.FORCE_DELETE);
  }

  /**
   * The commands that end some runners.
   *
   * @param names with blanks between them
   */
  public static String commandFor(String namespace, String names) {
    var runners = "ephemeralrunners.runnerset.dev -n " + namespace + " " + names;
    return "kubectl annotate %s %s=true; kubectl delete %s --wait=false"
        .formatted(runners, Labels.FORCE_DELETE, runners);
  }

  /** The command that ends the deletion of a set; works in a namespace that is being deleted. */
  public static String commandFor(HasMetadata set) {
    return "kubectl annotate autoscalingrunnersets.runnerset.dev -n "
        + set.getMetadata().getNamespace()
        + " "
        + set.getMetadata().getName()
        + " "
        + Labels.FORCE_DELETE
        + "=true";
  }
}
