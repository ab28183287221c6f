package dev.runnerset.controller.features.capacity;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.base.ShortText;
import dev.runnerset.controller.features.capacity.Placement.Gate;
import dev.runnerset.controller.features.capacity.Placement.Seats;
import dev.runnerset.controller.features.capacity.PlacementFacts.Runner;
import dev.runnerset.controller.features.capacity.PlacementFacts.Stage;
import dev.runnerset.controller.features.capacity.PlacementSignals.Signal;
import dev.runnerset.controller.scaling.CapacityLimit;
import dev.runnerset.controller.scaling.LimitedBy;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How many runners the nodes have place for, as far as runners show it (DM15). While a signal
 * holds, one runner at a time tries: one that waits, or else one in each window. A container that
 * ran lifts the signal, and then the room doubles as more run.
 */
public final class PlacementPlanner {
  /** The shortest time between two runners that try. */
  public static final Duration LEAST_WINDOW = Duration.ofMinutes(1);

  private static final int LONGEST_MESSAGE = 500;
  private static final int FIRST_ROOM = 2;

  private final PlacementFacts facts;
  private final Instant now;
  private final List<Runner> waiting;

  private PlacementPlanner(PlacementFacts facts) {
    this.facts = facts;
    this.now = facts.now();
    this.waiting = facts.waiting();
  }

  /**
   * The placement at a moment.
   *
   * @param limit empty while nothing shows that runners find no place
   * @param requeue when it may be another one without an event
   */
  public record Plan(Placement next, Optional<CapacityLimit> limit, RequeueTime requeue) {}

  /**
   * Decides.
   *
   * @param before of the last look
   */
  public static Plan plan(Placement before, PlacementFacts facts) {
    return new PlacementPlanner(facts).plan(before);
  }

  private Plan plan(Placement before) {
    var known = before.gate();
    var sameRevision =
        known != null && known.revision().equals(facts.revision()) ? known.notAfter(now) : null;
    var seats = seats(before.seats(), sameRevision);
    var gate = gate(sameRevision, seats);
    var next = new Placement(gate, seats);
    return gate == null
        ? new Plan(next, Optional.empty(), RequeueTime.NEVER)
        : new Plan(next, Optional.of(limit(gate, seats)), requeue(gate, seats));
  }

  private Seats seats(@Nullable Seats before, @Nullable Gate gate) {
    var ran = facts.ran();
    if (before == null) {
      boolean unseen =
          gate != null
              && gate.holds()
              && facts.runners().stream().anyMatch(runner -> ranAfter(runner, gate));
      return new Seats(ran, unseen ? now : Instant.EPOCH, ran.size(), now);
    }
    boolean another = !before.ran().containsAll(ran);
    boolean asMany = ran.size() >= before.most() || !isWithinSettling(before);
    return new Seats(
        ran,
        another ? now : RequeueTime.earlier(before.lastRanAt(), now),
        asMany ? ran.size() : before.most(),
        asMany ? now : before.mostAt());
  }

  /** Whether the place of a runner that ended may still be free for the next one. */
  private boolean isWithinSettling(Seats before) {
    return !now.isBefore(before.mostAt()) && now.isBefore(before.mostAt().plus(OwnWindow.SETTLES));
  }

  private static boolean ranAfter(Runner runner, Gate gate) {
    return runner.stage() instanceof Stage.Ran(@Nullable Instant since)
        && since != null
        && since.isAfter(gate.since());
  }

  private @Nullable Gate gate(@Nullable Gate before, Seats seats) {
    var signal = PlacementSignals.of(facts);
    if (signal.isPresent()) {
      return held(before, signal.get(), seats);
    }
    if (before == null) {
      return null;
    }
    if (before.holds()) {
      return seats.lastRanAt().isAfter(before.since())
          ? risen(before, FIRST_ROOM)
          : before.probed(probedAt(before.probedAt()));
    }
    if (seats.lastRanAt().isAfter(before.risenAt())) {
      return risen(before, before.room() * 2);
    }
    boolean forgotten = waiting.isEmpty() && !now.isBefore(before.risenAt().plus(window(before)));
    return forgotten ? null : before;
  }

  /** Null once there is room for all. */
  private @Nullable Gate risen(Gate before, int room) {
    return room >= facts.maxRunners() ? null : before.risen(room, now);
  }

  private Gate held(@Nullable Gate before, Signal signal, Seats seats) {
    boolean held = before != null && before.holds();
    var at = signal.at() == null ? now : signal.at();
    boolean stands =
        before != null
            && held
            && (!seats.lastRanAt().isAfter(before.since()) || !at.isAfter(before.since()));
    var since = before != null && stands ? before.since() : at;
    return new Gate(
        facts.revision(),
        before != null && held && isSame(before.signal(), signal) ? before.signal() : cut(signal),
        since,
        probedAt(before == null ? Instant.EPOCH : before.probedAt()),
        0,
        since);
  }

  /** Runners that found no place fail in the end: that is no other signal. */
  private static boolean isSame(Signal before, Signal signal) {
    return before.by() == signal.by() || signal.by() == LimitedBy.FAILING;
  }

  private static Signal cut(Signal signal) {
    return new Signal(
        signal.by(), signal.of(), ShortText.of(signal.message(), LONGEST_MESSAGE), signal.at());
  }

  /** The youngest runner that waits began to try when it was made. */
  private Instant probedAt(Instant before) {
    var youngest =
        waiting.stream().map(Runner::created).max(Comparator.naturalOrder()).orElse(before);
    var last = youngest.isAfter(before) ? youngest : before;
    return last.isAfter(now) ? now : last; // the clock of the API server may be ahead
  }

  private Duration window(Gate gate) {
    var deadline =
        gate.signal().by() == LimitedBy.NOT_STARTING
            ? facts.deadlines().startup()
            : facts.deadlines().scheduling();
    return deadline.compareTo(LEAST_WINDOW) < 0 ? LEAST_WINDOW : deadline;
  }

  private CapacityLimit limit(Gate gate, Seats seats) {
    var signal = gate.signal();
    return new CapacityLimit(
        seats.most() + (gate.holds() ? probes(gate) : gate.room()),
        signal.by(),
        signal.of(),
        "%s (%s)"
            .formatted(
                gate.holds()
                    ? "one runner at a time tries, until one has started"
                    : "a runner has started, and the number rises as more do",
                signal.message()));
  }

  /** One runner tries at a time. When runners fail, the backoff says when the next one is made. */
  private int probes(Gate gate) {
    boolean mayTry =
        !waiting.isEmpty()
            || gate.signal().by() == LimitedBy.FAILING
            || !now.isBefore(gate.probedAt().plus(window(gate)));
    return mayTry ? 1 : 0;
  }

  private RequeueTime requeue(Gate gate, Seats seats) {
    var ends = gate.holds() ? gate.probedAt() : gate.risenAt();
    var window = waiting.isEmpty() ? after(ends.plus(window(gate))) : RequeueTime.NEVER;
    return seats.most() > facts.ran().size()
        ? window.or(after(seats.mostAt().plus(OwnWindow.SETTLES)))
        : window;
  }

  private RequeueTime after(Instant at) {
    return at.isAfter(now) ? RequeueTime.at(at) : RequeueTime.NEVER;
  }
}
