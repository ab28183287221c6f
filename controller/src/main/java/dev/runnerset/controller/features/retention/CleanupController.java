package dev.runnerset.controller.features.retention;

import dev.runnerset.base.Backoff;
import dev.runnerset.base.Detail;
import dev.runnerset.base.metrics.Meters;
import dev.runnerset.controller.caches.RunnerCache;
import dev.runnerset.controller.ephemeralrunner.outcome.RunnerOutcome;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.metrics.DeletedFor;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.ownership.LogLines;
import dev.runnerset.controller.ownership.Ownership;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.controller.passes.FailedPasses;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.condition.EventReason;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Preconditions;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A controller that deletes finished runners (RT6 to RT9), apart from the reconcilers and from the
 * other cleanup controller. Each second it chooses among the cached runners, and deletes the first
 * one; it chooses again after each deletion, and deletes at most 20 a second, to spare the API
 * server. A deleted runner must not have changed since it was chosen. What fails for one runner
 * holds up no other, and is tried again.
 */
public final class CleanupController {
  /** Between the end of a round and the next one. */
  public static final Duration PERIOD = Duration.ofSeconds(1);

  /** The wait after a deletion that found a changed runner: the cache is behind. */
  @Detail private static final Duration AFTER_CHANGE = Duration.ofSeconds(1);

  /** The wait after a refusal: somebody must change what refuses, such as an admission webhook. */
  @Detail private static final Duration AFTER_REFUSAL = Duration.ofMinutes(1);

  /** A lost event must not exclude a runner that was deleted from counting for ever. */
  @Detail private static final Duration LATEST_EVENT = Duration.ofMinutes(1);

  /** The wait after a round that failed. */
  @Detail
  private static final Backoff AFTER_FAILURE =
      Backoff.of(Duration.ofSeconds(1), Duration.ofMinutes(1));

  private static final Logger LOG = LoggerFactory.getLogger(CleanupController.class);

  /**
   * Runners and sets as the caches show them.
   *
   * @param sets all sets
   * @param set the set of that name
   * @param anothers whether the set of that name belongs to another controller
   */
  public record Cached(
      RunnerCache runners,
      Supplier<List<AutoScalingRunnerSet>> sets,
      Function<SetKey, Optional<AutoScalingRunnerSet>> set,
      Predicate<SetKey> anothers) {
    /** Whether this controller may delete runners of the set. */
    boolean isCleanedUp(AutoScalingRunnerSet set) {
      return !set.isMarkedForDeletion() && !anothers.test(SetKey.of(set));
    }
  }

  /**
   * How deletions are asked for and reported.
   *
   * @param pause waits between two deletions, 50 ms; shorter in tests
   */
  public record Ports(KubeApi kube, Events events, Meters meters, Clock clock, Runnable pause) {}

  /**
   * A runner to delete.
   *
   * @param set null for a runner without a set
   */
  record Chosen(EphemeralRunner runner, @Nullable AutoScalingRunnerSet set) {
    String uid() {
      return runner.getMetadata().getUid();
    }
  }

  /** The last attempt to delete a runner; it stands for a while. */
  private record Attempt(Answer answer, Instant at, Duration stands) {
    /** The clock may have been set back meanwhile. */
    boolean stands(Instant now) {
      return Duration.between(at, now).abs().compareTo(stands) < 0;
    }
  }

  private enum Answer {
    DELETED,
    CHANGED,
    REFUSED
  }

  private final DeletedFor reason;
  private final Cached cached;
  private final Ports ports;
  private final FailedPasses failures = new FailedPasses();
  private final Map<String, Attempt> attemptByUid = new HashMap<>(); // used by one thread
  private int failedInARow; // used by one thread
  private Instant notBefore = Instant.MIN; // used by one thread

  /**
   * The controller; {@link #round} is to be called while this process leads.
   *
   * @param reason with {@code TTL} it deletes the runners whose time is over (RT6, RT7), with
   *     {@code LIMIT} the oldest runners of a set beyond its limits (RT8, RT9)
   */
  public CleanupController(DeletedFor reason, Cached cached, Ports ports) {
    this.reason = reason;
    this.cached = cached;
    this.ports = ports;
  }

  /**
   * The runners to delete, in their order.
   *
   * @param deleted uids of runners that are deleted and may still be in the cache: they do not
   *     count
   */
  private Stream<Chosen> choose(Instant now, Set<String> deleted) {
    return switch (reason) {
      case TTL ->
          cached
              .runners()
              .all()
              .filter(runner -> TtlPolicy.isOver(runner, now))
              .map(runner -> new Chosen(runner, setOf(runner)))
              // the deletion of a set deletes its runners in its own order
              .filter(one -> one.set() == null || cached.isCleanedUp(one.set()));
      case LIMIT ->
          cached.sets().get().stream()
              .filter(cached::isCleanedUp)
              .flatMap(set -> surplus(set, deleted));
    };
  }

