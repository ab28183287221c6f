package dev.runnerset.controller.ephemeralrunnerset;

import static dev.runnerset.controller.removal.Runners.T0;
import static dev.runnerset.controller.removal.Runners.busy;
import static dev.runnerset.controller.removal.Runners.idle;
import static dev.runnerset.controller.removal.Runners.pending;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.removal.RemovalBudget;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.Runners;
import dev.runnerset.controller.scaling.ReplicasTarget;
import dev.runnerset.crds.Demand;
import dev.runnerset.crds.RunnerCounts;
import dev.runnerset.crds.RunnerPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Makes the missing, chooses the surplus, one row a rule. */
class ReplicasPlannerTest {
  private static final Instant NOW = T0.plusSeconds(1000);
  private static final long MESSAGE = 7;

  /** The situation of a row: two wanted, nothing wrong. */
  static final class Given {
    private final List<RunnerView> runners = new ArrayList<>();
    private int replicas = 2;
    private @Nullable Integer max;
    private @Nullable Demand demand = new Demand(1, MESSAGE, null, 2, 2, null, null, null);
    private @Nullable Instant surplusSince = NOW.minusSeconds(60);
    private boolean passRunning;
    private RemovalBudget budget = RemovalBudget.FRESH;
    private CreationBackoff backoff = CreationBackoff.NONE;
    private boolean held;
    private int reserved;

    Given(Runners... some) {
      for (var runner : some) {
        runners.add(runner.view());
      }
    }

    ReplicasInput input() {
      return new ReplicasInput(
          new ReplicasTarget(replicas, max, MESSAGE, demand),
          runners,
          new ReplicasInput.Creation(backoff, held, reserved),
          new ReplicasInput.Removal(surplusSince, passRunning, 0, budget, Duration.ofSeconds(10)));
    }
  }

  /** Runners made, ended ones deleted, surplus ones chosen, seconds until the next look. */
  record Row(
      String rule,
      Given given,
      int create,
      String finished,
      String chosen,
      @Nullable Integer look) {
    @Override
    public String toString() {
      return rule;
    }
  }

  private static Given with(Given given, java.util.function.Consumer<Given> change) {
    change.accept(given);
    return given;
  }

  private static Row row(
      String rule,
      Given given,
      int create,
      String finished,
      String chosen,
      @Nullable Integer look) {
    return new Row(rule, given, create, finished, chosen, look);
  }

  private static Instant in(int seconds) {
    return NOW.plusSeconds(seconds);
  }

  /** Two live ones are wanted; there is an idle one and the given one: is it live, does it go? */
  private static Row second(String rule, Runners runner, boolean live, boolean goes, Integer look) {
    return row(rule, new Given(idle("a"), runner), live ? 0 : 1, goes ? "r" : "", "", look);
  }

