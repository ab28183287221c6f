package dev.runnerset.controller.autoscalinglistener;

import dev.runnerset.crds.AutoScalingListenerStatus;
import dev.runnerset.crds.AutoScalingListenerStatusBuilder;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.RunnerSetReason;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.crds.condition.StatusConditions.Value;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which listener processes live, by the leases they renew (SF10). A process that dies leaves its
 * listener objects as they are, {@code Connected=True} too. A lease counts from the moment at which
 * this process saw it renewed, by a clock that nobody sets; so neither the clocks of two machines
 * are compared, nor does a jump of one end a lease. Thread-safe.
 */
public final class HolderLeases {
  /** That the API server refuses to be asked about the listener namespace. */
  private record Refusal(long since, boolean stands, String message) {}

  /**
   * A lease as it stands.
   *
   * @param holder empty if it was given back
   * @param version differs after each renewal
   */
  public record Seen(String lease, String holder, String version, Duration lasts) {}

  /**
   * When a process was last seen to renew a lease.
   *
   * @param lease empty if it never was
   * @param witnessed whether a lease of the process changed before our eyes: a lease that is seen
   *     for the first time may be dead
   */
  private record Renewal(long at, Duration lasts, String lease, boolean witnessed) {
    boolean isOver(long now) {
      return now - at >= lasts.plus(ListenerTimes.SLACK).toNanos();
    }
  }

  private final LongSupplier nanoTime;
  private final Map<String, String> versionByLease = new HashMap<>(); // guarded by this
  private final Map<String, Renewal> renewalByHolder = new HashMap<>(); // guarded by this
  private final Set<String> lost = new TreeSet<>(); // guarded by this
  private boolean judging; // guarded by this
  private boolean followedOnce; // whether the leases were ever followed; guarded by this
  private @Nullable Refusal refusal; // guarded by this
  private @Nullable Long startedAt; // when they were first asked for; guarded by this

