package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.MergePatch;
import dev.runnerset.kube.Resource;
import java.util.ArrayList;

/** Takes our finalizer off a runner by one patch, which carries the runner's resourceVersion. */
record FinalizerRemoval(KubeApi kube) {

  /**
   * Blocks for one request. If the runner has changed since it was read, it is read and patched
   * again.
   */
  void from(EphemeralRunner runner) {
    var at = Resource.of(runner);
    var now = runner;
    while (now != null && isHeld(now, runner) && !isRemoved(now, at)) {
      now = kube.get(EphemeralRunner.class, at);
    }
  }

  private static boolean isHeld(EphemeralRunner now, EphemeralRunner runner) {
    return now.getMetadata().getUid().equals(runner.getMetadata().getUid())
        && now.hasFinalizer(Labels.RUNNER_FINALIZER);
  }

  /** False if it has changed, or is gone. */
  private boolean isRemoved(EphemeralRunner now, Resource at) {
    var others = new ArrayList<>(now.getMetadata().getFinalizers());
    others.remove(Labels.RUNNER_FINALIZER);
    var body = MergePatch.finalizers(now, others);
    return kube.mergeIfThere(EphemeralRunner.class, at, body).isPresent();
  }
}
