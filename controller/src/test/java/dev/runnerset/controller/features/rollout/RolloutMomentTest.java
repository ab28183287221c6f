package dev.runnerset.controller.features.rollout;

import static dev.runnerset.controller.removal.Runners.T0;
import static dev.runnerset.controller.removal.Runners.busy;
import static dev.runnerset.controller.removal.Runners.idle;
import static dev.runnerset.controller.removal.Runners.pending;
import static dev.runnerset.controller.removal.Situation.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.removal.Runners;
import dev.runnerset.controller.removal.Situation;
import dev.runnerset.controller.scaling.CreationBackoff;
import dev.runnerset.crds.RolloutCounts;
import dev.runnerset.crds.RunnerPhase;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** When a rollout is settled on a set that always has runners on the way. */
class RolloutMomentTest {
  private RolloutMoment moment = RolloutMoment.NONE;

  private boolean settled(String revision, int older, boolean failing, int at, Runners... runners) {
    var given = new Situation(runners);
    given.backoff = failing ? new CreationBackoff(1, in(at), true) : CreationBackoff.NONE;
    moment = moment.next(new RolloutCounts(revision, older, 0), given.at(in(at)));
    return moment.settled();
  }

  private static Instant in(int seconds) {
    return T0.plusSeconds(seconds);
  }

  @Test
  void aBusySetSettlesThoughAnotherRunnerIsAlwaysOnTheWay() {
    assertThat(settled("b", 1, false, 1, busy("old").older(), busy("a"), pending("x"))).isFalse();
    assertThat(settled("b", 0, false, 2, busy("a"), pending("x"))).as("x is awaited").isFalse();
    var later = pending("y").since(in(3));
    assertThat(settled("b", 0, false, 4, busy("x"), later)).as("y came later").isTrue();
    assertThat(settled("b", 0, false, 5, later)).as("and stays so").isTrue();
    assertThat(settled("c", 0, false, 6, pending("z"))).as("of another revision").isFalse();
  }

  @Test
  void beforeAllThatAreWantedAreMadeThereIsNoMoment() {
    assertThat(settled("b", 0, false, 1, idle("a"))).as("one of two").isFalse();
    assertThat(settled("b", 0, false, 2, idle("a"), idle("x"))).isTrue();
  }

  @Test
  void hs6ARunnerWhoseContainerRunsAndThatDoesNotConnectIsAwaited() {
    var deaf = idle("x").unregistered();
    assertThat(settled("b", 0, false, 1, idle("a"), deaf)).isFalse();
    assertThat(settled("b", 0, false, 2, idle("a"), idle("x"))).isTrue();
  }

  @Test
  void whileRunnersFailNothingIsSettled() {
    assertThat(settled("b", 0, true, 1, idle("a"), idle("x"))).isFalse();
    assertThat(settled("b", 0, false, 2, idle("a"), pending("x"))).isFalse();
    assertThat(settled("b", 0, false, 3, idle("a"), idle("x"))).isTrue();
  }

  private static RolloutCounts progress(Runners... runners) {
    var given = new Situation(runners);
    given.message = 1;
    return RolloutProgress.of(given.at(NOW));
  }

  /** HS6: a runner whose container ended is referred to until its phase says so. */
  @Test
  void anOldRunnerThatEndedCountsUntilItsPhaseIsTerminal() {
    var ended = busy("b").older().endedAt(NOW.minusSeconds(90));
    assertThat(progress(ended).older()).isOne();
    assertThat(progress(ended.phase(RunnerPhase.SUCCEEDED)).older()).isZero();
  }

  @Test
  void progressCountsWhatIsReferredToAndWhatIsRegistered() {
    var progress =
        progress(
            idle("going").older().terminating(),
            idle("asked").older().askedToGo(),
            idle("failed").older().phase(RunnerPhase.FAILED),
            busy("b").older(),
            busy("done").older().phase(RunnerPhase.SUCCEEDED),
            busy("exited, not yet reported").older().endedAt(NOW),
            idle("n"),
            busy("m"),
            pending("p"),
            idle("never connects").unregistered(),
            busy("released").completedIn(1));
    assertThat(progress.older()).isEqualTo(4);
    assertThat(progress.registered()).isEqualTo(2);
  }
}
