package dev.runnerset.controller.audit;

import static dev.runnerset.controller.audit.RegistrationAudit.Step.ASK_ABOUT_RUNNERS;
import static dev.runnerset.controller.audit.RegistrationAudit.Step.LIST_REGISTRATIONS;
import static dev.runnerset.controller.audit.RegistrationAudit.Step.NOTHING;
import static dev.runnerset.controller.audit.RegistrationAudit.Step.READ_COUNTS;
import static dev.runnerset.controller.removal.Runners.idle;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.Runners;
import dev.runnerset.controller.removal.RunnersOfSet;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * When the service is asked, and about whom (RN7, RN19, RN20). Times of sweeps are minutes after
 * the last change.
 */
final class RegistrationAuditTest {
  private static final Instant T0 = Instant.parse("2026-11-22T12:00:00Z");

  private AuditState state = AuditState.unknown();
  private Duration jitter = Duration.ZERO;
  private final RunnersOfSet all = new RunnersOfSet(T0);

  private static Instant at(double minutes) {
    return T0.plusMillis(Math.round(minutes * 60_000));
  }

  private Compared compared(int excess, int deficit, Instant changedAt, long credentials) {
    return new Compared(excess, excess, deficit, changedAt, jitter, credentials);
  }

  /** A sweep with the counts of that minute; null for none. A reading that it begins fails. */
  private RegistrationAudit.Step step(
      @Nullable Integer registered, double of, int explained, int running, double now) {
    int all = registered == null ? 0 : registered;
    var counts = registered == null ? null : new ServiceCounts(at(of), 0, 0, all, 0, all);
    var compared = compared(Math.max(0, all - explained), Math.max(0, running - all), T0, 7);
    var decision = RegistrationAudit.compare(counts, compared, state, at(now));
    state = decision.state();
    if (decision.step() == READ_COUNTS) {
      state = state.reading(at(now)).ended();
    }
    return decision.step();
  }

  @Test
  void withoutCountsOfAfterTheLastChangeThatAreReadOnceTheSetIsCalm() {
    assertThat(step(null, 0, 0, 0, 2.9)).isEqualTo(NOTHING);
    assertThat(step(9, -1, 0, 0, 2.9)).as("older than the change").isEqualTo(NOTHING);
    assertThat(step(null, 0, 0, 0, 3)).isEqualTo(READ_COUNTS);
    assertThat(step(null, 0, 0, 0, 4)).as("it was asked for just now").isEqualTo(NOTHING);
    assertThat(step(null, 0, 0, 0, 8)).as("the reading failed").isEqualTo(READ_COUNTS);
    assertThat(step(2, 8, 2, 2, 9)).isEqualTo(NOTHING);
    assertThat(step(2, 8, 2, 2, 9_999)).as("they agree: nothing for ever").isEqualTo(NOTHING);
  }

  @Test
  void aSetIsReadLaterByItsJitter() {
    jitter = Duration.ofMinutes(4);
    assertThat(step(null, 0, 0, 0, 0)).isEqualTo(NOTHING);
    jitter = Duration.ZERO; // it is drawn once for a change
    assertThat(step(null, 0, 0, 0, 6.9)).isEqualTo(NOTHING);
    assertThat(step(null, 0, 0, 0, 7)).isEqualTo(READ_COUNTS);
  }

  @Test
  void oneCountAloneProvesNothing() {
    assertThat(step(3, 1, 2, 0, 1)).isEqualTo(NOTHING);
    assertThat(step(3, 1, 2, 0, 2.9)).isEqualTo(NOTHING);
    assertThat(step(3, 1, 2, 0, 3)).isEqualTo(READ_COUNTS);
    assertThat(step(2, 3, 2, 0, 3.1)).as("it was a lag").isEqualTo(NOTHING);
    assertThat(step(3, 4, 2, 0, 4)).as("a new doubt").isEqualTo(NOTHING);
    assertThat(step(3, 5, 2, 0, 5)).isEqualTo(NOTHING);
    assertThat(step(3, 6, 2, 0, 6)).isEqualTo(LIST_REGISTRATIONS);
  }

  @Test
  void runnersWithoutRegistrationsAreSearchedForInTheSameWay() {
    assertThat(step(1, 1, 2, 2, 1)).isEqualTo(NOTHING);
    assertThat(step(1, 3, 2, 2, 3)).isEqualTo(ASK_ABOUT_RUNNERS);
  }