  static Stream<Row> live() {
    var succeeded = RunnerPhase.SUCCEEDED;
    var failed = RunnerPhase.FAILED;
    return Stream.of(
        second("4 pending is live", pending("r"), true, false, null),
        second("4 busy is live", busy("r"), true, false, null),
        second("4 suspect is live", idle("r").suspectUntil(in(9)), true, false, null),
        second(
            "4 released: completed in the message weighed",
            busy("r").completedIn(MESSAGE),
            false,
            false,
            null),
        second(
            "4 released: completed before it",
            busy("r").completedIn(MESSAGE - 1),
            false,
            false,
            null),
        second(
            "4 not released: completed in the next message",
            busy("r").completedIn(MESSAGE + 1),
            true,
            false,
            null),
        second(
            "4 released and exited goes",
            busy("r").completedIn(MESSAGE).endedAt(NOW),
            false,
            true,
            null),
        second(
            "4 exited, completion not weighed yet",
            busy("r").completedIn(MESSAGE + 1).endedAt(NOW),
            true,
            false,
            30),
        second("4 settle window: 29 s after the exit", busy("r").endedAt(in(-29)), true, false, 1),
        second("4 settle window: 30 s", busy("r").endedAt(in(-30)), false, true, null),
        second("4 settle window: 31 s", busy("r").endedAt(in(-31)), false, true, null),
        second(
            "4 settle window of an unmarked one: 29 s",
            idle("r").phase(succeeded).endedAt(in(-29)),
            true,
            false,
            1),
        second(
            "I7 settle window of an unmarked one: 30 s",
            idle("r").phase(succeeded).endedAt(in(-30)),
            false,
            true,
            null),
        second(
            "I7 failed and unmarked: replaced at once",
            idle("r").phase(failed).endedAt(NOW),
            false,
            true,
            null),
        second(
            "4 failed with a job: its demand still counts",
            busy("r").phase(failed).endedAt(NOW),
            true,
            false,
            30),
        second(
            "I7 failed with a job: 30 s",
            busy("r").phase(failed).endedAt(in(-30)),
            false,
            true,
            null),
        second(
            "I7 failed with a job that was weighed",
            busy("r").phase(failed).completedIn(MESSAGE).endedAt(NOW),
            false,
            true,
            null),
        second(
            "I7 outdated", idle("r").phase(RunnerPhase.OUTDATED).endedAt(NOW), false, true, null),
        second("4 terminating", idle("r").terminating(), false, false, null),
        second("4 terminating, but busy", busy("r").terminating(), true, false, null),
        second(
            "4 terminating, but suspect",
            idle("r").terminating().suspectUntil(in(9)),
            true,
            false,
            9),
        second(
            "4 terminating, suspicion over",
            idle("r").terminating().suspectUntil(NOW),
            false,
            false,
            null),
        second(
            "4 terminating and ended goes by itself",
            idle("r").phase(failed).endedAt(in(-60)).terminating(),
            false,
            false,
            null),
        second("4 asked to go and still in the cache", idle("r").askedToGo(), false, false, null),
        second(
            "SD5 its deletion failed: 1 s of backoff",
            idle("r").phase(failed).endedAt(in(-60)).retryAt(in(1)),
            false,
            false,
            1),
        second(
            "SD5 its deletion failed: backoff over",
            idle("r").phase(failed).endedAt(in(-60)).retryAt(NOW),
            false,
            true,
            null));
  }

  static Stream<Row> create() {
    var wave = new CreationBackoff(1, in(1), true);
    return Stream.of(
        row("LV4 all are missing", new Given(), 2, "", "", null),
        row("LV4 one is missing", new Given(busy("a")), 1, "", "", null),
        row("LV4 none is missing", new Given(busy("a"), pending("b")), 0, "", "", null),
        row("6 backoff: 1 s left", with(new Given(), g -> g.backoff = wave), 0, "", "", 1),
        row(
            "6 backoff: over now",
            with(new Given(), g -> g.backoff = new CreationBackoff(1, NOW, true)),
            2,
            "",
            "",
            null),
        row(
            "6 backoff does not matter when none is missing",
            with(new Given(idle("a"), idle("b")), g -> g.backoff = wave),
            0,
            "",
            "",
            null),
        row("6 held: none is made", with(new Given(), g -> g.held = true), 0, "", "", null),
        row(
            "6 held: the outdated one stays as the proof",
            with(
                new Given(idle("r").phase(RunnerPhase.OUTDATED).endedAt(in(-60))),
                g -> g.held = true),
            0,
            "",
            "",
            null),
        row("AC8 one place is reserved", with(new Given(), g -> g.reserved = 1), 1, "", "", 1),
        row("AC8 all places are reserved", with(new Given(), g -> g.reserved = 3), 0, "", "", 1),
        row(
            "AC8 reserved places do not matter when none is missing",
            with(new Given(idle("a"), idle("b")), g -> g.reserved = 1),
            0,
            "",
            "",
            null),
        row(
            "AC8 a reserved place, and the backoff is closed: its end comes first",
            with(
                new Given(),
                g -> {
                  g.reserved = 1;
                  g.backoff = wave;
                }),
            0,
            "",
            "",
            1),
        row(
            "4 unknown demand: the missing are made",
            with(new Given(), g -> g.demand = null),
            2,
            "",
            "",
            null));
  }

