package dev.runnerset.controller.autoscalingrunnerset.registration;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.CreateScaleSetResult;
import dev.runnerset.actions.NewScaleSet;
import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.ScaleSet;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.connection.ConnectionKey;
import dev.runnerset.connection.InvalidConnectionException;
import dev.runnerset.controller.autoscalingrunnerset.planning.RetryWaits;
import dev.runnerset.controller.autoscalingrunnerset.planning.SpecCheck;
import dev.runnerset.controller.autoscalingrunnerset.status.Finding;
import dev.runnerset.controller.autoscalingrunnerset.status.Registration;
import dev.runnerset.controller.autoscalingrunnerset.status.ServiceFindings;
import dev.runnerset.controller.connection.ServiceConnections;
import dev.runnerset.controller.events.Events;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.condition.EventReason;
import dev.runnerset.crds.condition.RunnerSetReason;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds, creates, moves or renames the scale set of each runner set at the service. */
public final class ScaleSetRegistrar {
  private static final Logger LOG = LoggerFactory.getLogger(ScaleSetRegistrar.class);

  private final ServiceConnections connections;
  private final Events events;
  private final Clock clock;
  private final RegistrationMemory memory = new RegistrationMemory();
  private final Map<String, ServiceError> refusalsTold = new ConcurrentHashMap<>();
  private final ScaleSetClaims claims = new ScaleSetClaims();