  @Test
  void oldCountsTriggerNoSearch() {
    assertThat(step(3, 1, 2, 0, 1)).isEqualTo(NOTHING);
    assertThat(step(3, 3, 2, 0, 13.1)).isEqualTo(READ_COUNTS);
  }

  /** A sweep of a set whose runners changed last at that minute; compares what it reads at once. */
  private RegistrationAudit.Step sweep(int excess, double changed, double now) {
    var compared = compared(excess, 0, at(changed), 7);
    var step = RegistrationAudit.Step.NOTHING;
    for (boolean again = true; again; again = step == READ_COUNTS) {
      var decision = RegistrationAudit.compare(state.read(), compared, state, at(now));
      state = decision.state();
      step = decision.step();
      if (step == READ_COUNTS) {
        var counts = new ServiceCounts(at(now), 0, 0, excess, 0, 0);
        state = state.reading(at(now)).learned(counts).ended();
      }
    }
    return step;
  }

  private double foundAfter(int excess, double lastChange) {
    for (double now = 1; now < 24 * 60; now += 1) {
      if (sweep(excess, Math.min(now - 0.3, lastChange), now) == LIST_REGISTRATIONS) {
        return now;
      }
    }
    return Double.POSITIVE_INFINITY;
  }

  /** left-overs.md promises at most 15 minutes, also to who restarted the controller. */
  @Test
  void rn20WhatIsLeftIsSearchedForWithin12MinutesOfTheStartOfAProcess() {
    for (int minutes = 0; minutes <= 5; minutes++) {
      state = AuditState.unknown();
      jitter = Duration.ofMinutes(minutes);
      assertThat(foundAfter(3, 0)).as("jitter of %d min", minutes).isBetween(5.0, 12.0);
    }
  }

  /** A set with jobs never stood still for the time that the sweep waited for. */
  @Test
  void rn20ASetWhoseRunnersChangeAllTheTimeIsSearchedToo() {
    jitter = Duration.ofMinutes(5);
    assertThat(foundAfter(3, 24 * 60)).isBetween(5.0, 12.0);
  }

  /** The counts that the listener receives may be explained by runners that went about then. */
  @Test
  void rn20CountsThatMayBeExplainedNeitherEndADoubtNorSettleASet() {
    var counts = new ServiceCounts(at(1), 0, 0, 2, 0, 0);
    var open = new Compared(0, 1, 0, T0, jitter, 7);
    state = state.with(state.doubt().with(open).counted(false, second(30)));
    assertThat(RegistrationAudit.compare(counts, open, state, at(1)).state().doubt().since())
        .isEqualTo(second(30));
    assertThat(RegistrationAudit.compare(counts, open, state, second(150)).step())
        .isEqualTo(READ_COUNTS);
  }

  /** At most as many go as are too many, and a runner that goes just then explains one. */
  @Test
  void rn20WhatASearchLeftIsSearchedForSoonAfterItThoughTheRunnersChange() {
    jitter = Duration.ofMinutes(5);
    double first = foundAfter(3, 24 * 60);
    state = state.with(state.doubt().searched(true, Set.of(), at(first)));
    double now = first + 1;
    while (sweep(1, now - 0.3, now) != LIST_REGISTRATIONS) {
      now += 1;
    }
    assertThat(now - first).isBetween(2.0, 4.0);
  }

  /** A set with registrations that cannot be removed, as those of runners with a job. */
  @Test
  void searchesThatRepairNothingAreFewerAndFewer() {
    double lastRead = 1;
    var searches = new ArrayList<Double>();
    int reads = 0;
    for (double now = 1; now < 48 * 60; now += 1) {
      var step = step(3, lastRead, 2, 0, now);
      if (step == READ_COUNTS) {
        lastRead = now;
        reads++;
      } else if (step == LIST_REGISTRATIONS) {
        searches.add(now);
        state = state.with(state.doubt().searched(false, Set.of(), at(now)));
      }
    }
    assertThat(searches).as("in two days").hasSizeBetween(8, 14);
    assertThat(searches.get(1) - searches.get(0)).isBetween(10.0, 20.0);
    assertThat(searches.getLast() - searches.get(searches.size() - 2)).isGreaterThanOrEqualTo(360);
    assertThat(reads).isLessThanOrEqualTo(4 * searches.size());
  }

