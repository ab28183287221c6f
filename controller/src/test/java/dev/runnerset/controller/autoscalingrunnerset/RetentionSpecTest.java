package dev.runnerset.controller.autoscalingrunnerset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.controller.autoscalingrunnerset.planning.ChildSpecs;
import dev.runnerset.controller.scaling.Limits;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.RunnerRetention;
import org.junit.jupiter.api.Test;

/** What a set's retention becomes in its child (RV1, RT2). */
final class RetentionSpecTest {
  private static AutoScalingRunnerSet set(String retention) {
    return Sets.set("a", "retention: " + retention);
  }

  @Test
  void anEditOfRetentionChangesNothingButRetention() {
    var before =
        ChildSpecs.ephemeralRunnerSet(
            set("{ttlAfterFailed: 1h}"), Limits.DEFAULT, new ScaleSetId(1));
    var after =
        ChildSpecs.ephemeralRunnerSet(
            set("{ttlAfterFailed: 2h, failedLimit: 3, podPolicy: Delete}"),
            Limits.DEFAULT,
            new ScaleSetId(1));
    assertThat(after.revision()).isEqualTo(before.revision());
    assertThat(after.template()).isEqualTo(before.template());
    assertThat(after.retention()).isNotEqualTo(before.retention());
  }

  @Test
  void limitsAreLiveAndOnlyTimesGoIntoARunner() {
    var spec =
        ChildSpecs.ephemeralRunnerSet(
            set("{ttlAfterFailed: 1h, failedLimit: 3}"), Limits.DEFAULT, new ScaleSetId(1));
    assertThat(spec.retention()).isNotNull();
    assertThat(spec.retention().failedLimit()).isEqualTo(3);
    assertThat(RunnerRetention.snapshotOf(spec.retention()))
        .isEqualTo(new RunnerRetention("1h", null));
    assertThat(RunnerRetention.snapshotOf(set("{failedLimit: 3}").getSpec().retention())).isNull();
  }
}
