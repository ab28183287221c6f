package dev.runnerset.controller.removal;

import dev.runnerset.base.Pure;
import dev.runnerset.base.RequeueTime;
import dev.runnerset.crds.Demand;
import dev.runnerset.crds.RunnerPhase;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Chooses which surplus runners go, and in which order (SD1 to SD4). */
@Pure
public final class RemovalPlanner {
  /** An older observation bounds nothing, so that it cannot hold surplus runners for ever. */
  static final Duration OBSERVATION_AGE = Duration.ofMinutes(2);

  /** Nearly every runner connects within that time after the start of its container. */
  static final Duration MOST_ARE_ONLINE_AFTER = Duration.ofMinutes(1);

  private RemovalPlanner() {}

  /**
   * The plan; its candidates are empty when nobody may go now. Runners of another scale set are
   * left out: they are no surplus, and the service's counts know nothing of them.
   *
   * @param wanted how many are to go; positive
   */
  public static RemovalPlan plan(SetMoment moment, int wanted) {
    var now = moment.now();
    var demand = moment.demand();
    var runners = moment.runners().stream().filter(r -> !r.ofAnotherScaleSet()).toList();
    var free = runners.stream().filter(r -> isCandidate(r, now)).toList();
    var protectedOnes = free.stream().filter(r -> isProtected(r, moment)).toList();
    var candidates = new ArrayList<>(free);
    candidates.removeAll(protectedOnes);

    var order = RemovalOrder.of(candidates, unmarked(runners, demand));
    var bound = runningBound(candidates, moment);
    return new RemovalPlan(
        bounded(order, bound),
        wanted,
        RemovalReason.SCALE_DOWN,
        requeue(moment, runners, protectedOnes, bound));
  }

  /**
   * A plan with all runners that must go whatever the target is, as soon as they have no job
   * (SD10). Such a runner counts as live until the service agreed: then another one is made, and
   * none of the others becomes too many. All that holds for surplus runners holds: who may be about
   * to get a job waits, and the service is asked first.
   */
  public static RemovalPlan retire(
      Predicate<RunnerView> kind, RemovalReason reason, SetMoment moment) {
    if (moment.runners().stream().noneMatch(kind.and(r -> !r.ofAnotherScaleSet()))) {
      return RemovalPlan.none(reason, null);
    }
    var all = plan(moment, moment.runners().size());
    var those = all.candidates().stream().filter(kind).toList();
    return RemovalPlan.ofAll(those, reason, all.requeue());
  }

  /** Whether a runner may be removed now (SD1). */
  static boolean isCandidate(RunnerView r, Instant now) {
    return r.isRemovable(now) && r.mayBeAsked(now);
  }

  /** SD2: a job is on its way, and the runner has just become idle. */
  private static boolean isProtected(RunnerView r, SetMoment moment) {
    return r.ready()
        && isJobOnItsWay(moment.demand())
        && !r.hasRunFor(moment.protectionWindow(), moment.now());
  }

  private static boolean isJobOnItsWay(@Nullable Demand demand) {
    return demand != null && count(demand.assigned()) > count(demand.running());
  }

  /** SD3: how many more busy runners the service counts than are marked. */
  private static int unmarked(List<RunnerView> runners, @Nullable Demand demand) {
    if (demand == null || demand.busy() == null) {
      return 0;
    }
    long marked = runners.stream().filter(RunnerView::isRunningJob).count();
    return (int) Math.max(0, demand.busy() - marked);
  }

  /** SD4: how many running runners may be removed; null if the observation bounds nothing. */
  private static @Nullable Integer runningBound(List<RunnerView> candidates, SetMoment moment) {
    var demand = moment.demand();
    if (demand == null || demand.idle() == null || demand.observedAt() == null) {
      return null;
    }
    var observedAt = demand.observedAt();
    var startedAt =
        candidates.stream()
            .filter(r -> r.phase() == RunnerPhase.RUNNING)
            .map(r -> seconds(r.waitingSince()))
            .toList();
    boolean afterAll = startedAt.stream().allMatch(at -> seconds(observedAt).isAfter(at));
    boolean fresh = moment.now().isBefore(observedAt.plus(OBSERVATION_AGE));
    if (!afterAll || !fresh) {
      return null;
    }
    int removed = moment.removedSinceObserved();
    int idle = demand.idle() + comingOnline(demand, observedAt, startedAt, removed);
    return Integer.valueOf(Math.max(0, idle - removed));
  }

  /**
   * Candidates that the observation may have met before they were online: it counts such a runner
   * as registered, and neither as busy nor as idle.
   */
  private static int comingOnline(
      Demand demand, Instant observedAt, List<Instant> startedAt, int removed) {
    long young =
        startedAt.stream()
            .filter(at -> !seconds(observedAt).isAfter(at.plus(MOST_ARE_ONLINE_AFTER)))
            .count();
    if (young == 0) {
      return 0;
    }
    long mayHaveBeen = young + removed; // those removed since may have been young, too
    if (demand.registered() == null || demand.busy() == null) {
      return (int) mayHaveBeen;
    }
    int offline = demand.registered() - demand.busy() - count(demand.idle());
    return Math.clamp(mayHaveBeen, 0, Math.max(0, offline));
  }

  /** Starts of containers are told in seconds: within one second the order is not known. */
  private static Instant seconds(Instant at) {
    return at.truncatedTo(ChronoUnit.SECONDS);
  }

  private static List<RunnerView> bounded(List<RunnerView> order, @Nullable Integer bound) {
    if (bound == null) {
      return order;
    }
    var chosen = new ArrayList<RunnerView>();
    int running = 0;
    for (var runner : order) {
      if (runner.phase() == RunnerPhase.PENDING) {
        chosen.add(runner);
      } else if (running < bound) {
        running++;
        chosen.add(runner);
      }
    }
    return chosen;
  }

  private static RequeueTime requeue(
      SetMoment moment,
      List<RunnerView> runners,
      List<RunnerView> protectedOnes,
      @Nullable Integer bound) {
    var now = moment.now();
    var instants = new ArrayList<Instant>();
    protectedOnes.forEach(r -> instants.add(r.waitingSince().plus(moment.protectionWindow())));
    for (var runner : runners) {
      if (runner.isBusySuspect(now) && runner.busySuspectUntil() != null) {
        instants.add(runner.busySuspectUntil());
      }
      if (runner.removalRetryAt() != null) {
        instants.add(runner.removalRetryAt());
      }
    }
    if (bound != null && moment.demand() != null) {
      instants.add(Objects.requireNonNull(moment.demand().observedAt()).plus(OBSERVATION_AGE));
    }
    return RequeueTime.firstAfter(now, instants.stream());
  }

  private static int count(@Nullable Integer value) {
    return value == null ? 0 : value;
  }
}