  /**
   * Knows of no lease yet.
   *
   * @param nanoTime a clock that no administrator sets, as {@link System#nanoTime}
   */
  public HolderLeases(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** The leases are followed from now on, or no longer: then no holder is judged. */
  synchronized void follow(boolean followed) {
    judging = followed;
    followedOnce |= followed;
    if (startedAt == null) {
      startedAt = nanoTime.getAsLong();
    }
  }

  /**
   * The API server refuses to say how the listener namespace is. Not for a server that does not
   * answer: then the sets say nothing else (SF10).
   *
   * @param message what to do about it, for people
   * @return whether the sets must say so from now on
   */
  synchronized boolean refused(String message) {
    var now = nanoTime.getAsLong();
    long since = refusal == null ? now : refusal.since();
    boolean stood = isRefused();
    refusal = new Refusal(since, now - since >= ListenerTimes.REFUSED_FOR.toNanos(), message);
    return isRefused() != stood;
  }

  /**
   * The API server lets itself be asked.
   *
   * @return whether the sets said until now that it does not
   */
  synchronized boolean answered() {
    boolean stood = isRefused();
    refusal = null;
    return stood;
  }

  private boolean isRefused() {
    return refusal != null && refusal.stands();
  }

  /** Whether a holder can be lost: also in the first seconds, by what an earlier process found. */
  private boolean mayJudge(long now) {
    boolean starts =
        !followedOnce
            && (startedAt == null
                || now - startedAt
                    < ListenerTimes.WITHOUT_LEASE.plus(ListenerTimes.SLACK).toNanos());
    return judging || starts;
  }

  /** A lease is there, as it is now. */
  synchronized void seen(Seen lease) {
    var version = versionByLease.put(lease.lease(), lease.version());
    if (!lease.version().equals(version) && !lease.holder().isEmpty()) {
      var before = renewalByHolder.get(lease.holder());
      boolean witnessed = version != null || (before != null && before.witnessed());
      renewalByHolder.put(
          lease.holder(),
          new Renewal(nanoTime.getAsLong(), lease.lasts(), lease.lease(), witnessed));
    }
  }

  /** The lease that a process held last; empty if none was seen. */
  synchronized String leaseOf(String holder) {
    var renewal = renewalByHolder.get(holder);
    return renewal == null ? "" : renewal.lease();
  }

  /** The processes whose lease is over now, and was not when this was asked before. */
  synchronized Set<String> overdue(Set<String> named) {
    var now = nanoTime.getAsLong();
    renewalByHolder
        .entrySet()
        .removeIf(e -> e.getValue().isOver(now) && !named.contains(e.getKey()));
    named.forEach(h ->
        renewalByHolder.computeIfAbsent(
            h, _ -> new Renewal(now, ListenerTimes.WITHOUT_LEASE, "", false)));
    return named.stream().filter(this::isOverdue).collect(Collectors.toSet());
  }

  /** Whether the process renews no lease, and was not lost before; changes nothing. */
  synchronized boolean isOverdue(String holder) {
    return judging && isOver(holder, nanoTime.getAsLong()) && !lost.contains(holder);
  }

  /** A live read has confirmed that the process renews no lease. */
  synchronized void lost(String holder) {
    if (judging) {
      lost.add(holder);
    }
  }

  /**
   * The processes that were lost and renew a lease again, or that no set names any more, or all if
   * no holder is judged.
   */
  synchronized Set<String> back(Set<String> named) {
    var now = nanoTime.getAsLong();
    var back =
        lost.stream()
            .filter(h -> !mayJudge(now) || !named.contains(h) || renews(h, now))
            .collect(Collectors.toSet());
    lost.removeAll(back);
    return back;
  }

  private boolean isOver(String holder, long now) {
    var renewal = renewalByHolder.get(holder);
    return renewal != null && renewal.isOver(now);
  }

  private boolean renews(String holder, long now) {
    return isWitnessed(holder) && !isOver(holder, now);
  }

  private boolean isWitnessed(String holder) {
    var renewal = renewalByHolder.get(holder);
    return renewal != null && renewal.witnessed();
  }

  /**
   * The status of a listener object, in which {@code Connected} is False if its holder is lost, and
   * Unknown while the listener namespace cannot be read: the object itself cannot say so. What an
   * earlier process of the controller found stands until this one sees the holder renew a lease.
   *
   * @param ofSet the conditions of the set, as they stand
   * @param now when the condition changed, if it does
   */
  public AutoScalingListenerStatus judged(
      AutoScalingListenerStatus status, List<Condition> ofSet, Instant now) {
    var holder = Objects.requireNonNullElse(status.holder(), "");
    if (holder.isEmpty()) {
      return status;
    }
    var standing = standing(ofSet, holder);
    String message;
    synchronized (this) {
      if (refusal != null && refusal.stands()) {
        return with(
            status, Value.UNKNOWN, RunnerSetReason.CLUSTER_FORBIDDEN, refusal.message(), now);
      }
      if (!mayJudge(nanoTime.getAsLong())) {
        return status;
      }
      if (standing.isPresent() && !isWitnessed(holder)) {
        lost.add(holder);
      }
      if (!lost.contains(holder)) {
        return status;
      }
      message = standing.orElseGet(() -> message(holder, leaseOf(holder)));
    }
    return with(status, Value.FALSE, RunnerSetReason.HOLDER_LOST, message, now);
  }

  private static AutoScalingListenerStatus with(
      AutoScalingListenerStatus status,
      Value connected,
      RunnerSetReason reason,
      String message,
      Instant now) {
    return AutoScalingListenerStatusBuilder.builder(status)
        .conditions(
            StatusConditions.with(
                status.conditions(),
                StatusConditions.build(
                    status.conditions(),
                    ConditionType.CONNECTED,
                    connected,
                    reason,
                    message,
                    null,
                    now)))
        .build();
  }

  /** What the set says of that process, if the set says that the process is lost. */
  private static Optional<String> standing(List<Condition> ofSet, String holder) {
    return StatusConditions.find(ofSet, ConditionType.LISTENER_READY, Value.FALSE)
        .filter(c -> StatusConditions.has(c, RunnerSetReason.HOLDER_LOST))
        .map(StatusConditions::message)
        .filter(message -> message.startsWith(subject(holder)));
  }

  private static String subject(String holder) {
    return "the listener process %s holds the session of the set, and ".formatted(holder);
  }

  private static String message(String holder, String lease) {
    return subject(holder)
        + (lease.isEmpty() ? "has no lease" : "no longer renews its lease " + lease)
        + ": it is dead or hangs, and the set receives no jobs. Check the pods of the listener"
        + " and their logs; another process takes over as soon as it runs";
  }
}
