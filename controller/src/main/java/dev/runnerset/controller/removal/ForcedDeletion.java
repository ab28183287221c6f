package dev.runnerset.controller.removal;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import io.fabric8.kubernetes.api.model.HasMetadata;

/** Runners that go whatever the service answers, with their jobs (RN12). */
public final class ForcedDeletion {
  private ForcedDeletion() {}

  /** Whether the runner has the annotation. */
  public static boolean isOf(EphemeralRunner runner) {
    var annotations = runner.getMetadata().getAnnotations();
    return annotations != null && "true".equals(annotations.get(Labels.FORCE_DELETE));
  }

  /** The command that puts the annotation on the runners of a set. */
  public static String commandFor(HasMetadata set) {
    return "kubectl annotate ephemeralrunners.runnerset.dev -n "
        + set.getMetadata().getNamespace()
        + " -l "
        + Labels.SET
        + "="
        + set.getMetadata().getName()
        + " "
        + Labels.FORCE_DELETE
        + "=true";
  }
}
