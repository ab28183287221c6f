package dev.runnerset.controller.autoscalingrunnerset.registration;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.ScaleSet;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.base.Backoff;
import dev.runnerset.base.RequeueTime;
import dev.runnerset.connection.ConnectionKey;
import dev.runnerset.connection.InvalidConnectionException;
import dev.runnerset.connection.ScaleSetIdentities;
import dev.runnerset.controller.autoscalingrunnerset.planning.RetryWaits;
import dev.runnerset.controller.autoscalingrunnerset.planning.SpecCheck;
import dev.runnerset.controller.autoscalingrunnerset.registration.RegistrationMemory.Wanted;
import dev.runnerset.controller.autoscalingrunnerset.status.Finding;
import dev.runnerset.controller.autoscalingrunnerset.status.Registration;
import dev.runnerset.controller.autoscalingrunnerset.status.ServiceFindings;
import dev.runnerset.controller.connection.ServiceCalls;
import dev.runnerset.controller.connection.ServiceConnections;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.memory.Slots.Slot;
import dev.runnerset.controller.ownership.LogLines;
import dev.runnerset.controller.timing.Times;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.condition.RunnerSetReason;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Registers each runner set: it has its scale set at the service, and nobody else has that. */
public final class ScaleSetRegistrar {
  private static final Logger LOG = LoggerFactory.getLogger(ScaleSetRegistrar.class);
  private static final Slot<ServiceError> REPORTED_REFUSAL = new Slot<>();
  private static final Slot<Begun> BEGUN = new Slot<>();

  private final ServiceConnections connections;
  private final ServiceCalls calls;
  private final Events events;
  private final Clock clock;
  private final RegistrationMemory memory;
  private final ScaleSetClaims claims;
  private final ScaleSetSource source;
  private final Memories memories;

  /** An attempt that has not ended. */
  private record Begun(Wanted wanted, Instant at) {}

  public ScaleSetRegistrar(
      ServiceConnections connections,
      ServiceCalls calls,
      Events events,
      Memories memories,
      Clock clock) {
    this.memory = new RegistrationMemory(memories);
    this.claims = new ScaleSetClaims(memories);
    this.memories = memories;
    this.connections = connections;
    this.calls = calls;
    this.events = events;
    this.clock = clock;
    this.source = new ScaleSetSource(calls, events, claims, memories, clock);
  }

  /** The set no longer exists: others may have its scale set. */
  public void release(String uid) {
    claims.release(uid);
  }

  public static ConnectionKey key(AutoScalingRunnerSet set) {
    var spec = set.getSpec();
    return new ConnectionKey(
        set.getMetadata().getNamespace(),
        spec.githubConfigUrl(),
        spec.githubConfigSecret().name(),
        spec.proxy(),
        spec.githubServerTLS());
  }

  /**
   * The listener opened its session then: before that, it knew the scale set again. A time that has
   * not come is of a clock that was put back since, or goes ahead, and proves nothing.
   *
   * @param connectedSince null while it has none, or does not look
   */
  public void heard(AutoScalingRunnerSet set, @Nullable Instant connectedSince) {
    var known = set.statusOrNone().scaleSetId();
    if (known != null && connectedSince != null && !connectedSince.isAfter(clock.instant())) {
      connections.proved(key(set), new ScaleSetId(known), connectedSince);
    }
  }

  /**
   * The registration: the last one if it still holds, else the result of calls of the service. They
   * run beside the pass, and each answer wakes the set: until the last one the former result
   * stands, or the set is {@link Registration.Asking}.
   *
   * @param all the sets of this cluster
   * @param disconnectedSince since when the listener has no connection; null while it has one
   * @param before is called before calls of the service
   */
  public Registration ensure(
      AutoScalingRunnerSet set,
      Collection<AutoScalingRunnerSet> all,
      @Nullable Instant disconnectedSince,
      BeforeCalls before) {
    var known = set.statusOrNone().scaleSetId();
    var id = known == null ? null : new ScaleSetId(known);
    if (id != null && disconnectedSince != null) {
      connections.doubted(key(set), id, RequeueTime.earlier(disconnectedSince, clock.instant()));
    }
    boolean doubted = id != null && connections.isDoubted(key(set), id);
    var standing =
        memory.standing(
            set.getMetadata().getUid(), wanted(set), disconnectedSince, doubted, clock.instant());
    if (standing.isPresent()) {
      ended(set);
    }
    var result = standing.orElseGet(() -> attempt(set, all, before));
    var refusal =
        result instanceof Registration.Registered registered
            ? connections.refusal(key(set), registered.id())
            : null;
    return refusal == null ? result : refused(set, refusal);
  }

