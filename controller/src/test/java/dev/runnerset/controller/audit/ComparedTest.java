package dev.runnerset.controller.audit;

import static dev.runnerset.controller.removal.Runners.T0;
import static dev.runnerset.controller.removal.Runners.busy;
import static dev.runnerset.controller.removal.Runners.idle;
import static dev.runnerset.controller.removal.Runners.pending;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.Runners;
import dev.runnerset.controller.removal.RunnersOfSet;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** RN20: what a sweep compares with the service's counts. */
final class ComparedTest {
  private static final Instant LATER = T0.plus(Duration.ofMinutes(2));

  private static Compared compared(
      int registered, Instant at, List<RunnerView> runners, AuditState seen) {
    var counts = new ServiceCounts(at, 0, 0, registered, 0, 0);
    return Compared.of(counts, runners, seen, Duration.ZERO, 1);
  }

  static List<RunnerView> expected() {
    return List.of(idle("idle").since(T0).view(), busy("busy").since(T0).view());
  }

  static List<RunnerView> notExpected() {
    return List.of(
        pending("pending").created(T0).view(),
        idle("young").since(T0.plusSeconds(1)).view(),
        idle("ended").since(T0).endedAt(LATER).view(),
        busy("exiting").since(T0).completedIn(3).view(),
        idle("terminating").since(T0).terminating().view(),
        idle("asked").since(T0).askedToGo().view(),
        idle("former").since(T0).ofAnotherScaleSet().view());
  }

  @ParameterizedTest
  @MethodSource("expected")
  void aRunnerThatHasRunForTwoMinutesIsToBeRegistered(RunnerView runner) {
    assertThat(compared(0, LATER, List.of(runner), AuditState.unknown()).deficit()).isEqualTo(1);
    assertThat(compared(1, LATER, List.of(runner), AuditState.unknown()).deficit()).isZero();
  }

  @ParameterizedTest
  @MethodSource("notExpected")
  void nobodyElseIs(RunnerView runner) {
    assertThat(compared(0, LATER, List.of(runner), AuditState.unknown()).deficit()).isZero();
  }

  @Test
  void registrationsAreExplainedByRunnersThatMayHaveOne() {
    var seen = AuditState.unknown();
    var runners =
        List.of(idle("a").view(), idle("deregistered").resource(Runners.deregistered()).view());
    seen.seen().observe(RunnersOfSet.of(runners, T0).changes(), T0);
    assertThat(compared(1, LATER, List.of(), seen).excess()).isZero();
    assertThat(compared(3, LATER, List.of(), seen).excess()).isEqualTo(2);
    assertThat(Compared.of(null, expected(), seen, Duration.ZERO, 1))
        .as("nobody counted")
        .isEqualTo(new Compared(0, 0, 0, T0, Duration.ZERO, 1));
  }

  /** One job after another: a runner has always gone just before the counts. */
  @Test
  void rn20WhoWentBeforeOurOwnReadingExplainsNothingOfIt() {
    var seen = AuditState.unknown();
    var all = RunnersOfSet.of(List.of(idle("a").view()), T0);
    seen.seen().observe(all.changes(), T0);
    var gone = T0.plusSeconds(10);
    seen.seen().observe(Runners.next(all, List.of(), gone).changes(), gone);
    var counts = new ServiceCounts(T0.plusSeconds(12), 0, 0, 1, 0, 0);
    var heard = Compared.of(counts, List.of(), seen, Duration.ZERO, 1);
    assertThat(heard.excess()).as("by another clock").isZero();
    assertThat(heard.excessAtMost()).isEqualTo(1);
    var read = Compared.of(counts, List.of(), seen.learned(counts), Duration.ZERO, 1);
    assertThat(read.excess()).isEqualTo(1);
  }
}
