package dev.runnerset.controller.removal;

import dev.runnerset.crd.Demand;
import dev.runnerset.crd.RunnerPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Chooses which surplus runners go, and in which order (design section 5 steps 1 to 4). */
public final class RemovalPlanner {
  /** After that, an observation bounds nothing: it must not hold surplus runners for ever. */
  static final Duration OBSERVATION_AGE = Duration.ofMinutes(2);

  private RemovalPlanner() {}

  /** The plan; its candidates are empty when nobody may go now. */
  public static RemovalPlan plan(RemovalInput input, Instant now) {
    var demand = input.demand();
    var free = input.runners().stream().filter(r -> isCandidate(r, now)).toList();
    var protectedOnes = free.stream().filter(r -> isProtected(r, input, now)).toList();
    var candidates = new ArrayList<>(free);
    candidates.removeAll(protectedOnes);

    var order = RemovalOrder.of(candidates, unmarked(input.runners(), demand));
    var bound = runningBound(candidates, input, now);
    return new RemovalPlan(
        bounded(order, bound), input.surplus(), lookAgain(input, protectedOnes, bound, now));
  }

  /** Whether one that was chosen for that reason may still go. */
  public static boolean isCandidate(RunnerView r, RemovalReason reason, Instant now) {
    return reason == RemovalReason.EXIT_OVERDUE
        ? OverdueExit.isCandidate(r, now)
        : isCandidate(r, now);
  }

  /** Step 1. */
  public static boolean isCandidate(RunnerView r, Instant now) {
    return r.isRemovable(now) && r.mayBeAsked(now);
  }

  /** Step 2: a job is on its way, and this runner has only just become idle. */
  private static boolean isProtected(RunnerView r, RemovalInput input, Instant now) {
    return r.ready()
        && isJobOnItsWay(input.demand())
        && now.isBefore(r.idleSince().plus(input.protectionWindow()));
  }

  private static boolean isJobOnItsWay(@Nullable Demand demand) {
    return demand != null && count(demand.assigned()) > count(demand.running());
  }

  /** Step 3: by how much the service's busy count exceeds the marked. */
  private static int unmarked(List<RunnerView> runners, @Nullable Demand demand) {
    if (demand == null || demand.busy() == null) {
      return 0;
    }
    long marked = runners.stream().filter(RunnerView::isRunningJob).count();
    return (int) Math.max(0, demand.busy() - marked);
  }

  /** Step 4: how many running ones may go; null when the observation bounds nothing. */
  private static @Nullable Integer runningBound(
      List<RunnerView> candidates, RemovalInput input, Instant now) {
    var demand = input.demand();
    if (demand == null || demand.idle() == null || demand.observedAt() == null) {
      return null;
    }
    var observedAt = demand.observedAt();
    var youngest =
        candidates.stream()
            .filter(r -> r.phase() == RunnerPhase.RUNNING)
            .map(RunnerView::idleSince)
            .max(Comparator.naturalOrder());
    boolean afterYoungest = youngest.isEmpty() || observedAt.isAfter(youngest.get());
    boolean fresh = now.isBefore(observedAt.plus(OBSERVATION_AGE));
    return afterYoungest && fresh
        ? Integer.valueOf(Math.max(0, demand.idle() - input.removedSinceObserved()))
        : null;
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

  private static @Nullable Instant lookAgain(
      RemovalInput input, List<RunnerView> protectedOnes, @Nullable Integer bound, Instant now) {
    var instants = new ArrayList<Instant>();
    protectedOnes.forEach(r -> instants.add(r.idleSince().plus(input.protectionWindow())));
    for (var runner : input.runners()) {
      if (runner.isBusySuspect(now) && runner.busySuspectUntil() != null) {
        instants.add(runner.busySuspectUntil());
      }
      if (runner.removalRetryAt() != null) {
        instants.add(runner.removalRetryAt());
      }
    }
    if (bound != null && input.demand() != null) {
      instants.add(Objects.requireNonNull(input.demand().observedAt()).plus(OBSERVATION_AGE));
    }
    return instants.stream().filter(now::isBefore).min(Comparator.naturalOrder()).orElse(null);
  }

  private static int count(@Nullable Integer value) {
    return value == null ? 0 : value;
  }
}