  private Wanted wanted(AutoScalingRunnerSet set) {
    return Wanted.of(set, connections.version(key(set)));
  }

  /** The scale set exists, but runners can neither be registered with it nor removed. */
  private Registration refused(AutoScalingRunnerSet set, ServiceError refusal) {
    var words = ServiceFindings.of(refusal, set);
    var finding =
        new Finding(
            words.reason(),
            words.message()
                + "; the registration of a runner is tried again within "
                + Times.LONGEST_REGISTRATION_RETRY.toSeconds()
                + " s");
    if (memories.of(set).put(REPORTED_REFUSAL, refusal) != refusal) {
      events.warn(set, finding.reason(), finding.message());
    }
    return new Registration.Failed(finding, clock.instant().plus(RetryWaits.CLUSTER.longest()));
  }

  /**
   * What one attempt came to.
   *
   * @param registered null if it failed
   * @param problem why it failed; null if it did not
   */
  private record Attempt(
      Wanted wanted,
      Registration.@Nullable Registered registered,
      @Nullable AccessProblem problem,
      Backoff backoff) {
    static Attempt failed(Wanted wanted, Finding why, Backoff backoff) {
      return new Attempt(wanted, null, new AccessProblem(why, false, null), backoff);
    }
  }

  private Registration attempt(
      AutoScalingRunnerSet set, Collection<AutoScalingRunnerSet> all, BeforeCalls before) {
    boolean over = true;
    boolean registered = false;
    try {
      var attempt =
          SpecCheck.name(set)
              .or(() -> claims.claim(set, all))
              .map(taken -> Optional.of(Attempt.failed(wanted(set), taken, RetryWaits.CLUSTER)))
              .orElseGet(() -> attemptOfClaimed(set, all, before));
      over = attempt.isPresent();
      registered = attempt.filter(it -> it.registered() != null).isPresent();
      return attempt.map(it -> result(set, it)).orElseGet(() -> meanwhile(set));
    } finally {
      if (over) {
        ended(set);
      }
      if (over && !registered) {
        claims.failed(set);
      }
    }
  }

  /** The next attempt asks everything anew. */
  private void ended(AutoScalingRunnerSet set) {
    if (memories.of(set).clear(BEGUN) != null) {
      calls.forget(set);
    }
  }

  /** What stands while the service is asked: the last result, if it was for the same. */
  private Registration meanwhile(AutoScalingRunnerSet set) {
    return switch (memory.last(set.getMetadata().getUid(), wanted(set))) {
      case Registration.Registered registered -> registered;
      case Registration.Failed(var finding, _) ->
          new Registration.Failed(finding, clock.instant().plus(RetryWaits.CLUSTER.longest()));
      case Registration.Asking _ -> asking(set);
      case null -> asking(set);
    };
  }

  private Registration result(AutoScalingRunnerSet set, Attempt attempt) {
    var uid = set.getMetadata().getUid();
    var registered = attempt.registered();
    if (registered != null) {
      if (registered.labels() != null) {
        events.warn(set, registered.labels().reason(), registered.labels().message());
      }
      claims.registered(set, registered.id());
      return memory.registered(uid, attempt.wanted(), registered, clock.instant());
    }
    var problem = Objects.requireNonNull(attempt.problem());
    var lastReason = memory.lastReason(uid);
    var failed = memory.failed(uid, attempt.wanted(), problem, attempt.backoff(), clock.instant());
    var reason = failed.finding().reason();
    if (!reason.word().equals(lastReason)) {
      events.warn(set, reason, failed.finding().message());
      LogLines.about(set, LOG.atWarn())
          .addKeyValue("reason", reason.word())
          .addKeyValue("why", failed.finding().message())
          .log("the set has no scale set");
    }
    return failed;
  }

