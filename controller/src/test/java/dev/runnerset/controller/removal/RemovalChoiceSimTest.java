package dev.runnerset.controller.removal;

import static dev.runnerset.controller.removal.Runners.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.Demand;
import dev.runnerset.crds.RunnerPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The choice against a slow second one, written from the sentences of SD1 to SD4 alone. */
public class RemovalChoiceSimTest {
  private static final int SEEDS = 6000;
  private static final Duration WINDOW = Duration.ofSeconds(10);

  @Test
  void theChoiceIsTheOneOfTheDesign() {
    int chosen = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      var random = new SplittableRandom(seed);
      var given = given(random);
      var input = given.at(T0.plusSeconds(random.nextInt(400)));
      var now = input.now().instant();
      var plan = RemovalPlanner.plan(input, 1 + random.nextInt(5));
      assertThat(plan.candidates())
          .as("seed " + seed + " at " + now + " of " + input)
          .isEqualTo(slowly(input, now));
      chosen += plan.candidates().size();
    }
    assertThat(chosen).as("runners chosen by all seeds").isGreaterThan(SEEDS);
  }

  @Test
  void theChoiceStaysUntilTheInstantNamed() {
    for (long seed = 0; seed < SEEDS / 6; seed++) {
      var random = new SplittableRandom(seed);
      var given = given(random);
      var now = T0.plusSeconds(random.nextInt(400));
      var moment = given.at(now);
      var plan = RemovalPlanner.plan(moment, 1);
      var until = moment.now().next().toOptional().orElse(T0.plusSeconds(1000));
      for (var at = now; at.isBefore(until); at = at.plusSeconds(1)) {
        moment.runners().advance(at);
        var then = given.at(moment.runners(), at, moment.set());
        assertThat(RemovalPlanner.plan(then, 1).candidates())
            .as("seed " + seed + ", planned at " + now + ", until " + until + ", at " + at)
            .extracting(RunnerView::name)
            .isEqualTo(plan.candidates().stream().map(RunnerView::name).toList());
      }
    }
  }

  /** Step by step, and each sentence again for each runner. */
  private static List<RunnerView> slowly(SetMoment input, Instant now) {
    var rest = new ArrayList<RunnerView>();
    for (var r : input.runners().all().toList()) {
      if (mayBeAskedFor(r, now) && !isSpared(r, input, now)) {
        rest.add(r);
      }
    }
    int mayStillGo = runningThatMayGo(rest, input, now);
    var last = likelyBusy(rest, input);
    var order = new ArrayList<RunnerView>();
    while (!rest.isEmpty()) {
      var next = rest.getFirst();
      for (var other : rest) {
        boolean otherLater = last.contains(other) && !last.contains(next);
        boolean nextLater = last.contains(next) && !last.contains(other);
        if (nextLater || (!otherLater && goesBefore(other, next))) {
          next = other;
        }
      }
      rest.remove(next);
      boolean running = next.phase() == RunnerPhase.RUNNING;
      if (!running || mayStillGo > 0) {
        order.add(next);
        mayStillGo -= running ? 1 : 0;
      }
    }
    return order;
  }

  private static boolean mayBeAskedFor(RunnerView r, Instant now) {
    boolean phase = r.phase() == RunnerPhase.PENDING || r.phase() == RunnerPhase.RUNNING;
    boolean suspect =
        r.removal().busySuspectUntil() != null && r.removal().busySuspectUntil().isAfter(now);
    boolean waits = r.removal().retryAt() != null && r.removal().retryAt().isAfter(now);
    boolean going = r.terminating() || r.askedToGo() || r.endedAt() != null;
    return phase && !r.busy() && !going && !suspect && !waits;
  }

  private static boolean isSpared(RunnerView r, SetMoment input, Instant now) {
    var demand = input.demand();
    if (demand == null || demand.assigned() == null) {
      return false;
    }
    int running = demand.running() == null ? 0 : demand.running();
    var age = Duration.between(r.waitingSince(), now);
    return demand.assigned() > running && r.ready() && age.compareTo(WINDOW) < 0;
  }

  private static int runningThatMayGo(List<RunnerView> rest, SetMoment input, Instant now) {
    var demand = input.demand();
    if (demand == null || demand.idle() == null || demand.observedAt() == null) {
      return Integer.MAX_VALUE;
    }
    if (Duration.between(demand.observedAt(), now).compareTo(Duration.ofMinutes(2)) >= 0) {
      return Integer.MAX_VALUE;
    }
    int mayNotHaveBeenOnline = 0;
    for (var r : rest) {
      if (r.phase() != RunnerPhase.RUNNING) {
        continue;
      }
      long before =
          demand.observedAt().getEpochSecond() - r.waitingSince().getEpochSecond(); // whole seconds
      if (before <= 0) {
        return Integer.MAX_VALUE;
      }
      mayNotHaveBeenOnline += before <= 60 ? 1 : 0;
    }
    int notOnline = 0;
    if (mayNotHaveBeenOnline > 0) {
      notOnline = mayNotHaveBeenOnline + input.removedSinceObserved();
      if (demand.registered() != null && demand.busy() != null) {
        int offline = demand.registered() - demand.busy() - demand.idle();
        notOnline = Math.min(notOnline, Math.max(0, offline));
      }
    }
    return demand.idle() + notOnline - input.removedSinceObserved();
  }

  private static List<RunnerView> likelyBusy(List<RunnerView> rest, SetMoment input) {
    var demand = input.demand();
    int more = demand == null || demand.busy() == null ? 0 : demand.busy();
    for (var r : input.runners().all().toList()) {
      boolean over = r.completedIn() != null || r.endedAt() != null || r.phase().isTerminal();
      more -= r.busy() && !over ? 1 : 0;
    }
    var idle = new ArrayList<>(rest.stream().filter(RunnerView::ready).toList());
    var last = new ArrayList<RunnerView>();
    for (int i = 0; i < more && !idle.isEmpty(); i++) {
      var longest = idle.getFirst();
      for (var other : idle) {
        longest = ranksBefore(other, longest) ? other : longest;
      }
      idle.remove(longest);
      last.add(longest);
    }
    return last;
  }

  private static boolean goesBefore(RunnerView a, RunnerView b) {
    if (a.removal().failed() != b.removal().failed()) {
      return b.removal().failed();
    }
    return ranksBefore(a, b);
  }

  private static boolean ranksBefore(RunnerView a, RunnerView b) {
    if (a.phase() != b.phase()) {
      return a.phase() == RunnerPhase.PENDING;
    }
    if (a.ready() != b.ready()) {
      return !a.ready();
    }
    if (!a.waitingSince().equals(b.waitingSince())) {
      // of those that start, the youngest is farthest from ready
      return a.ready()
          ? a.waitingSince().isBefore(b.waitingSince())
          : a.waitingSince().isAfter(b.waitingSince());
    }
    return a.name().compareTo(b.name()) < 0;
  }

  private static Situation given(SplittableRandom random) {
    var runners = new ArrayList<RunnerView>();
    int count = random.nextInt(9);
    for (int i = 0; i < count; i++) {
      runners.add(runner(random, "r" + (char) ('a' + random.nextInt(26)) + i));
    }
    var given = new Situation(runners).demand(demand(random));
    given.removedSince = random.nextInt(3);
    return given;
  }

  /** Any demand, and none. */
  public static @Nullable Demand demand(SplittableRandom random) {
    if (random.nextInt(12) == 0) {
      return null;
    }
    return new Demand(
        1,
        1,
        random.nextInt(8) == 0 ? null : at(random),
        count(random),
        count(random),
        count(random),
        count(random),
        count(random),
        null,
        null,
        null);
  }

  private static @Nullable Integer count(SplittableRandom random) {
    return random.nextInt(8) == 0 ? null : Integer.valueOf(random.nextInt(6));
  }

  private static Instant at(SplittableRandom random) {
    return T0.plusSeconds(random.nextInt(400)).plusMillis(random.nextInt(1000));
  }

  /** A runner of any kind. */
  public static RunnerView runner(SplittableRandom random, String name) {
    var runner = random.nextInt(3) == 0 ? Runners.pending(name) : Runners.idle(name);
    if (random.nextInt(5) == 0) {
      runner = Runners.busy(name);
      if (random.nextInt(3) == 0) {
        runner.completedIn(random.nextInt(3)).completionSeenAt(at(random));
      }
    }
    runner.since(T0.plusSeconds(random.nextInt(40) * 10L));
    switch (random.nextInt(15)) {
      case 0 -> runner.terminating();
      case 1 -> runner.askedToGo();
      case 2 -> runner.endedAt(at(random));
      case 3 -> runner.phase(RunnerPhase.values()[random.nextInt(5)]).endedAt(at(random));
      case 4, 5 -> runner.suspectUntil(at(random));
      case 6 -> runner.retryAt(at(random));
      case 8 -> runner.retryAt(at(random)).removalFailed();
      case 7 -> runner.unready();
      default -> {}
    }
    return runner.view();
  }
}
