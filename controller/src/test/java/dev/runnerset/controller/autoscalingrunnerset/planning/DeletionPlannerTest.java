package dev.runnerset.controller.autoscalingrunnerset.planning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.autoscalingrunnerset.planning.DeletionPlanner.Left;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeletionPlannerTest {
  @ParameterizedTest(name = "{6}")
  @CsvSource({
    // ers, stopped, seen, listener, unfinished, runners
    "true,  false, true,  true,  3, 3, STOP_OFFERING",
    "true,  false, true,  true,  0, 0, STOP_OFFERING",
    "true,  true,  true,  true,  1, 4, AWAIT_RUNNERS",
    // what completes is released by a change of the spec: the runners go on meanwhile
    "true,  true,  false, true,  1, 4, AWAIT_RUNNERS",
    "false, true,  true,  true,  1, 1, AWAIT_RUNNERS",
    "true,  true,  false, true,  0, 4, AWAIT_SEEN",
    "true,  true,  false, false, 0, 0, AWAIT_SEEN",
    "true,  true,  true,  true,  0, 4, END_LISTENING",
    "true,  true,  true,  false, 0, 4, DELETE_EPHEMERAL_RUNNER_SET",
    "true,  true,  true,  false, 0, 0, DELETE_EPHEMERAL_RUNNER_SET",
    "false, true,  true,  false, 0, 1, DELETE_EPHEMERAL_RUNNER_SET",
    "false, true,  true,  false, 0, 0, FINISH",
  })
  void oneThingAfterTheOther(
      boolean ephemeralRunnerSet,
      boolean stopped,
      boolean seen,
      boolean listener,
      int unfinished,
      int all,
      DeletionPlanner.Step step) {
    var left = new Left(ephemeralRunnerSet, stopped, seen, listener, unfinished, 0, all, "");
    var next = DeletionPlanner.next(left);
    assertThat(next).isEqualTo(step);
    assertThat(next.sentence(left)).isNotBlank();
  }

  @ParameterizedTest
  @CsvSource({
    // nothing was made, refused for, goes
    "true,  PT0S,     true",
    "false, PT0S,     false",
    "false, PT4M59S,  false",
    "false, PT5M,     true",
  })
  void aRefusalHoldsASetForAWhileIfAnythingWasMade(
      boolean madeNothing, Duration refused, boolean goes) {
    assertThat(DeletionPlanner.goesWithoutRights(madeNothing, refused)).isEqualTo(goes);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 | 0 | waiting for 1 runner: a runner",
        "1 | 1 | waiting for 1 runner, 1 with a job: a runner",
        "3 | 0 | waiting for 3 runners: a runner",
        "3 | 2 | waiting for 3 runners, 2 with a job: a runner",
      })
  void theRunnersWithAJobAreNamed(int unfinished, int busy, String sentence) {
    var left = new Left(true, true, true, true, unfinished, busy, unfinished, "");
    assertThat(DeletionPlanner.next(left).sentence(left)).startsWith(sentence);
  }

  @Test
  void theSetSaysWhyItsFinishedRunnersCannotGoYet() {
    var held = "; 1 cannot go yet, as ci-1: the service says that it has a job";
    var left = new Left(true, true, true, false, 0, 0, 1, held);
    assertThat(DeletionPlanner.next(left).sentence(left))
        .isEqualTo("waiting until the finished runners are deleted" + held);
  }
}
