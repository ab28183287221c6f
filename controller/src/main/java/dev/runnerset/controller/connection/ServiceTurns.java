package dev.runnerset.controller.connection;

import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.actions.http.ProxySetting;
import dev.runnerset.base.Detail;
import dev.runnerset.connection.ConnectionSettings;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Which calls of services are sent (docs/adr/0045). Each namespace has few calls of services that
 * have not answered, or that last longer than {@link #LATE}, and takes none from another.
 * Thread-safe.
 */
public final class ServiceTurns {
  /** Services that do not answer which one namespace asks at once, with one call each. */
  static final int TRIALS = 4;

  /** From when on the call of a service that answers is late. */
  @Detail static final Duration LATE = Duration.ofSeconds(1);

  /** Such calls of one namespace, while which it sends no other. */
  static final int MOST_LATE = 100;

  /** What a call takes at least that fails and so tells that nobody answers. */
  @Detail static final Duration SLOW = Duration.ofSeconds(3);

  private final Clock clock;
  private final Set<Host> answering = ConcurrentHashMap.newKeySet();
  private final Map<String, Namespace> namespaceByName = new ConcurrentHashMap<>();

  public ServiceTurns(Clock clock) {
    this.clock = clock;
  }

  /** What answers or does not: a service as it is reached. */
  record Host(String authority, @Nullable ProxySetting proxy) {
    static Host of(ConnectionSettings settings) {
      return new Host(
          settings.url().uri().getAuthority().toLowerCase(Locale.ROOT), settings.route().proxy());
    }
  }

  /** What becomes of a call now. */
  enum Turn {
    SENT,
    /** It is sent to find out whether the service answers. */
    TRIAL,
    WAITS,
    REFUSED;

    /**
     * Of a call.
     *
     * @param trials services that the namespace asks now whether they answer
     * @param late other calls of the namespace that last long
     */
    static Turn of(Host host, boolean answers, Set<Host> trials, int late) {
      if (answers) {
        return late < MOST_LATE ? SENT : REFUSED;
      }
      return trials.size() < TRIALS && !trials.contains(host) ? TRIAL : WAITS;
    }
  }

  /** The calls of one namespace; its fields are guarded by its lock. */
  private static final class Namespace {
    final ReentrantLock lock = new ReentrantLock();
    final Condition changed = lock.newCondition();
    final Set<Host> trials = new HashSet<>();
    final List<Sent> sent = new LinkedList<>();

    void tried(Host host) {
      lock.lock();
      try {
        trials.remove(host);
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }

    int late(Instant now) {
      return (int) sent.stream().filter(call -> !now.isBefore(call.at.plus(LATE))).count();
    }

    void began(Sent call) {
      lock.lock();
      try {
        sent.add(call);
      } finally {
        lock.unlock();
      }
    }

    void ended(Sent call) {
      lock.lock();
      try {
        sent.remove(call);
      } finally {
        lock.unlock();
      }
    }
  }

  /** A call of a service that answers; told from others by identity. */
  private static final class Sent {
    final Instant at;

    Sent(Instant at) {
      this.at = at;
    }
  }

  /**
   * What the call brings; blocks until it has its turn.
   *
   * @throws ServiceException with {@link ServiceError.NotSent} if it has none in time
   */
  <T extends @Nullable Object> T call(String namespace, Host host, Supplier<T> call) {
    var calls = namespaceByName.computeIfAbsent(namespace, _ -> new Namespace());
    return switch (take(calls, host)) {
      case SENT -> sent(calls, host, call);
      case TRIAL -> trial(calls, host, call);
      case REFUSED -> throw notSent(host, MOST_LATE + " calls of the namespace wait for services");
      case WAITS ->
          throw notSent(
              host, "of services that do not answer, a namespace asks " + TRIALS + " at once");
    };
  }

  /** Forgets of all but those whether they answer. */
  void keepOnly(Set<Host> hosts) {
    answering.retainAll(hosts);
  }

  boolean answers(Host host) {
    return answering.contains(host);
  }

  /** The turn of a call, for which it waits. */
  private Turn take(Namespace calls, Host host) {
    calls.lock.lock();
    try {
      for (long left = ConnectionTimes.TURN.toNanos(); ; left = calls.changed.awaitNanos(left)) {
        var turn =
            Turn.of(host, answering.contains(host), calls.trials, calls.late(clock.instant()));
        if (turn == Turn.TRIAL) {
          calls.trials.add(host);
        }
        if (turn != Turn.WAITS || left <= 0) {
          return turn;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServiceException(new ServiceError.Cancelled(details(host, "interrupted")));
    } finally {
      calls.lock.unlock();
    }
  }

  private <T extends @Nullable Object> T trial(Namespace calls, Host host, Supplier<T> call) {
    try {
      return noted(host, call);
    } finally {
      calls.tried(host);
    }
  }

  private <T extends @Nullable Object> T sent(Namespace calls, Host host, Supplier<T> call) {
    var late = new Sent(clock.instant());
    calls.began(late);
    try {
      return noted(host, call);
    } finally {
      calls.ended(late);
    }
  }

  /** Notes whether the service answers. What fails at once holds nobody. */
  private <T extends @Nullable Object> T noted(Host host, Supplier<T> call) {
    var begin = clock.instant();
    try {
      var result = call.get();
      answering.add(host);
      return result;
    } catch (ServiceException e) {
      boolean slow = Duration.between(begin, clock.instant()).compareTo(SLOW) >= 0;
      switch (e.error()) {
        case ServiceError.Unavailable _ when slow -> answering.remove(host);
        case ServiceError.NotSent _, ServiceError.Cancelled _ -> {}
        default -> answering.add(host);
      }
      throw e;
    }
  }

  private static ServiceException notSent(Host host, String why) {
    return new ServiceException(
        new ServiceError.NotSent(
            details(host, "not sent: " + why + "; it is tried again"), ConnectionTimes.TURN));
  }

  private static ServiceError.Details details(Host host, String message) {
    return new ServiceError.Details("a call of " + host.authority(), 0, "", message, "", "");
  }
}