  /** Ten are wanted, and starts have failed. */
  private static Row probe(String rule, int create, @Nullable Integer look, Runners... some) {
    return probe(rule, new CreationBackoff(1, in(-2), true), create, look, some);
  }

  private static Row probe(
      String rule, CreationBackoff backoff, int create, @Nullable Integer look, Runners... some) {
    var given = new Given(some);
    given.replicas = 10;
    given.backoff = backoff;
    return row(rule, given, create, "", "", look);
  }

  /** While starts fail, a few runners try for all. */
  static Stream<Row> probes() {
    int forgotten = (int) CreationBackoff.FORGOTTEN_AFTER.toSeconds();
    return Stream.of(
        probe("RN10 starts fail: four try", 4, forgotten - 2),
        probe(
            "RN10 others that run say nothing of a start of now: four try",
            4,
            forgotten - 2,
            idle("a"),
            busy("b"),
            pending("c").podMade()),
        probe("RN10 those that try count", 3, forgotten - 2, pending("a")),
        probe(
            "RN10 four try already",
            0,
            forgotten - 2,
            pending("a"),
            pending("b"),
            pending("c"),
            pending("d")),
        probe(
            "RN10 one of them is gone",
            1,
            forgotten - 2,
            pending("a"),
            pending("b"),
            pending("c"),
            pending("d").askedToGo()),
        probe(
            "RN10 those of another revision do not try",
            4,
            298,
            pending("a").older(),
            pending("b").older()),
        probe("RN10 one has started: all", new CreationBackoff(1, in(-2), false), 10, null),
        probe(
            "RN10 no failure for 15 min, 1 s before",
            new CreationBackoff(1, in(1 - forgotten), true),
            4,
            1),
        probe("RN10 no failure for 15 min", new CreationBackoff(1, in(-forgotten), true), 10, null),
        probe("RN10 the backoff comes first", new CreationBackoff(1, in(1), true), 0, 1));
  }

  private static Given three() {
    return new Given(busy("x"), idle("a"), idle("b"));
  }

  static Stream<Row> remove() {
    return Stream.of(
        row("5 a surplus that stands", three(), 0, "", "a b", null),
        row("5 a new surplus", with(three(), g -> g.surplusSince = null), 0, "", "", 1),
        row("5 a surplus of 0 s", with(three(), g -> g.surplusSince = NOW), 0, "", "", 1),
        row("5 a surplus of 1 s", with(three(), g -> g.surplusSince = in(-1)), 0, "", "a b", null),
        row("5 no surplus", new Given(busy("x"), idle("a")), 0, "", "", null),
        row(
            "4 demand is never below the runners marked busy: the warm one stays (ADR 4)",
            with(
                new Given(busy("x"), busy("y"), idle("a")),
                g -> g.demand = new Demand(1, 1, null, 1, 1, null, null, null)),
            0,
            "",
            "",
            null),
        row(
            "4 a job that is over is no demand: the second warm one goes (ADR 4)",
            with(
                new Given(busy("x"), busy("y").completedIn(MESSAGE + 1), idle("a"), idle("b")),
                g -> {
                  g.demand = new Demand(1, 1, null, 1, 1, null, null, null);
                  g.replicas = 3;
                }),
            0,
            "",
            "a b",
            null),
        row("I1 only busy ones", new Given(busy("x"), busy("y"), busy("z")), 0, "", "", null),
        row(
            "4 unknown demand removes nobody",
            with(three(), g -> g.demand = null),
            0,
            "",
            "",
            null),
        row(
            "SD6 out of refusals: 1 s left",
            with(three(), g -> g.budget = new RemovalBudget(1, 0, Instant.EPOCH, in(1))),
            0,
            "",
            "",
            1),
        row(
            "SD6 out of refusals: over now",
            with(three(), g -> g.budget = new RemovalBudget(1, 0, Instant.EPOCH, NOW)),
            0,
            "",
            "a b",
            null),
        row("5 a pass is running", with(three(), g -> g.passRunning = true), 0, "", "", null),
        row(
            "SD2 the look of the choice",
            with(
                new Given(busy("x"), busy("y"), idle("a").since(in(-9))),
                g -> g.demand = new Demand(1, 1, null, 3, 2, null, null, null)),
            0,
            "",
            "",
            1),
        row(
            "I9 the end of a job does not remove a warm one",
            new Given(busy("x").completedIn(MESSAGE), idle("a"), idle("b")),
            0,
            "",
            "",
            null));
  }

