package dev.runnerset.controller.ephemeralrunnerset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.features.idleage.CollectionState;
import dev.runnerset.controller.features.idleage.Sweeps;
import dev.runnerset.testsupport.Exposition;
import org.junit.jupiter.api.Test;

/** Removals of runners that are idle for too long, sweep by sweep (AC5 to AC10). */
class AgeRemovalsTest extends RemovalFixture {
  /** A sweep for runners that are idle for more than an hour. */
  private void sweep(boolean releasing) {
    sweep(releasing, 0);
  }

  private void sweep(boolean releasing, int minRunners) {
    Sweeps.begin(idleAge, set(), memory.slots(), minRunners, releasing);
    reconcile();
  }

  @Test
  void ac5ASweepRemovesItsBoundAndEndsThen() {
    for (int id = 1; id <= 30; id++) {
      runner(id);
    }
    replicas = 30;
    sweep(false);
    answerAll();
    assertThat(service.asked).contains("DELETE 1", "DELETE 2", "DELETE 3");
    assertThat(asked()).isEqualTo(3);
    assertThat(removed("age")).isEqualTo(3);
    assertThat(Sweeps.isUnderWay(memory.slots())).isFalse();
    pass(3600);
    assertThat(requests).as("by the period, not by events").isEmpty();
  }

  @Test
  void ac7ARemovalThatFailsIsTheTurnOfTheNextUpToTheSecondError() {
    for (int id = 1; id <= 3; id++) {
      runner(id);
    }
    replicas = 3;
    fail(1, 1);
    haveJobs(2, 2);
    sweep(false);
    answerAll();
    assertThat(removed("age")).isOne();
    assertThat(collections().failed()).isOne();
    fail(3, 3);
    runner(4);
    runner(5);
    fail(4, 5);
    pass(60);
    sweep(false);
    answerAll();
    assertThat(collections().failed()).isEqualTo(2);
    assertThat(memory.removals().free(service.clock.instant()))
        .as("surplus runners need not wait for that")
        .isPositive();
    service.failing.clear();
    pass(600);
    sweep(false);
    answerAll();
    assertThat(collections().failed()).isZero();
  }

  /** A request may take minutes, and the period may be short. */
  @Test
  void ac6ASweepWithARequestUnderWayGoesOnAndTheNextOneComesByThePeriod() {
    for (int id = 1; id <= 30; id++) {
      runner(id);
    }
    replicas = 30;
    sweep(false);
    assertThat(requests).hasSize(2);
    sweep(true);
    answerAll();
    assertThat(asked()).as("the bound of the first").isEqualTo(3);
    assertThat(Sweeps.isUnderWay(memory.slots())).isFalse();
    assertThat(collections().released()).isZero();
  }

  @Test
  void ac10EachSweepThatThrashesIsCountedAndReported() {
    for (int id = 1; id <= 6; id++) {
      runner(id);
    }
    replicas = 6;
    for (int count = 1; count <= 5; count++) {
      sweep(false);
      answerAll();
      pass(300);
    }
    assertThat(collections().collected()).isEqualTo(5);
    assertThat(
            Exposition.of(meters::snapshots)
                .value("runnerset_runner_gc_thrash_total", KEY.namespace(), KEY.name()))
        .isEqualTo(2);
    assertThat(warned).hasSize(2).first().asString().startsWith("RunnerGCThrashing: 4 runners");
  }

  private CollectionState collections() {
    return Sweeps.done(memory.slots());
  }

  @Test
  void ac7ASweepAndAScaleDownShareOneBudget() {
    haveJobs(1, 30);
    for (int id = 1; id <= 30; id++) {
      runner(id);
    }
    replicas = 30;
    sweep(false);
    answerAll();
    assertThat(asked()).isEqualTo(2);
    replicas = 10;
    reconcile();
    pass(1);
    answerAll();
    assertThat(asked()).isEqualTo(2);
  }

  @Test
  void ac8APlaceIsHeldWhileItsRunnerGoesAndStaysEmptyOnlyIfItWent() {
    for (int id = 1; id <= 20; id++) {
      runner(id);
    }
    replicas = 20;
    haveJobs(1, 1);
    sweep(true, 20);
    assertThat(Sweeps.emptyPlaces(memory.slots())).isEqualTo(2);
    answerAll();
    assertThat(Sweeps.emptyPlaces(memory.slots())).isEqualTo(2);
    assertThat(collections().released()).isEqualTo(2);
    assertThat(requests("busy")).isOne();
  }
}
