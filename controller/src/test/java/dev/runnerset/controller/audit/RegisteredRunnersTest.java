package dev.runnerset.controller.audit;

import static dev.runnerset.controller.removal.Runners.T0;
import static dev.runnerset.controller.removal.Runners.busy;
import static dev.runnerset.controller.removal.Runners.idle;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.removal.Now;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.Runners;
import dev.runnerset.controller.removal.RunnersOfSet;
import dev.runnerset.crds.Demand;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** RN7: a runner is registered when the service is known to have it online. */
final class RegisteredRunnersTest {
  private static final Duration DEADLINE = Duration.ofMinutes(5);

  private final RunnersOfSet all = new RunnersOfSet(T0);
  private final SeenRunners seen = new SeenRunners();

  /**
   * One row a rule: the runners as {@link Runners#of} reads them, the counts of registered, busy
   * and idle ones a minute after T0, how many were removed since, for how many seconds who was
   * missing, and who is missing now.
   */
  @ParameterizedTest(name = "RN7 {0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nothing was counted: nobody is known | a,since-999 | | | | a
          all are online | a,since-999 b,since-990 | 2/0/2 | | |
          one is missing: the one that started last | c,since-990 a,since-999 b,since-995 | 3/0/2 | | | c
          two are missing | c,since-990 a,since-999 b,since-995 | 3/0/1 | | | b c
          the service has none online | c,since-990 a,since-999 b,since-995 | 3/0/0 | | | a b c
          more online than here | c,since-990 a,since-999 b,since-995 | 9/0/9 | | |
          a runner with a job takes one of the busy | j:busy a,since-999 b,since-990 | 3/1/1 | | | b
          a busy runner without a mark is covered as well | a,since-999 b,since-990 | 2/1/1 | | |
          a job that is not counted yet: its runner was counted as idle | j:busy a,since-999 | 2/0/2 | | |
          a runner of the same second may have been too late to be counted | a,since-940 | 1/0/1 | | | a
          the counts are older | a,since-930 | 1/0/1 | | | a
          a removed runner was counted, and does not cover another | gone,asked a,since-999 b,since-990 | 3/0/2 | 1 | | b
          an ended runner needs no cover | e,ended-991 b,since-990 | 1/0/1 | | |
          a runner of another scale set is not counted | o,former b,since-990 | 1/0/1 | | |
          a pending runner is not missing | p:pending | 1/0/0 | | |
          a runner that has been missing for 20 s goes last, though it started first | a,since-999 b,since-990 | 2/0/1 | | a=20 | a
          a runner that has been missing for less may be the one that connected | a,since-999 b,since-990 | 2/0/1 | | a=19 | b
          the oldest of a pool never connected: no younger one is missing for it | c,since-990 a,since-999 b,since-995 | 3/0/2 | | a=58 | a
          the connection came back for all but the one that has been missing for longest | c,since-990 a,since-999 b,since-995 | 3/0/2 | | a=58 b=30 c=30 | a
          all that were missing are online | c,since-990 a,since-999 b,since-995 | 3/0/3 | | a=58 c=57 |
          """)
  void theCountsCoverThoseThatStartedFirst(
      String rule,
      String runners,
      @Nullable String counted,
      @Nullable Integer removed,
      @Nullable String missed,
      @Nullable String missing) {
    var views = words(runners).map(each -> Runners.of(each).view()).toList();
    var known = RunnersOfSet.of(views, T0);
    var counts =
        words(counted)
            .map(each -> Stream.of(each.split("/")).mapToInt(Integer::parseInt).toArray())
            .map(each -> counts(each[0], each[1], each[2]))
            .findFirst()
            .orElse(null);
    var missedFor =
        words(missed)
            .map(each -> each.split("="))
            .collect(
                Collectors.toMap(
                    each -> "uid-" + each[0], each -> seconds(Integer.parseInt(each[1]))));
    new RegisteredRunners()
        .update(known, counts, removed == null ? 0 : removed, at -> missedFor, at(60));
    var names = words(missing).toList();
    assertThat(known.in(RegisteredRunners.MISSING))
        .extracting(RunnerView::name)
        .containsExactlyElementsOf(names);
    assertThat(known.all().filter(r -> names.contains(r.name())))
        .as("idle")
        .noneMatch(RunnerView::isIdle);
  }

  private static Stream<String> words(@Nullable String text) {
    return text == null ? Stream.empty() : Stream.of(text.split(" "));
  }

  @Test
  void theCountsOfAnotherScaleSetOrIncompleteOnesAreNone() {
    var heard = new Demand(1, 1, T0, 3, 2, 3, 2, 1, 0, 7, null);
    assertThat(ServiceCounts.of(heard, 7)).isEqualTo(new ServiceCounts(T0, 3, 2, 3, 2, 1));
    assertThat(ServiceCounts.of(heard, 8)).isNull();
    assertThat(ServiceCounts.of(new Demand(1, 1, T0, 3, 2, null, 2, 1, null, null, null), 7))
        .isNull();
    assertThat(ServiceCounts.of((Demand) null, 7)).isNull();
  }

  record Reported(String rule, ServiceCounts counts, Instant now, List<String> names) {
    @Override
    public String toString() {
      return rule;
    }
  }

  static Reported[] reported() {
    return new Reported[] {
      new Reported("19 s are patience", counts(at(29), 3, 0, 1), at(30), List.of()),
      new Reported("20 s are reported", counts(at(30), 3, 0, 1), at(31), List.of("b", "c")),
      new Reported("at most as many as are offline", counts(at(30), 2, 0, 1), at(31), List.of("b")),
      new Reported("all zeros blame nobody", counts(at(30), 0, 0, 0), at(31), List.of()),
      new Reported(
          "counts of a minute ago blame nobody", counts(at(40), 3, 0, 1), at(100), List.of()),
      new Reported("counts of 59 s ago do", counts(at(40), 3, 0, 1), at(99), List.of("b", "c")),
    };
  }

  @ParameterizedTest(name = "RN7 {0}")
  @MethodSource("reported")
  void runnersThatDoNotConnectAreReportedOf(Reported row) {
    see(10, missing("b"), missing("c"));
    assertThat(RegistrationCondition.missing(seen, row.counts(), row.now()))
        .extracting(missing -> missing.runner().name())
        .isEqualTo(row.names());
  }

  @Test
  void ofSeveralTheOneThatHasBeenMissingForLongestIsReported() {
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
      var reported = RegistrationCondition.missing(seen, counts, now);
      ended =
          RegistrationCondition.overdue(reported, DEADLINE, at(second))
              .map(RunnerView::name)
              .toList();
    }
    assertThat(ended).containsExactly("broken");
  }

  @Test
  void theMessageHasCountNameCauseAndWhatComesNext() {
    var reported =
        Stream.of("b", "c")
            .map(name -> new SeenRunners.Missing(idle(name).view(), at(10)))
            .toList();
    var condition = RegistrationCondition.of(reported, DEADLINE).orElseThrow();
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
    var reported =
        Stream.of("a", "b", "c", "d")
            .map(name -> new SeenRunners.Missing(idle(name).view(), at(10)))
            .toList();
    assertThat(RegistrationCondition.overdue(reported, DEADLINE, at(309))).isEmpty();
    assertThat(RegistrationCondition.overdue(reported, DEADLINE, at(310)))
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
    see(301 + (int) AuditTimes.KNOWN_FOR.toSeconds(), ended);
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

  private static RunnerView old(String name) {
    return idle(name).since(at(1)).view();
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