  @Test
  void aRefusedListIsNotAskedForAndCostsNothingUntilThen() {
    assertThat(step(3, 1, 2, 0, 1)).isEqualTo(NOTHING);
    state = state.with(state.doubt().refused(at(360), at(1)));
    for (double now = 1; now < 360; now += 1) {
      assertThat(step(3, 2, 2, 0, now)).as("minute " + now).isEqualTo(NOTHING);
    }
    assertThat(step(3, 2, 2, 0, 360)).as("the counts are old").isEqualTo(READ_COUNTS);
    assertThat(step(3, 360, 2, 0, 361)).isEqualTo(LIST_REGISTRATIONS);
  }

  @Test
  void otherCredentialsMayListAtOnceAndWhatIsForeignStaysForeign() {
    assertThat(step(3, 1, 2, 0, 1)).isEqualTo(NOTHING);
    state = state.with(state.doubt().searched(false, Set.of("theirs"), at(1)));
    state = state.with(state.doubt().refused(at(360), at(1)));
    var compared = compared(1, 0, T0, 8);
    var next = state.doubt().with(compared);
    assertThat(next.searchFrom()).isBefore(at(1));
    assertThat(next.foreign()).containsExactly("theirs");
  }

  @Test
  void whileAReadingIsUnderWayNoneBegins() {
    state = state.reading(at(0));
    assertThat(step(null, 0, 0, 0, 60)).isEqualTo(NOTHING);
    state = state.ended();
    assertThat(step(null, 0, 0, 0, 60)).isEqualTo(READ_COUNTS);
  }

  /** A pass at that second. */
  private RegistrationAudit.Decision pass(@Nullable ServiceCounts counts, int second) {
    return RegistrationAudit.answerQuestions(counts, state, second(second));
  }

  private static Instant second(int second) {
    return T0.plusSeconds(second);
  }

  private static ServiceCounts counts(int second, int registered, int idle) {
    return new ServiceCounts(second(second), 0, 0, registered, 0, idle);
  }

  private void observed(List<RunnerView> runners, @Nullable ServiceCounts counts, int second) {
    var now = second(second);
    state.seen().observe(Runners.next(all, runners, now).changes(), now);
    state = state.observed(all, counts, now);
  }

  private void readInVain(int second) {
    state = state.reading(second(second)).ended();
  }

  @Test
  void theCountsAreReadWhileARunnerIsMissing() {
    assertThat(pass(null, 0).requeue().at()).as("BG3: nothing is missing").isNull();
    var missing = List.of(idle("a").unregistered().view());
    observed(missing, null, 0);
    assertThat(pass(null, 0).requeue().at()).isEqualTo(second(5));
    var early = counts(3, 1, 0);
    assertThat(pass(early, 3).requeue().at()).as("counts were heard").isEqualTo(second(8));
    assertThat(pass(null, 5).step()).isEqualTo(READ_COUNTS);
    state = state.reading(second(5));
    assertThat(pass(null, 5).step()).as("one at a time").isEqualTo(NOTHING);
    assertThat(pass(null, 5).requeue().at()).as("it may be a sweep's").isEqualTo(second(10));
    state = state.learned(counts(5, 1, 0)).ended();
    assertThat(state.read()).isEqualTo(counts(5, 1, 0));
    assertThat(pass(counts(5, 1, 0), 5).requeue().at()).isEqualTo(second(10));
    for (int second : new int[] {10, 20, 40}) {
      readInVain(second);
    }
    assertThat(pass(counts(5, 1, 0), 40).requeue().at()).as("in doubt").isEqualTo(second(60));
    assertThat(pass(null, 40).requeue().at()).as("without doubt").isEqualTo(second(80));
    observed(List.of(idle("a").view()), null, 50);
    assertThat(pass(null, 50).requeue().at()).isNull();
    observed(missing, null, 60);
    assertThat(pass(null, 60).requeue().at()).as("a new question").isEqualTo(second(65));
  }

  @Test
  void theCountsAreReadWhileAJobWaitsBesideAnIdleRunner() {
    var runners = List.of(idle("a").view());
    var waiting = new ServiceCounts(second(0), 1, 0, 1, 0, 1);
    observed(runners, waiting, 0);
    assertThat(pass(waiting, 0).requeue().at()).isEqualTo(second(15));
    observed(runners, counts(4, 1, 1), 4);
    assertThat(pass(counts(4, 1, 1), 4).requeue().at()).as("BG3").isNull();
  }
}