  public ScaleSetRegistrar(ServiceConnections connections, Events events, Clock clock) {
    this.connections = connections;
    this.events = events;
    this.clock = clock;
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
   * The registration: the last one if it still holds, else the result of calls of the service, for
   * which it blocks.
   *
   * @param all the sets of this cluster
   * @param disconnectedSince since when the listener has no connection; null while it has one
   * @param beforeAsking is called before the first call of the service, whose answer may take long
   */
  public Registration ensure(
      AutoScalingRunnerSet set,
      Collection<AutoScalingRunnerSet> all,
      @Nullable Instant disconnectedSince,
      Consumer<Registration.Asking> beforeAsking) {
    var uid = set.getMetadata().getUid();
    var wanted = RegistrationMemory.Wanted.of(set);
    var result =
        memory
            .standing(uid, wanted, disconnectedSince, clock.instant())
            .orElseGet(() -> attempt(set, all, wanted, beforeAsking));
    var refusal = connections.refusal(key(set));
    return refusal != null && result instanceof Registration.Registered
        ? refused(set, refusal)
        : result;
  }

  /** The scale set exists, but runners can neither be registered with it nor removed. */
  private Registration refused(AutoScalingRunnerSet set, ServiceError refusal) {
    var finding = ServiceFindings.of(refusal, set);
    if (refusalsTold.put(set.getMetadata().getUid(), refusal) != refusal) {
      events.warn(set, finding.reason(), finding.message());
    }
    return new Registration.Failed(finding, clock.instant().plus(RetryWaits.CLUSTER.longest()));
  }

  public void forget(String uid) {
    memory.forget(uid);
    refusalsTold.remove(uid);
    claims.release(uid);
  }

  private Registration attempt(
      AutoScalingRunnerSet set,
      Collection<AutoScalingRunnerSet> all,
      RegistrationMemory.Wanted wanted,
      Consumer<Registration.Asking> beforeAsking) {
    var uid = set.getMetadata().getUid();
    var before = memory.lastReason(uid);
    var result = attemptOnce(set, all, wanted, beforeAsking);
    if (result instanceof Registration.Failed(var finding, _)
        && !finding.reason().word().equals(before)) {
      events.warn(set, finding.reason(), finding.message());
      log(set).addKeyValue("reason", finding.reason().word()).log("the set has no scale set");
    }
    return result;
  }

  private Registration attemptOnce(
      AutoScalingRunnerSet set,
      Collection<AutoScalingRunnerSet> all,
      RegistrationMemory.Wanted wanted,
      Consumer<Registration.Asking> beforeAsking) {
    var uid = set.getMetadata().getUid();
    boolean registered = false;
    try {
      var taken = claims.claim(set, all, clock.instant());
      if (taken.isPresent()) {
        return memory.failed(uid, wanted, taken.get(), RetryWaits.CLUSTER, null, clock.instant());
      }
      var service = connections.to(key(set));
      beforeAsking.accept(asking(set));
      var group = group(service, set);
      if (group.isEmpty()) {
        return memory.failed(uid, wanted, noGroup(set), RetryWaits.SERVICE, null, clock.instant());
      }
      var scaleSet = scaleSet(service, set, group.get());
      if (scaleSet.isEmpty()) {
        return memory.failed(uid, wanted, taken(set), RetryWaits.SERVICE, null, clock.instant());
      }
      var id = scaleSet.get().id();
      var shared = claims.claimId(set, id, all, clock.instant());
      if (shared.isPresent()) {
        return memory.failed(uid, wanted, shared.get(), RetryWaits.SERVICE, null, clock.instant());
      }
      registered = true;
      claims.registered(set, id);
      return memory.registered(
          uid, wanted, new Registration.Registered(id, group.get()), clock.instant());
    } catch (InvalidConnectionException e) {
      var finding = new Finding(e.reason(), String.valueOf(e.getMessage()));
      return memory.failed(uid, wanted, finding, RetryWaits.CLUSTER, null, clock.instant());
    } catch (ServiceException e) {
      var finding = ServiceFindings.of(e.error(), set);
      var wait = ServiceFindings.retryAfter(e.error());
      return memory.failed(uid, wanted, finding, RetryWaits.SERVICE, wait, clock.instant());
    } finally {
      if (!registered) {
        claims.failed(set);
      }
    }
  }

  private static Optional<RunnerGroupId> group(ActionsService service, AutoScalingRunnerSet set) {
    var name = SpecCheck.runnerGroup(set);
    return name.equalsIgnoreCase("default")
        ? Optional.of(RunnerGroupId.DEFAULT)
        : service.runnerGroup(name);
  }

  private Optional<ScaleSet> scaleSet(
      ActionsService service, AutoScalingRunnerSet set, RunnerGroupId group) {
    var name = SpecCheck.scaleSetName(set);
    var known = set.statusOrNone().scaleSetId();
    if (known != null) {
      var ours = service.scaleSet(new ScaleSetId(known));
      if (ours.isPresent()) {
        return Optional.of(updated(service, set, ours.get(), group));
      }
      events.warn(
          set,
          EventReason.SCALE_SET_GONE,
          "The scale set " + known + " was deleted at the service: a new one is created");
    }
    var found = service.findScaleSet(group, name);
    if (found.isPresent()) {
      events.warn(
          set,
          EventReason.SCALE_SET_ADOPTED,
          "The scale set '"
              + name
              + "' already exists, as "
              + found.get().id()
              + ", and no set of this cluster uses it: this set uses it from now on");
      return found;
    }
    return created(service, set, group, name);
  }

  private Optional<ScaleSet> created(
      ActionsService service, AutoScalingRunnerSet set, RunnerGroupId group, String name) {
    return switch (service.createScaleSet(wanted(set, group))) {
      case CreateScaleSetResult.Created(var made) -> {
        log(set).addKeyValue("scaleSetId", made.id()).log("created the scale set");
        yield Optional.of(made);
      }
      // perhaps our own first call, whose answer was lost
      case CreateScaleSetResult.NameTaken() -> service.findScaleSet(group, name);
    };
  }

  /** The scale set with name, group and labels of the spec. */
  private ScaleSet updated(
      ActionsService service, AutoScalingRunnerSet set, ScaleSet ours, RunnerGroupId group) {
    var wanted = wanted(set, group);
    boolean labelled = folded(ours.labels()).equals(folded(wanted.labels()));
    if (ours.name().equals(wanted.name()) && ours.runnerGroupId().equals(group) && labelled) {
      return ours;
    }
    var updated = service.updateScaleSet(ours.id(), wanted);
    log(set)
        .addKeyValue("scaleSetId", ours.id())
        .addKeyValue("name", updated.name())
        .addKeyValue("runnerGroupId", updated.runnerGroupId())
        .addKeyValue("labels", updated.labels())
        .log("changed the scale set");
    if (!labelled && !folded(updated.labels()).equals(folded(wanted.labels()))) {
      events.warn(
          set,
          EventReason.SCALE_SET_LABELS_KEPT,
          "The service keeps the labels "
              + updated.labels()
              + " of the scale set "
              + ours.id()
              + ", though the spec wants "
              + wanted.labels()
              + ": to get them, delete this set and create it again");
    }
    return updated;
  }

  private static NewScaleSet wanted(AutoScalingRunnerSet set, RunnerGroupId group) {
    return new NewScaleSet(SpecCheck.scaleSetName(set), group, SpecCheck.labels(set));
  }

  /** Labels as the service compares them: order and case do not matter. */
  private static Set<String> folded(List<String> labels) {
    return labels.stream().map(l -> l.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
  }

  private static Registration.Asking asking(AutoScalingRunnerSet set) {
    return new Registration.Asking(
        new Finding(
            RunnerSetReason.REGISTERING,
            "The controller asks "
                + set.getSpec().githubConfigUrl()
                + " for the scale set '"
                + SpecCheck.scaleSetName(set)
                + "' of the runner group '"
                + SpecCheck.runnerGroup(set)
                + "'; there is no answer yet"));
  }

  private static Finding noGroup(AutoScalingRunnerSet set) {
    return new Finding(
        RunnerSetReason.RUNNER_GROUP_NOT_FOUND,
        "There is no runner group '"
            + SpecCheck.runnerGroup(set)
            + "' at "
            + set.getSpec().githubConfigUrl()
            + ": create it there, or name another in spec.runnerGroup");
  }

  private static Finding taken(AutoScalingRunnerSet set) {
    return new Finding(
        RunnerSetReason.SCALE_SET_NAME_TAKEN,
        "The service says that a scale set named '"
            + SpecCheck.scaleSetName(set)
            + "' exists, which the credentials may not see: choose another"
            + " spec.runnerScaleSetName");
  }

  private static org.slf4j.spi.LoggingEventBuilder log(AutoScalingRunnerSet set) {
    return LOG.atInfo()
        .addKeyValue("namespace", set.getMetadata().getNamespace())
        .addKeyValue("set", set.getMetadata().getName());
  }
}
