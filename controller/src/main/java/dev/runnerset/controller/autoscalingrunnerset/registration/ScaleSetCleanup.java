package dev.runnerset.controller.autoscalingrunnerset.registration;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.NewScaleSet;
import dev.runnerset.actions.OpenSessionResult;
import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.ScaleSet;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.connection.InvalidConnectionException;
import dev.runnerset.controller.autoscalingrunnerset.planning.ChildNames;
import dev.runnerset.controller.autoscalingrunnerset.planning.DeletionTimes;
import dev.runnerset.controller.autoscalingrunnerset.planning.NameOwnership;
import dev.runnerset.controller.autoscalingrunnerset.planning.RetryWaits;
import dev.runnerset.controller.autoscalingrunnerset.planning.SpecCheck;
import dev.runnerset.controller.autoscalingrunnerset.status.Finding;
import dev.runnerset.controller.connection.ServiceCalls;
import dev.runnerset.controller.connection.ServiceConnections;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.memory.Slots.Slot;
import dev.runnerset.controller.ownership.LogLines;
import dev.runnerset.controller.removal.ForcedDeletion;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.ScaleSetProvenance.Intent;
import dev.runnerset.crds.ScaleSetProvenance.Origin;
import dev.runnerset.crds.condition.EventReason;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the scale set of a runner set that is being deleted, if that set made it, once no runner
 * is registered with it and nobody else holds its session. In any other case, after a while, it
 * leaves the scale set behind with an event (DL3). Thread-safe; one thread per set.
 *
 * @param listenerNamespace where listener objects are
 */
