package dev.runnerset.controller.runnerset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.runnerset.DeletionPlanner.Left;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeletionPlannerTest {
  @ParameterizedTest(name = "{5}")
  @CsvSource({
    // ers, stopped, listener, unfinished, runners
    "true,  false, true,  3, 3, StopOffering",
    "true,  false, true,  0, 0, StopOffering",
    "true,  true,  true,  1, 4, AwaitRunners",
    "false, true,  true,  1, 1, AwaitRunners",
    "true,  true,  true,  0, 4, EndListening",
    "true,  true,  false, 0, 4, DeleteRunnerSet",
    "true,  true,  false, 0, 0, DeleteRunnerSet",
    "false, true,  false, 0, 1, DeleteRunnerSet",
    "false, true,  false, 0, 0, Finish",
  })
  void oneThingAfterTheOther(
      boolean runnerSet, boolean stopped, boolean listener, int unfinished, int all, String step) {
    var next = DeletionPlanner.next(new Left(runnerSet, stopped, listener, unfinished, all));
    assertThat(next.getClass().getSimpleName()).isEqualTo(step);
    assertThat(next.sentence()).isNotBlank();
  }
}
