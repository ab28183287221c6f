package dev.runnerset.controller.autoscalingrunnerset.registration;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.OpenSessionResult;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.connection.InvalidConnectionException;
import dev.runnerset.controller.autoscalingrunnerset.planning.NameOwnership;
import dev.runnerset.controller.autoscalingrunnerset.planning.RetryWaits;
import dev.runnerset.controller.autoscalingrunnerset.planning.SpecCheck;
import dev.runnerset.controller.autoscalingrunnerset.status.Finding;
import dev.runnerset.controller.autoscalingrunnerset.status.ServiceFindings;
import dev.runnerset.controller.connection.ServiceConnections;
import dev.runnerset.controller.events.Events;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.ScaleSetProvenance.Origin;
import dev.runnerset.crds.condition.EventReason;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the scale set of a runner set that is being deleted, if that set made it, once no runner
 * is registered with it and nobody else holds its session. In any other case, after a while, it
 * leaves the scale set behind with an event (DL3). Thread-safe; one thread per set.
 */
public final class ScaleSetCleanup {
  /** How long it waits for registrations to end or for credentials. */
  public static final Duration PATIENCE = Duration.ofSeconds(60);

  /** A session of our own whose listener died lasts 90 s (protocol 4.7); so no shorter. */
  public static final Duration PATIENCE_WITH_SESSION = Duration.ofSeconds(120);

  private static final Logger LOG = LoggerFactory.getLogger(ScaleSetCleanup.class);

  private final ServiceConnections connections;
  private final Events events;
  private final Clock clock;
  private final Map<String, Tries> triesByUid = new ConcurrentHashMap<>();

  public ScaleSetCleanup(ServiceConnections connections, Events events, Clock clock) {
    this.connections = connections;
    this.events = events;
    this.clock = clock;
  }

  /**
   * What the cleanup waits for, and when to try again.
   *
   * @param failure why the service cannot be asked; null if it can
   */
  public record Pending(String sentence, @Nullable Finding failure, Instant retryAt) {}

  private record Tries(Instant first, int count, Instant notBefore, @Nullable Pending last) {}

  private record Why(String sentence, @Nullable Finding failure) {
    static Why of(Finding failure) {
      return new Why(failure.message(), failure);
    }
  }

  /**
   * One try, unless it is too early for one; blocks for calls of the service.
   *
   * @return empty when nothing is left to do
   */
  public Optional<Pending> attempt(AutoScalingRunnerSet set, Collection<AutoScalingRunnerSet> all) {
    var id = set.statusOrNone().scaleSetId();
    if (id == null) {
      return Optional.empty();
    }
    var sharer = NameOwnership.sharer(set, new ScaleSetId(id), all);
    if (sharer.isPresent()) {
      left(set, new ScaleSetId(id), "the set " + NameOwnership.words(sharer.get()) + " uses it");
      return Optional.empty();
    }
    var origin = set.statusOrNone().scaleSetOrigin();
    if (origin != Origin.CREATED) {
      left(
          set,
          new ScaleSetId(id),
          origin == Origin.ADOPTED
              ? "the set adopted it, and somebody else made it"
              : "nothing tells that the set made it: it was registered before this was written"
                  + " down");
      return Optional.empty();
    }
    var now = clock.instant();
    var uid = set.getMetadata().getUid();
    var tries = triesByUid.computeIfAbsent(uid, u -> new Tries(now, 0, now, null));
    if (now.isBefore(tries.notBefore())) {
      return Optional.ofNullable(tries.last());
    }
    var count = tries.count() + 1;
    var next = now.plus(RetryWaits.SERVICE.after(count));
    var waited = Duration.between(tries.first(), now);
    var pending =
        once(set, new ScaleSetId(id), waited)
            .map(why -> new Pending(why.sentence(), why.failure(), next));
    triesByUid.put(uid, new Tries(tries.first(), count, next, pending.orElse(null)));
    return pending;
  }

  public void forget(String uid) {
    triesByUid.remove(uid);
  }

  private Optional<Why> once(AutoScalingRunnerSet set, ScaleSetId id, Duration waited) {
    boolean patient = waited.compareTo(PATIENCE) < 0;
    try {
      var service = connections.toCleanUp(ScaleSetRegistrar.key(set));
      var there = service.scaleSet(id);
      if (there.isEmpty()) {
        return Optional.empty();
      }
      var statistics = there.get().statistics();
      if (statistics == null || statistics.registered() > 0) {
        var why =
            statistics == null
                ? "the service does not tell how many runners are registered with it"
                : statistics.registered() + " runners are still registered with it";
        return patient
            ? Optional.of(new Why("the scale set is not deleted yet: " + why, null))
            : leave(set, id, why);
      }
      return unlessHeld(service, set, id, waited);
    } catch (InvalidConnectionException e) {
      var why = new Finding(e.reason(), String.valueOf(e.getMessage()));
      return patient ? Optional.of(Why.of(why)) : leave(set, id, why.message());
    } catch (ServiceException e) {
      var why = ServiceFindings.of(e.error(), set);
      return patient || !ServiceFindings.isLockedOut(e.error())
          ? Optional.of(Why.of(why))
          : leave(set, id, why.message());
    }
  }

  /**
   * Deletes the scale set while this process holds its session: then nobody else does. The session
   * goes with the scale set.
   */
  private Optional<Why> unlessHeld(
      ActionsService service, AutoScalingRunnerSet set, ScaleSetId id, Duration waited) {
    var owner =
        "deletion of " + set.getMetadata().getNamespace() + "/" + set.getMetadata().getName();
    return switch (service.openSession(id, owner)) {
      case OpenSessionResult.Opened(var session) -> {
        delete(service, set, id, session::close);
        yield Optional.empty();
      }
      case OpenSessionResult.Unusable(var session, _) -> {
        delete(service, set, id, () -> service.deleteSession(id, session));
        yield Optional.empty();
      }
      case OpenSessionResult.Conflict(var words) -> {
        var why = "a listener still holds its session: " + words;
        yield waited.compareTo(PATIENCE_WITH_SESSION) < 0
            ? Optional.of(new Why("the scale set is not deleted yet: " + why, null))
            : leave(set, id, why);
      }
    };
  }

  /** A session that is left open would be in the way of the next try. */
  private static void delete(
      ActionsService service, AutoScalingRunnerSet set, ScaleSetId id, Runnable endSession) {
    try {
      service.deleteScaleSet(id);
    } catch (ServiceException e) {
      endSession.run();
      throw e;
    }
    LOG.atInfo()
        .addKeyValue("namespace", set.getMetadata().getNamespace())
        .addKeyValue("set", set.getMetadata().getName())
        .addKeyValue("scaleSetId", id)
        .log("deleted the scale set");
  }

  private Optional<Why> leave(AutoScalingRunnerSet set, ScaleSetId id, String why) {
    left(set, id, why);
    return Optional.empty();
  }

  private void left(AutoScalingRunnerSet set, ScaleSetId id, String why) {
    events.warn(
        set,
        EventReason.SCALE_SET_LEFT,
        "The scale set '"
            + SpecCheck.scaleSetName(set)
            + "' ("
            + id
            + ") at "
            + set.getSpec().githubConfigUrl()
            + " was left behind: "
            + why
            + "; delete it there if it is not needed");
  }
}