  /** The set that owns the runner; not by label, which anybody can write. */
  private @Nullable AutoScalingRunnerSet setOf(EphemeralRunner runner) {
    return Ownership.setName(runner)
        .flatMap(name -> cached.set().apply(new SetKey(runner.getMetadata().getNamespace(), name)))
        .filter(set -> Ownership.isOf(runner, set, null))
        .orElse(null);
  }

  /** Runners are listed by label, as children are (RT9); a label alone proves no ownership. */
  private Stream<Chosen> surplus(AutoScalingRunnerSet set, Set<String> deleted) {
    var runners =
        cached
            .runners()
            .labelled(SetKey.of(set))
            .filter(runner -> Ownership.isOf(runner, set, null))
            .toList();
    return LimitPolicy.surplus(runners, set.getSpec().retention(), deleted).stream()
        .map(runner -> new Chosen(runner, set));
  }

  /**
   * Deletes until no runner is chosen, or the thread is interrupted. Blocks for the requests and
   * the pauses; call it from one thread at a time.
   */
  public void round() {
    if (ports.clock().instant().isBefore(notBefore)) {
      return;
    }
    try {
      while (!Thread.currentThread().isInterrupted() && deleteNext()) {
        ports.pause().run();
      }
      failedInARow = 0;
    } catch (RuntimeException e) {
      notBefore = ports.clock().instant().plus(AFTER_FAILURE.after(++failedInARow));
      throw e;
    }
  }

  private boolean deleteNext() {
    var now = ports.clock().instant();
    attemptByUid.values().removeIf(attempt -> !attempt.stands(now));
    var deleted =
        attemptByUid.entrySet().stream()
            .filter(entry -> entry.getValue().answer() == Answer.DELETED)
            .map(Map.Entry::getKey)
            .collect(Collectors.toSet());
    var next = choose(now, deleted).filter(one -> !attemptByUid.containsKey(one.uid())).findFirst();
    next.ifPresent(one -> {
      var about = one.set() == null ? one.runner() : one.set();
      var answer = failures.run(about, ports.events(), () -> delete(one));
      attemptByUid.put(one.uid(), new Attempt(answer, now, standsFor(answer)));
    });
    return next.isPresent();
  }

  private static Duration standsFor(Answer answer) {
    return switch (answer) {
      case DELETED -> LATEST_EVENT;
      case CHANGED -> AFTER_CHANGE;
      case REFUSED -> AFTER_REFUSAL;
    };
  }

  /**
   * Deletes the runner unless it has changed, or is another one of the same name.
   *
   * @throws KubernetesClientException if the server gave no answer, or is too busy for one
   */
  private Answer delete(Chosen one) {
    var runner = one.runner();
    var outcome = RunnerOutcome.of(runner).orElseThrow(); // none is chosen without
    try {
      if (!ports.kube().delete(Resource.of(runner), Preconditions.unchanged(runner))) {
        return Answer.CHANGED;
      }
    } catch (KubernetesClientException e) {
      if (isOfTheServer(e)) {
        throw e;
      }
      reportRefused(one, outcome, e);
      return Answer.REFUSED;
    }
    reportDeleted(one, outcome);
    return Answer.DELETED;
  }

  /** Whether the failure is not about this runner: the deletion of any other would fail, too. */
  private static boolean isOfTheServer(KubernetesClientException e) {
    return e.getCode() == 0 || e.getCode() == 429 || e.getCode() == 503;
  }

  private void reportRefused(Chosen one, RunnerOutcome outcome, KubernetesClientException why) {
    var meta = one.runner().getMetadata();
    count(Meter.FINISHED_RUNNERS_REFUSED, one.runner(), outcome);
    LogLines.about(one.runner(), LOG.atWarn())
        .addKeyValue("reason", reason.word())
        .addKeyValue("error", why.getMessage())
        .log("the API server refuses to delete a finished runner");
    ports
        .events()
        .warn(
            one.set() == null ? one.runner() : one.set(),
            EventReason.RETENTION_FAILED,
            "the API server refuses to delete the finished runner "
                + meta.getName()
                + "; the controller tries again every minute; "
                + why.getMessage());
  }

  private void reportDeleted(Chosen one, RunnerOutcome outcome) {
    var meta = one.runner().getMetadata();
    count(Meter.FINISHED_RUNNERS_DELETED, one.runner(), outcome);
    LogLines.about(one.runner(), LOG.atInfo())
        .addKeyValue("reason", reason.word())
        .addKeyValue("outcome", outcome.word())
        .log("deleted a finished runner");
    if (one.set() != null) {
      var why =
          switch (reason) {
            case TTL -> "its time was over";
            case LIMIT -> "the set keeps fewer runners";
          };
      ports
          .events()
          .note(
              one.set(),
              EventReason.RUNNER_RETENTION_EXPIRED,
              "deleted finished runners; the last was %s (%s): %s"
                  .formatted(meta.getName(), outcome.word(), why));
    }
  }

  /** Counts under the name of the set; empty for a runner without a set, whatever its label. */
  private void count(Meter what, EphemeralRunner runner, RunnerOutcome outcome) {
    ports
        .meters()
        .of(runner.getMetadata().getNamespace(), Ownership.setName(runner).orElse(""))
        .count(what, reason.word(), outcome.word());
  }
}
