package dev.runnerset.simulator.service;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/** The faults that are on; every choice follows from the seed. Thread-safe. */
final class Faults {
  private final long seed;
  private final SplittableRandom random; // guarded by this
  private FaultPlan plan = FaultPlan.NONE; // guarded by this
  private List<HttpFault> left = List.of(); // guarded by this
  private double tokens; // guarded by this
  private Instant filledAt = Instant.EPOCH; // guarded by this
  private CompletableFuture<Void> next = new CompletableFuture<>(); // guarded by this

  Faults(long seed) {
    this.seed = seed;
    random = new SplittableRandom(seed);
  }

  synchronized void set(FaultPlan value) {
    plan = value;
    left = value.http();
    filledAt = Instant.EPOCH;
    next.complete(null);
    next = new CompletableFuture<>();
  }

  /** Completes when another plan comes. */
  synchronized CompletableFuture<Void> next() {
    return next;
  }

  synchronized FaultPlan plan() {
    return plan;
  }

  /** The fault that hits this request, if any; it is used up. */
  synchronized Optional<HttpFault> hit(Endpoint endpoint, Instant now) {
    if (endpoint == Endpoint.GENERATE_JIT_CONFIG && isBeyondRate(now)) {
      var fault = HttpFault.answer(endpoint.label(), 429, 1);
      int wait = plan.jitRetryAfter();
      return Optional.of(wait == 0 ? fault : fault.withRetryAfter(Duration.ofSeconds(wait)));
    }
    for (int i = 0; i < left.size(); i++) {
      var fault = left.get(i);
      var meant = fault.endpoint().equals("*") || fault.endpoint().equals(endpoint.label());
      if (meant && fault.times() != 0 && chance(fault.share())) {
        var next = new ArrayList<>(left);
        next.set(i, fault.once());
        left = List.copyOf(next);
        return Optional.of(fault);
      }
    }
    return Optional.empty();
  }

  /** A token bucket that holds what may be given out in a second; full when the plan comes. */
  private boolean isBeyondRate(Instant now) {
    int perSecond = plan.jitConfigsPerSecond();
    if (perSecond == 0) {
      return false;
    }
    double more = Duration.between(filledAt, now).toNanos() / 1e9 * perSecond;
    tokens = Math.min(perSecond, tokens + Math.max(0, more));
    filledAt = now;
    if (tokens < 1) {
      return true;
    }
    tokens--;
    return false;
  }

  synchronized boolean drops(String messageType) {
    return chance(plan.dropped().getOrDefault(messageType, 0.0));
  }

  synchronized boolean duplicates() {
    return chance(plan.duplicated());
  }

  /** One of so many, by chance. */
  synchronized int oneOf(int choices) {
    return random.nextInt(choices);
  }

  /** Whether one of so many answers is hit. */
  synchronized boolean hits(double share) {
    return chance(share);
  }

  /** Whether the message of that id is one of so many; the same whenever it is asked. */
  boolean hits(double share, long messageId) {
    return share > 0 && new SplittableRandom(seed + messageId).nextDouble() < share;
  }

  private boolean chance(double share) {
    return share >= 1 || (share > 0 && random.nextDouble() < share);
  }
}
