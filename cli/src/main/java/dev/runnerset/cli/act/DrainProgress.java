package dev.runnerset.cli.act;

import dev.runnerset.base.Pure;
import dev.runnerset.cli.view.Texts;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.RunnerMode;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.RunnerSetReason;
import dev.runnerset.crds.condition.StatusConditions;
import java.util.Objects;

/**
 * How far a set is that is to run nothing any more.
 *
 * @param sentence what there still is; it changes only with what it says
 */
@Pure
public record DrainProgress(Step step, String sentence) {
  /** Whether to wait on. */
  public enum Step {
    WAITS,
    DONE,
    /** Somebody set another mode meanwhile. */
    ENDED
  }

  /** The progress of a set as its status has it. */
  public static DrainProgress of(AutoScalingRunnerSet set) {
    if (set.modeNow() != RunnerMode.DRAINED) {
      return new DrainProgress(Step.ENDED, "spec.mode is not Drained any more");
    }
    var status = set.statusOrNone();
    var ready = StatusConditions.find(status.conditions(), ConditionType.READY);
    boolean isOfThisSpec =
        Objects.equals(status.observedGeneration(), set.getMetadata().getGeneration());
    var runners = status.runners();
    if (!isOfThisSpec || ready.isEmpty() || runners == null) {
      return new DrainProgress(Step.WAITS, "the controller has not reconciled the change yet");
    }
    boolean isDrained =
        ready.filter(c -> StatusConditions.has(c, RunnerSetReason.DRAINED)).isPresent();
    if (isDrained && runners.live() == 0) {
      return new DrainProgress(Step.DONE, "no runner is left");
    }
    var words =
        "%d with a job, %d idle, %d starting"
            .formatted(runners.busy(), runners.idle(), runners.pending());
    var message = ready.map(c -> Texts.line(StatusConditions.message(c))).orElse("");
    return new DrainProgress(Step.WAITS, message.isEmpty() ? words : words + ": " + message);
  }
}