public record ScaleSetCleanup(
    ServiceConnections connections,
    ServiceCalls calls,
    Events events,
    Clock clock,
    String listenerNamespace,
    Memories memories) {
  private static final Logger LOG = LoggerFactory.getLogger(ScaleSetCleanup.class);

  private static final Slot<Tries> TRIES = new Slot<>();

  /** A scale set without an id in the status: proved once, since our own session speaks against. */
  private static final Slot<ScaleSetId> PROVED = new Slot<>();

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
   * One try, unless it is too early for one. Its calls run beside the pass, and wake the set.
   *
   * @return empty when nothing is left to do
   */
  public Optional<Pending> attempt(AutoScalingRunnerSet set, Collection<AutoScalingRunnerSet> all) {
    var written = set.statusOrNone().scaleSetId();
    if (written == null && set.statusOrNone().scaleSetIntent() == null) {
      return Optional.empty();
    }
    var known = written == null ? null : new ScaleSetId(written);
    var kept = known == null ? Optional.<String>empty() : kept(set, known, all);
    if (kept.isPresent()) {
      left(set, known, kept.get());
      return Optional.empty();
    }
    var now = clock.instant();
    var memory = memories.of(set);
    var tries = memory.begin(TRIES, () -> new Tries(now, 0, now, null));
    if (now.isBefore(tries.notBefore())) {
      return Optional.ofNullable(tries.last());
    }
    var waited = Duration.between(tries.first(), now);
    var proved = memory.find(PROVED);
    var answer =
        calls.askOnce(set, ScaleSetCleanup.class, () -> once(set, known, proved, all, waited));
    if (answer.isEmpty()) {
      var asked = tries.last() == null ? "deleting the scale set" : tries.last().sentence();
      var failure = tries.last() == null ? null : tries.last().failure();
      return Optional.of(new Pending(asked, failure, now.plus(RetryWaits.SERVICE.longest())));
    }
    var count = tries.count() + 1;
    var next = now.plus(RetryWaits.SERVICE.after(count));
    var pending = answer.get().map(why -> new Pending(why.sentence(), why.failure(), next));
    memory.put(TRIES, new Tries(tries.first(), count, next, pending.orElse(null)));
    return pending;
  }

  /** Why the scale set that the status names must stay. */
  private static Optional<String> kept(
      AutoScalingRunnerSet set, ScaleSetId id, Collection<AutoScalingRunnerSet> all) {
    var origin = set.statusOrNone().scaleSetOrigin();
    return shared(set, id, all)
        .or(() ->
            origin == Origin.CREATED
                ? Optional.empty()
                : Optional.of(
                    origin == Origin.ADOPTED
                        ? "the set adopted it, and somebody else created it"
                        : "nothing shows that the set created it: it was registered before this"
                            + " was recorded"));
  }

  private static Optional<String> shared(
      AutoScalingRunnerSet set, ScaleSetId id, Collection<AutoScalingRunnerSet> all) {
    return NameOwnership.sharer(set, id, all)
        .map(other -> "the set " + NameOwnership.words(other) + " uses it");
  }

  /**
   * One look at the service.
   *
   * @param known null if only an intent tells of a scale set
   * @param proved what that intent was proved to be about; null if it was not
   */
  private Optional<Why> once(
      AutoScalingRunnerSet set,
      @Nullable ScaleSetId known,
      @Nullable ScaleSetId proved,
      Collection<AutoScalingRunnerSet> all,
      Duration waited) {
    boolean forced = ForcedDeletion.isOf(set);
    boolean patient = !forced && waited.compareTo(DeletionTimes.REGISTRATIONS_AWAITED) < 0;
    AccessProblem problem;
    try {
      var service = connections.toCleanUp(ScaleSetRegistrar.key(set));
      var id = proved == null ? known : proved;
      var there = id == null ? Optional.<ScaleSet>empty() : service.scaleSet(id);
      // INVARIANT: an id proves nothing: a restored server gives it again
      var ours = there.filter(found -> proved != null || ScaleSetProof.isStillThatOf(set, found));
      if (ours.isPresent()) {
        return unlessUsed(service, set, ours.get(), waited);
      }
      there.ifPresent(found -> notOurs(set, found));
      var intent = set.statusOrNone().scaleSetIntent();
      return intent == null ? Optional.empty() : announced(service, set, intent, all, waited);
    } catch (InvalidConnectionException e) {
      problem = AccessProblem.of(e);
    } catch (ServiceException e) {
      problem = AccessProblem.of(e, set);
    }
    var why = problem.finding();
    var id = proved == null ? known : proved;
    return patient || (!forced && id != null && !problem.lockedOut())
        ? Optional.of(Why.of(why))
        : leave(set, id, why.message());
  }

  /**
   * Looks for the scale set that was about to be made when nothing more was written: the answer was
   * lost, or the process died (NM5).
   */
  private Optional<Why> announced(
      ActionsService service,
      AutoScalingRunnerSet set,
      Intent intent,
      Collection<AutoScalingRunnerSet> all,
      Duration waited) {
    var group = new RunnerGroupId(intent.runnerGroupId());
    var wanted = new NewScaleSet(intent.name(), group, SpecCheck.labels(set));
    var there = service.findScaleSet(group, intent.name());
    if (there.isEmpty()) {
      return ScaleSetProof.mayComeTrue(intent, wanted, clock.instant())
              && waited.compareTo(DeletionTimes.REGISTRATIONS_AWAITED) < 0
          ? Optional.of(
              new Why(
                  "the scale set '%s' may still be made: the request for it had no answer"
                      .formatted(intent.name()),
                  null))
          : Optional.empty();
    }
    var found = there.get();
    var shared = shared(set, found.id(), all);
    if (shared.isPresent()) {
      return leave(set, found.id(), shared.get());
    }
    if (!ScaleSetProof.isMadeBy(intent, wanted, found)) {
      return leave(
          set,
          found.id(),
          "the set asked for a scale set of that name and got no answer, and nothing proves that"
              + " this is the one");
    }
    memories.of(set).put(PROVED, found.id());
    return unlessUsed(service, set, found, waited);
  }

  private Optional<Why> unlessUsed(
      ActionsService service, AutoScalingRunnerSet set, ScaleSet there, Duration waited) {
    var statistics = there.statistics();
    if (statistics == null || statistics.registered() > 0) {
      var why =
          statistics == null
              ? "the service does not report how many runners are registered with it"
              : statistics.registered() + " runners are still registered with it";
      return waited.compareTo(DeletionTimes.REGISTRATIONS_AWAITED) < 0
          ? Optional.of(new Why("the scale set is not deleted yet: " + why, null))
          : leave(set, there.id(), why);
    }
    return unlessHeld(service, set, there.id(), waited);
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
        yield waited.compareTo(DeletionTimes.SESSION_AWAITED) < 0
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
    LogLines.about(set, LOG.atInfo()).addKeyValue("scaleSetId", id).log("deleted the scale set");
  }

  private void notOurs(AutoScalingRunnerSet set, ScaleSet found) {
    report(
        set,
        found.id(),
        found.name(),
        "Nothing is deleted at %s: %s"
            .formatted(set.getSpec().githubConfigUrl(), ScaleSetProof.anothers(found)));
  }

  private Optional<Why> leave(AutoScalingRunnerSet set, @Nullable ScaleSetId id, String why) {
    left(set, id, why);
    return Optional.empty();
  }

  private void left(AutoScalingRunnerSet set, @Nullable ScaleSetId id, String why) {
    var intent = set.statusOrNone().scaleSetIntent();
    var name = intent == null ? SpecCheck.scaleSetName(set) : intent.name();
    report(
        set,
        id,
        name,
        (id == null
                ? "A scale set '%s' at %s may have been left behind: %s; delete it there if it is not needed"
                : "The scale set '%s' (%4$s) at %s was left behind: %s; delete it there if it is not needed")
            .formatted(name, set.getSpec().githubConfigUrl(), why, id));
  }

  /**
   * An event of the set goes with its namespace, or cannot be made there any more; so there is one
   * of the listener object too, in the namespace of the listener, and a line in the log.
   */
  private void report(
      AutoScalingRunnerSet set, @Nullable ScaleSetId id, String name, String message) {
    events.warn(set, EventReason.SCALE_SET_LEFT, message);
    var meta = set.getMetadata();
    var listener = new AutoScalingListener();
    listener.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace(listenerNamespace)
            .withName(ChildNames.listener(meta.getNamespace(), meta.getName()))
            .withUid(meta.getUid())
            .build());
    events.warn(
        listener,
        EventReason.SCALE_SET_LEFT,
        message + " (of the set %s)".formatted(NameOwnership.words(set)));
    LogLines.about(set, LOG.atWarn())
        .addKeyValue("scaleSetId", id == null ? "" : id)
        .addKeyValue("name", name)
        .addKeyValue("why", message)
        .log("left a scale set at the service");
  }
}
