package dev.runnerset.controller.audit;

import static dev.runnerset.controller.removal.Runners.T0;
import static dev.runnerset.controller.removal.Runners.busy;
import static dev.runnerset.controller.removal.Runners.idle;
import static dev.runnerset.controller.removal.Runners.pending;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.removal.Now;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.Runners;
import dev.runnerset.controller.removal.RunnersOfSet;
import dev.runnerset.crds.Demand;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** RN7: a runner is registered when the service is known to have it online. */
final class RegisteredRunnersTest {
  private static final Duration DEADLINE = Duration.ofMinutes(5);

  private final RunnersOfSet all = new RunnersOfSet(T0);
  private final SeenRunners seen = new SeenRunners();

  record Row(
      String rule,
      List<RunnerView> runners,
      @Nullable ServiceCounts counts,
      int removed,
      Map<String, Duration> missedFor,
      List<String> missing) {
    @Override
    public String toString() {
      return rule;
    }
  }

  static Row[] rows() {
    return new Row[] {
      row("nothing was counted: nobody is known", List.of(old("a")), null, 0, "a"),
      row("all are online", List.of(old("a"), young("b")), counts(2, 0, 2), 0),
      row("one is missing: the one that started last", three(), counts(3, 0, 2), 0, "c"),
      row("two are missing", three(), counts(3, 0, 1), 0, "b", "c"),
      row("the service has none online", three(), counts(3, 0, 0), 0, "a", "b", "c"),
      row("more online than here", three(), counts(9, 0, 9), 0),
      row(
          "a runner with a job takes one of the busy",
          List.of(busy("j").view(), old("a"), young("b")),
          counts(3, 1, 1),
          0,
          "b"),
      row(
          "a busy runner without a mark is covered as well",
          List.of(old("a"), young("b")),
          counts(2, 1, 1),
          0),
      row(
          "a job that is not counted yet: its runner was counted as idle",
          List.of(busy("j").view(), old("a")),
          counts(2, 0, 2),
          0),
      row(
          "a runner of the same second may have been too late to be counted",
          List.of(idle("a").since(at(60)).view()),
          counts(1, 0, 1),
          0,
          "a"),
      row("the counts are older", List.of(idle("a").since(at(70)).view()), counts(1, 0, 1), 0, "a"),
      row(
          "a removed runner was counted, and does not cover another",
          List.of(idle("gone").askedToGo().view(), old("a"), young("b")),
          counts(3, 0, 2),
          1,
          "b"),
      row(
          "an ended runner needs no cover",
          List.of(idle("e").endedAt(at(9)).view(), young("b")),
          counts(1, 0, 1),
          0),
      row(
          "a runner of another scale set is not counted",
          List.of(idle("o").ofAnotherScaleSet().view(), young("b")),
          counts(1, 0, 1),
          0),
      row("a pending runner is not missing", List.of(pending("p").view()), counts(1, 0, 0), 0),
      row(
          "a runner that has been missing for 20 s goes last, though it started first",
          List.of(old("a"), young("b")),
          counts(2, 0, 1),
          Map.of("uid-a", seconds(20)),
          "a"),
      row(
          "a runner that has been missing for less may be the one that connected",
          List.of(old("a"), young("b")),
          counts(2, 0, 1),
          Map.of("uid-a", seconds(19)),
          "b"),
      row(
          "the oldest of a pool never connected: no younger one is missing for it",
          three(),
          counts(3, 0, 2),
          Map.of("uid-a", seconds(58)),
          "a"),
      row(
          "the connection came back for all but the one that has been missing for longest",
          three(),
          counts(3, 0, 2),
          Map.of("uid-a", seconds(58), "uid-b", seconds(30), "uid-c", seconds(30)),
          "a"),
      row(
          "all that were missing are online",
          three(),
          counts(3, 0, 3),
          Map.of("uid-a", seconds(58), "uid-c", seconds(57))),
    };
  }

  private static Row row(
      String rule,
      List<RunnerView> runners,
      @Nullable ServiceCounts counts,
      int removed,
      String... missing) {
    return new Row("RN7 " + rule, runners, counts, removed, Map.of(), List.of(missing));
  }

