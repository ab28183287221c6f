package dev.runnerset.simulator.service;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Removal requests by runner, and the budget of refusals (SD6): at most 2 useless ones per runner
 * in any 10 minutes, and at most 2 per set before its backoff. Guarded by the {@link ServiceState}.
 */
final class Removals {
  static final Duration RUNNER_WINDOW = Duration.ofMinutes(10);

  /** Shorter than the shortest backoff between two passes, 30 s. */
  static final Duration SET_WINDOW = Duration.ofSeconds(25);

  static final int BUDGET = 2;
  private static final int RUNNERS = 50_000;
  private final ViolationLog violations;
  private final Map<String, List<Instant>> requestsByRunner = new LinkedHashMap<>();
  private final Map<Integer, ArrayDeque<Instant>> uselessByRunner = new LinkedHashMap<>();

  Removals(ViolationLog violations) {
    this.violations = violations;
  }

  void requested(String runner, Instant now) {
    requestsByRunner.computeIfAbsent(runner, r -> new ArrayList<>()).add(now);
    if (requestsByRunner.size() > RUNNERS) {
      requestsByRunner.remove(requestsByRunner.keySet().iterator().next());
    }
  }

  void succeeded(ScaleSet set) {
    set.uselessRemovals.clear();
  }

  void useless(Runner runner, Instant now) {
    var own = uselessByRunner.computeIfAbsent(runner.id, r -> new ArrayDeque<>());
    if (within(own, RUNNER_WINDOW, now) > BUDGET) {
      violations.add(
          now,
          Violation.Kind.USELESS_REMOVE,
          runner.name,
          own.size() + " removal requests answered JobStillRunning within 10 min");
    }
    if (within(runner.set.uselessRemovals, SET_WINDOW, now) > BUDGET) {
      violations.add(
          now,
          Violation.Kind.USELESS_REMOVE,
          runner.set.name,
          runner.set.uselessRemovals.size() + " in one pass were answered JobStillRunning");
    }
  }

  void forget(Runner runner) {
    uselessByRunner.remove(runner.id);
  }

  Map<String, List<Instant>> byRunner() {
    var copy = new LinkedHashMap<String, List<Instant>>();
    requestsByRunner.forEach((name, times) -> copy.put(name, List.copyOf(times)));
    return copy;
  }

  private static int within(ArrayDeque<Instant> times, Duration window, Instant now) {
    times.removeIf(at -> !at.isAfter(now.minus(window)));
    times.add(now);
    return times.size();
  }
}