  private static Runners hanging(int seenAt) {
    return busy("h").completedIn(MESSAGE).completionSeenAt(in(seenAt));
  }

  private static Row exit(String rule, Runners runner, String chosen, @Nullable Integer look) {
    return row(rule, new Given(idle("a"), idle("b"), runner), 0, "", chosen, look);
  }

  /** The job is over and the container does not end. */
  static Stream<Row> exits() {
    return Stream.of(
        exit("6 exiting for 59 s", hanging(-59), "", 1),
        exit("6 exiting for 60 s: told", hanging(-60), "", 120),
        exit("6 exiting for 179 s", hanging(-179), "", 1),
        exit("6 exiting for 180 s: removed", hanging(-180), "h", null),
        exit("6 its end is known", hanging(-900).endedAt(in(-1)).kept(), "", null),
        exit("6 it goes already", hanging(-900).terminating(), "", null),
        exit("6 it was asked to go", hanging(-900).askedToGo(), "", null),
        exit("6 refused: the service is asked later", hanging(-900).suspectUntil(in(9)), "", 9),
        exit("6 refused long ago", hanging(-900).suspectUntil(NOW), "h", null),
        exit("6 its removal failed", hanging(-900).retryAt(in(2)), "", 2),
        row(
            "I1 its job is not over",
            with(
                new Given(idle("a"), idle("b"), busy("h").completionSeenAt(in(-900))),
                g -> g.replicas = 3),
            0,
            "",
            "",
            null),
        row(
            "I9 180 s, and its job still counts: another runner would be made for it",
            with(
                new Given(idle("a"), idle("b"), hanging(-180).completedIn(MESSAGE + 1)),
                g -> g.replicas = 3),
            0,
            "",
            "",
            420),
        row(
            "6 not weighed for 600 s: removed all the same",
            with(
                new Given(idle("a"), idle("b"), hanging(-600).completedIn(MESSAGE + 1)),
                g -> g.replicas = 3),
            0,
            "",
            "h",
            null),
        row(
            "6 not weighed while no runner is wanted, as while a set is deleted: 179 s",
            with(new Given(hanging(-179).completedIn(MESSAGE + 1)), g -> g.replicas = 0),
            0,
            "",
            "",
            1),
        row(
            "6 not weighed while no runner is wanted, as while a set is deleted: 180 s",
            with(new Given(hanging(-180).completedIn(MESSAGE + 1)), g -> g.replicas = 0),
            0,
            "",
            "h",
            null),
        row(
            "6 at replicas 0 it goes as well",
            with(new Given(hanging(-900)), g -> g.replicas = 0),
            0,
            "",
            "h",
            null),
        row(
            "6 unknown demand removes it, too: it is no idle one",
            with(new Given(idle("a"), idle("b"), hanging(-900)), g -> g.demand = null),
            0,
            "",
            "h",
            null),
        row(
            "SD6 out of refusals",
            with(
                new Given(idle("a"), idle("b"), hanging(-900)),
                g -> g.budget = new RemovalBudget(1, 0, Instant.EPOCH, in(1))),
            0,
            "",
            "",
            1),
        row(
            "6 a pass is running",
            with(new Given(idle("a"), idle("b"), hanging(-900)), g -> g.passRunning = true),
            0,
            "",
            "",
            null),
        row(
            "6 surplus runners go before it",
            new Given(idle("a"), idle("b"), idle("c"), hanging(-900)),
            0,
            "",
            "a b c",
            null));
  }

  private static Runners former(String name) {
    return idle(name).since(in(-300)).ofAnotherScaleSet();
  }

  private static Row former(
      String rule, Given given, int create, String chosen, @Nullable Integer look) {
    return row(rule, given, create, "", chosen, look);
  }