  private static Row row(
      String rule,
      List<RunnerView> runners,
      ServiceCounts counts,
      Map<String, Duration> missedFor,
      String... missing) {
    return new Row("RN7 " + rule, runners, counts, 0, missedFor, List.of(missing));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void theCountsCoverThoseThatStartedFirst(Row row) {
    var all = RunnersOfSet.of(row.runners(), T0);
    new RegisteredRunners().update(all, row.counts(), row.removed(), at -> row.missedFor(), at(60));
    assertThat(all.in(RegisteredRunners.MISSING))
        .extracting(RunnerView::name)
        .containsExactlyElementsOf(row.missing());
    assertThat(all.all().filter(r -> row.missing().contains(r.name())))
        .as("idle")
        .noneMatch(RunnerView::isIdle);
  }

  @Test
  void theCountsOfAnotherScaleSetOrIncompleteOnesAreNone() {
    var heard = new Demand(1, 1, T0, 3, 2, 3, 2, 1, 0, 7, null);
    assertThat(ServiceCounts.of(heard, 7)).isEqualTo(new ServiceCounts(T0, 3, 2, 3, 2, 1));
    assertThat(ServiceCounts.of(heard, 8)).isNull();
    assertThat(ServiceCounts.of(new Demand(1, 1, T0, 3, 2, null, 2, 1), 7)).isNull();
    assertThat(ServiceCounts.of((Demand) null, 7)).isNull();
  }

  record Told(String rule, ServiceCounts counts, Instant now, List<String> names) {
    @Override
    public String toString() {
      return rule;
    }
  }

  static Told[] told() {
    return new Told[] {
      new Told("19 s are patience", counts(at(29), 3, 0, 1), at(30), List.of()),
      new Told("20 s are told", counts(at(30), 3, 0, 1), at(31), List.of("b", "c")),
      new Told("at most as many as are offline", counts(at(30), 2, 0, 1), at(31), List.of("b")),
      new Told("all zeros blame nobody", counts(at(30), 0, 0, 0), at(31), List.of()),
      new Told("counts of a minute ago blame nobody", counts(at(40), 3, 0, 1), at(100), List.of()),
      new Told("counts of 59 s ago do", counts(at(40), 3, 0, 1), at(99), List.of("b", "c")),
    };
  }

  @ParameterizedTest(name = "RN7 {0}")
  @MethodSource("told")
  void runnersThatDoNotConnectAreToldOf(Told row) {
    see(10, missing("b"), missing("c"));
    assertThat(RegistrationCondition.missing(seen, row.counts(), row.now()))
        .extracting(missing -> missing.runner().name())
        .isEqualTo(row.names());
  }

  @Test
  void ofSeveralTheOneThatHasBeenMissingForLongestIsTold() {
    var counts = counts(at(60), 2, 0, 1);
    see(20, missing("b"));
    see(25, missing("b"), missing("c"));
    see(30, missing("a"), missing("b"), missing("c"));
    assertThat(RegistrationCondition.missing(seen, counts, at(61)))
        .extracting(missing -> missing.runner().name())
        .containsExactly("b");
  }

  /** Each minute a job takes the healthy runner, and another one is made beside the broken one. */
  @Test
  void aRunnerThatNeverConnectsIsEndedThoughHealthyOnesComeAndGo() {
    var registered = new RegisteredRunners();
    var broken = old("broken");
    var ended = List.<String>of();
    for (int second = 2; ended.isEmpty() && second < 600; second++) {
      int job = second / 60; // each begins at a full minute
      boolean started = second % 60 >= 10;
      boolean online = second % 60 >= 15;
      var runners =
          Stream.of(
                  Stream.of(broken),
                  job == 0 ? Stream.<RunnerView>of() : Stream.of(busy("h" + (job - 1)).view()),
                  started
                      ? Stream.of(idle("h" + job).since(at(job * 60 + 10)).view())
                      : Stream.<RunnerView>of())
              .flatMap(each -> each)
              .toList();
      int withJob = job == 0 ? 0 : 1;
      var counts = counts(at(second), runners.size(), withJob, started && online ? 1 : 0);
      var now = at(second);
      registered.update(Runners.next(all, runners, now), counts, 0, seen::missedFor, now);
      seen.observe(all.changes(), now);
      var told = RegistrationCondition.missing(seen, counts, now);
      ended =
          RegistrationCondition.overdue(told, DEADLINE, at(second)).map(RunnerView::name).toList();
    }
    assertThat(ended).containsExactly("broken");
  }

  @Test
  void theMessageHasCountNameCauseAndWhatComesNext() {
    var told =
        Stream.of("b", "c")
            .map(name -> new SeenRunners.Missing(idle(name).view(), at(10)))
            .toList();
    var condition = RegistrationCondition.of(told, DEADLINE).orElseThrow();
    assertThat(condition.message())
        .isEqualTo(
            "the container runs and the runner does not connect to the service: 2 runners, as b"
                + " since 2026-01-01T00:00:10Z; look in the pod's log for network, DNS, proxy,"
                + " certificate and clock; b is replaced at 2026-01-01T00:05:10Z"
                + " (spec.deadlines.registration)");
    assertThat(RegistrationCondition.of(List.of(), DEADLINE)).isEmpty();
  }

  @Test
  void whoDoesNotRegisterInTimeIsEndedAtMostTwoAtATime() {
    var told =
        Stream.of("a", "b", "c", "d")
            .map(name -> new SeenRunners.Missing(idle(name).view(), at(10)))
            .toList();
    assertThat(RegistrationCondition.overdue(told, DEADLINE, at(309))).isEmpty();
    assertThat(RegistrationCondition.overdue(told, DEADLINE, at(310)))
        .extracting(RunnerView::name)
        .containsExactly("a", "b");
    see(10, missing("a"));
    for (int[] next : new int[][] {{10, 30}, {30, 310}}) {
      var now = new Now(at(next[0]));
      RegistrationCondition.noteChanges(seen, DEADLINE, now);
      assertThat(now.next().at()).isEqualTo(at(next[1]));
    }
  }

  @Test
  void whatWasMissingIsAddedUpUntilAllAreOnlineForAWhile() {
    see(0, runners("a"));
    see(15, runners("b")); // another one stands for it
    see(60, runners("a"));
    assertThat(seen.missedFor(at(65))).containsEntry("uid-a", seconds(20));
    assertThat(seen.missedFor(at(50))).containsEntry("uid-a", seconds(15));
    see(70, runners(""));
    see(89, runners(""));
    assertThat(seen.missedFor(at(89))).containsEntry("uid-a", seconds(25));
    see(89, old("a"));
    assertThat(seen.missedFor(at(89))).as("b is gone").containsOnlyKeys("uid-a");
    see(90, old("a"));
    assertThat(seen.missedFor(at(90))).as("none was missing for 20 s").isEmpty();
  }

  @Test
  void whoIsMissingLongestIsAskedForFirst() {
    see(0, missing("b"));
    see(30, missing("a"), missing("b"));
    assertThat(seen.missingSince(at(29), 9))
        .extracting(m -> m.runner().name())
        .containsExactly("b");
    assertThat(seen.missingSince(at(30), 9))
        .extracting(m -> m.runner().name())
        .containsExactly("b", "a");
    assertThat(seen.missingSince(at(30), 1)).hasSize(1);
  }

  /** RN20: what explains a registration, and whose a name may be. */
  @Test
  void aRunnerThatWentExplainsTheCountsOfThatTimeAndKeepsItsNameForAWhile() {
    assertThat(seen.isUnknown()).isTrue();
    var ended = idle("ended").resource(Runners.deregistered()).view();
    see(0, old("a"), ended);
    assertThat(seen.expectedRegistrations(at(0))).isEqualTo(1);
    assertThat(seen.changedAt()).isEqualTo(at(0));
    see(300, ended);
    assertThat(seen.changedAt()).isEqualTo(at(300));
    assertThat(seen.expectedRegistrations(at(300))).as("at the moment it went").isEqualTo(1);
    assertThat(seen.expectedRegistrations(at(361))).isZero();
    assertThat(seen.names()).containsExactlyInAnyOrder("a", "ended");
    see(301 + (int) SeenRunners.KNOWN_FOR.toSeconds(), ended);
    assertThat(seen.names()).containsExactly("ended");
    assertThat(seen.changedAt()).as("nobody came or went").isEqualTo(at(300));
  }

  private void see(int second, RunnerView... runners) {
    seen.observe(Runners.next(all, List.of(runners), at(second)).changes(), at(second));
  }

  /** Two runners, of which that one is missing. */
  private static RunnerView[] runners(String missing) {
    return Stream.of("a", "b")
        .map(name -> name.equals(missing) ? missing(name) : old(name))
        .toArray(RunnerView[]::new);
  }

  private static RunnerView missing(String name) {
    return idle(name).since(at(1)).unregistered().view();
  }

  private static Duration seconds(int seconds) {
    return Duration.ofSeconds(seconds);
  }

  private static List<RunnerView> three() {
    return List.of(young("c"), old("a"), idle("b").since(at(5)).view());
  }

  private static RunnerView old(String name) {
    return idle(name).since(at(1)).view();
  }

  private static RunnerView young(String name) {
    return idle(name).since(at(10)).view();
  }

  private static ServiceCounts counts(int registered, int busy, int idle) {
    return counts(at(60), registered, busy, idle);
  }

  private static ServiceCounts counts(Instant at, int registered, int busy, int idle) {
    return new ServiceCounts(at, busy, busy, registered, busy, idle);
  }

  private static Instant at(int seconds) {
    return Runners.T0.plusSeconds(seconds);
  }
}
