package dev.runnerset.controller.features.history;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.autoscalingrunnerset.planning.Revision;
import dev.runnerset.controller.autoscalingrunnerset.status.RunnerSetConditions;
import dev.runnerset.controller.podspec.RunnerPod;
import dev.runnerset.controller.scaling.DesiredRunners;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is being rolled out, from the runner set and its children. The revision is that of the
 * EphemeralRunnerSet: a template that the API server refuses is not rolled out.
 */
@Pure
public final class RolloutFacts {
  private RolloutFacts() {}

  public static Rollout of(
      AutoScalingRunnerSet set, EphemeralRunnerSet ers, @Nullable AutoScalingListener listener) {
    var spec = ers.getSpec();
    var image = RunnerPod.image(spec.template());
    // spec.runnerVersion belongs to the template beside it
    var version = set.getSpec().runnerVersion();
    var explicit =
        version != null && spec.revision().equals(Revision.of(set.getSpec())) ? version : null;
    return new Rollout(
        spec.revision(),
        image,
        RunnerVersions.of(explicit, image),
        isEverywhere(ers)
            && listener != null
            && RunnerSetConditions.isConnected(listener, listener.statusOrNone()));
  }

  /**
   * Whether every wanted runner has the new revision: those wanted now, or on a busy set those of
   * the moment at which no older one was left. Counts of an earlier spec are no proof (HS6).
   */
  private static boolean isEverywhere(EphemeralRunnerSet ers) {
    var status = ers.statusOrNone();
    var rollout = status.rollout();
    if (rollout == null) {
      return false;
    }
    int wanted = DesiredRunners.of(ers);
    boolean allNow =
        Objects.equals(status.observedGeneration(), ers.getMetadata().getGeneration())
            && rollout.registered() >= wanted;
    return rollout.revision().equals(ers.getSpec().revision())
        && rollout.older() == 0
        && (rollout.settled() || allNow);
  }
}