  private static Given full(Runners... some) {
    return with(
        new Given(some),
        g -> {
          g.replicas = some.length;
          g.max = some.length;
          g.demand = Runners.demand(in(-1), 4, 0, 0, 0);
        });
  }

  /** The set was registered anew: no job comes to runners of the former scale set. */
  static Stream<Row> formerScaleSet() {
    return Stream.of(
        former(
            "LV4 without room, and with none idle at the service, all are replaced",
            full(former("a"), former("b")),
            2,
            "a b",
            null),
        former("LV4 an idle one", new Given(idle("a"), former("r")), 1, "r", null),
        former(
            "LV4 a pending one",
            new Given(idle("a"), pending("r").ofAnotherScaleSet()),
            1,
            "r",
            null),
        former(
            "I1 one with a job is live",
            new Given(idle("a"), busy("r").ofAnotherScaleSet()),
            0,
            "",
            null),
        former(
            "LV2 its job is over: neither is it live, nor does it go before its container ends",
            new Given(
                idle("a"), busy("r").completedIn(0).completionSeenAt(in(-9)).ofAnotherScaleSet()),
            1,
            "",
            51),
        former(
            "SD5 a suspect is live",
            new Given(idle("a"), former("r").suspectUntil(in(9))),
            0,
            "",
            9),
        former(
            "SD5 suspicion over",
            new Given(idle("a"), former("r").suspectUntil(NOW)),
            1,
            "r",
            null),
        former(
            "SD5 its removal failed: 1 s of backoff",
            new Given(idle("a"), former("r").retryAt(in(1))),
            1,
            "",
            1),
        former(
            "LV5 asked to go already", new Given(idle("a"), former("r").askedToGo()), 1, "", null),
        row(
            "LV3 an exit without a job is not waited for",
            new Given(idle("a"), former("r").phase(RunnerPhase.SUCCEEDED).endedAt(NOW)),
            1,
            "r",
            "",
            null),
        former(
            "SD2 it needs no protection",
            with(
                new Given(idle("a"), idle("r").since(NOW).ofAnotherScaleSet()),
                g -> g.demand = new Demand(1, 1, null, 3, 2, null, null, null)),
            1,
            "r",
            null),
        former(
            "DM7 unknown demand",
            with(new Given(idle("a"), former("r")), g -> g.demand = null),
            1,
            "r",
            null),
        former(
            "RN9 held", with(new Given(idle("a"), former("r")), g -> g.held = true), 0, "r", null),
        former(
            "SD6 out of refusals",
            with(
                new Given(idle("a"), idle("b"), former("r")),
                g -> g.budget = new RemovalBudget(1, 0, Instant.EPOCH, in(1))),
            0,
            "",
            1),
        former("SD5 it is no surplus", new Given(idle("a"), idle("b"), former("r")), 0, "r", null));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource({"live", "create", "probes", "remove", "exits", "formerScaleSet"})
  void thePlanFollowsTheRule(Row row) {
    var plan = ReplicasPlanner.plan(row.given().input(), NOW);
    assertThat(plan.create()).as("made").isEqualTo(row.create());
    assertThat(names(plan.finished())).as("deleted").isEqualTo(row.finished());
    var removal = plan.removal();
    assertThat(removal == null ? "" : names(removal.candidates())).isEqualTo(row.chosen());
    if (removal != null) {
      assertThat(removal.wanted())
          .isEqualTo(
              removal.reason() == RemovalReason.FORMER_SCALE_SET ? removal.candidates().size() : 1);
    }
    assertThat(plan.requeueAt()).as("look").isEqualTo(row.look() == null ? null : in(row.look()));
  }

  private static String names(List<RunnerView> views) {
    return String.join(" ", views.stream().map(RunnerView::name).toList());
  }

  @Test
  void theSurplusIsRememberedFromItsBeginAndForgottenWithItsEnd() {
    var since = ReplicasPlanner.plan(with(three(), g -> g.surplusSince = null).input(), NOW);
    assertThat(since.surplusSince()).isEqualTo(NOW);
    assertThat(ReplicasPlanner.plan(three().input(), NOW).surplusSince()).isEqualTo(in(-60));
    assertThat(ReplicasPlanner.plan(new Given(idle("a")).input(), NOW).surplusSince()).isNull();
  }

  @Test
  void theCountsSayHowManyThereAreOfEachKind() {
    var given =
        new Given(
            pending("p"),
            idle("i"),
            busy("b"),
            busy("over").completedIn(MESSAGE),
            idle("f").phase(RunnerPhase.FAILED).endedAt(NOW),
            idle("t").terminating(),
            pending("pt").terminating(),
            busy("e").endedAt(NOW));
    assertThat(ReplicasPlanner.plan(given.input(), NOW).counts())
        .isEqualTo(new RunnerCounts(2, 4, 1, 1, 1, 3));
  }

  /** What the plan would do; the rest may change with time. */
  private static List<Object> deeds(ReplicasPlan plan) {
    var removal = plan.removal();
    return List.of(
        plan.create(), plan.finished(), removal == null ? List.of() : removal.candidates());
  }

  @Test
  void thePlanStaysUntilTheInstantNamed() {
    for (long seed = 0; seed < 3000; seed++) {
      var random = new SplittableRandom(seed);
      var input = random(random);
      var plan = ReplicasPlanner.plan(input, NOW);
      var since = plan.surplusSince();
      var next = withSince(input, since);
      var until = Objects.requireNonNullElse(plan.requeueAt(), in(200));
      for (var at = NOW; at.isBefore(until); at = at.plusSeconds(1)) {
        assertThat(deeds(ReplicasPlanner.plan(next, at)))
            .as("seed " + seed + ", at " + at + ", to look at " + until + ": " + input)
            .isEqualTo(deeds(plan));
      }
    }
  }

  private static ReplicasInput withSince(ReplicasInput i, @Nullable Instant since) {
    return new ReplicasInput(
        i.target(), i.runners(), i.creation(), i.removal().withSurplusSince(since));
  }

  private static Instant near(SplittableRandom random) {
    return in(random.nextInt(-200, 60));
  }

  private static ReplicasInput random(SplittableRandom random) {
    var given = new Given();
    given.replicas = random.nextInt(4);
    for (int i = random.nextInt(6); i > 0; i--) {
      var name = "r" + i;
      var runner =
          switch (random.nextInt(3)) {
            case 0 -> busy(name);
            case 1 -> pending(name);
            default -> idle(name);
          };
      runner.since(near(random));
      switch (random.nextInt(6)) {
        case 0, 1 -> runner.older();
        case 2 -> runner.ofAnotherScaleSet();
        default -> {}
      }
      switch (random.nextInt(12)) {
        case 0 -> runner.completedIn(random.nextLong(5, 10)).completionSeenAt(near(random));
        case 1 -> runner.endedAt(near(random));
        case 2 -> runner.phase(RunnerPhase.values()[random.nextInt(2, 5)]).endedAt(near(random));
        case 3 -> runner.phase(RunnerPhase.FAILED).endedAt(near(random)).retryAt(near(random));
        case 4 -> runner.suspectUntil(near(random));
        case 5 -> runner.suspectUntil(near(random)).terminating();
        case 6 -> runner.retryAt(near(random));
        case 7 -> runner.terminating();
        default -> {}
      }
      given.runners.add(runner.view());
    }
    given.max = random.nextBoolean() ? null : given.replicas + random.nextInt(3);
    int assigned = random.nextInt(4);
    given.demand =
        random.nextInt(8) == 0
            ? null
            : Runners.demand(near(random), assigned, random.nextInt(4), 0, random.nextInt(3));
    given.surplusSince = random.nextBoolean() ? null : in(-random.nextInt(3));
    given.budget =
        new RemovalBudget(1, 0, Instant.EPOCH, random.nextInt(3) == 0 ? near(random) : T0);
    var opensAt = random.nextInt(3) == 0 ? near(random) : T0;
    given.backoff = new CreationBackoff(1, opensAt, random.nextBoolean());
    given.held = random.nextInt(8) == 0;
    given.reserved = random.nextInt(8) == 0 ? 1 : 0;
    return given.input();
  }
}