  /** Empty while the service is asked. */
  private Optional<Attempt> attemptOfClaimed(
      AutoScalingRunnerSet set, Collection<AutoScalingRunnerSet> all, BeforeCalls before) {
    ActionsService service;
    try {
      service = connections.to(key(set));
    } catch (InvalidConnectionException e) {
      return Optional.of(new Attempt(wanted(set), null, AccessProblem.of(e), RetryWaits.CLUSTER));
    }
    var wanted = wanted(set); // that of the credentials that were just read
    try {
      var begun = begun(set, wanted, before);
      return group(service, set)
          .flatMap(group ->
              group.isEmpty()
                  ? Optional.of(Attempt.failed(wanted, noGroup(set), RetryWaits.SERVICE))
                  : source
                      .obtain(service, set, group.get(), before)
                      .map(result -> attempt(set, all, wanted, group.get(), result, begun)));
    } catch (ServiceException e) {
      return Optional.of(new Attempt(wanted, null, AccessProblem.of(e, set), RetryWaits.SERVICE));
    }
  }

  /** When the attempt began, which it does now unless it is under way. */
  private Instant begun(AutoScalingRunnerSet set, Wanted wanted, BeforeCalls before) {
    var last = memories.of(set).find(BEGUN);
    if (last != null && last.wanted().equals(wanted)) {
      return last.at();
    }
    ended(set); // what was asked with other credentials counts no more
    var now = clock.instant();
    var known = set.statusOrNone().scaleSetId();
    if (known != null) {
      connections.doubted(key(set), new ScaleSetId(known), now);
    }
    before.asking(asking(set));
    memories.of(set).put(BEGUN, new Begun(wanted, now));
    return now;
  }

  private Attempt attempt(
      AutoScalingRunnerSet set,
      Collection<AutoScalingRunnerSet> all,
      Wanted wanted,
      RunnerGroupId group,
      ScaleSetSource.Result result,
      Instant begun) {
    return switch (result) {
      case ScaleSetSource.Result.None(var finding) ->
          Attempt.failed(wanted, finding, RetryWaits.CLUSTER);
      case ScaleSetSource.Result.Usable(var there, var origin) -> {
        connections.proved(key(set), there.id(), begun);
        yield claims
            .claimId(set, there.id(), all)
            .map(shared -> Attempt.failed(wanted, shared, RetryWaits.SERVICE))
            .orElseGet(() ->
                new Attempt(
                    wanted,
                    new Registration.Registered(
                        there.id(),
                        group,
                        origin,
                        ScaleSetIdentities.of(there),
                        labelsNotTaken(set, there)),
                    null,
                    RetryWaits.SERVICE));
      }
    };
  }

  /** A GitHub Enterprise Server takes one label unless it is told otherwise (protocol 3.5). */
  private static @Nullable Finding labelsNotTaken(AutoScalingRunnerSet set, ScaleSet there) {
    var wanted = SpecCheck.labels(set);
    return ScaleSetProof.folded(there.labels()).containsAll(ScaleSetProof.folded(wanted))
        ? null
        : new Finding(
            RunnerSetReason.LABELS_NOT_TAKEN,
            ("the scale set %s has the labels %s at the service, and not all of %s: jobs that ask"
                    + " for the others get no runner here. Where the service took several labels"
                    + " before, delete the set and create it again; a GitHub Enterprise Server older"
                    + " than 3.21 takes one alone: remove spec.labels, and let jobs ask for '%s'")
                .formatted(there.id(), there.labels(), wanted, SpecCheck.scaleSetName(set)));
  }

  private Optional<Optional<RunnerGroupId>> group(
      ActionsService service, AutoScalingRunnerSet set) {
    var name = SpecCheck.runnerGroup(set);
    return name.equalsIgnoreCase("default")
        ? Optional.of(Optional.of(RunnerGroupId.DEFAULT))
        : calls.ask(set, name, () -> {}, () -> service.runnerGroup(name));
  }

  private static Registration.Asking asking(AutoScalingRunnerSet set) {
    return new Registration.Asking(
        new Finding(
            RunnerSetReason.REGISTERING,
            "The controller asks %s for the scale set '%s' of the runner group '%s'; there is no answer yet"
                .formatted(
                    set.getSpec().githubConfigUrl(),
                    SpecCheck.scaleSetName(set),
                    SpecCheck.runnerGroup(set))));
  }

  private static Finding noGroup(AutoScalingRunnerSet set) {
    return new Finding(
        RunnerSetReason.RUNNER_GROUP_NOT_FOUND,
        "There is no runner group '%s' at %s: create it there, or name another in spec.runnerGroup"
            .formatted(SpecCheck.runnerGroup(set), set.getSpec().githubConfigUrl()));
  }
}
