package dev.runnerset.controller.runnerset;

import dev.runnerset.controller.connection.ConnectionKey;
import dev.runnerset.controller.connection.InvalidConnectionException;
import dev.runnerset.controller.connection.ServiceConnections;
import dev.runnerset.controller.events.Events;
import dev.runnerset.crd.AutoScalingRunnerSet;
import dev.runnerset.service.ActionsService;
import dev.runnerset.service.CreateScaleSetResult;
import dev.runnerset.service.NewScaleSet;
import dev.runnerset.service.RunnerGroupId;
import dev.runnerset.service.ScaleSet;
import dev.runnerset.service.ScaleSetId;
import dev.runnerset.service.ServiceException;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives each set its scale set at the service: finds, makes, moves or renames it. */
final class ScaleSetRegistrar {
  private static final Logger LOG = LoggerFactory.getLogger(ScaleSetRegistrar.class);

  private final ServiceConnections connections;
  private final Events events;
  private final Clock clock;
  private final RegistrationMemory memory = new RegistrationMemory();

  ScaleSetRegistrar(ServiceConnections connections, Events events, Clock clock) {
    this.connections = connections;
    this.events = events;
    this.clock = clock;
  }

  static ConnectionKey key(AutoScalingRunnerSet set) {
    var spec = set.getSpec();
    return new ConnectionKey(
        set.getMetadata().getNamespace(),
        spec.githubConfigUrl(),
        spec.githubConfigSecret().name(),
        spec.proxy(),
        spec.githubServerTLS());
  }

  /**
   * The scale set, from memory where that still stands; else blocks for calls of the service.
   *
   * @param all the sets of this cluster
   * @param disconnectedSince since when the listener has no connection, or null while it has
   */
  Registration ensure(
      AutoScalingRunnerSet set,
      Collection<AutoScalingRunnerSet> all,
      @Nullable Instant disconnectedSince) {
    var uid = set.getMetadata().getUid();
    var wanted = RegistrationMemory.Wanted.of(set);
    return memory
        .standing(uid, wanted, disconnectedSince, clock.instant())
        .orElseGet(() -> attempt(set, all, wanted));
  }

  void forget(String uid) {
    memory.forget(uid);
  }

  private Registration attempt(
      AutoScalingRunnerSet set,
      Collection<AutoScalingRunnerSet> all,
      RegistrationMemory.Wanted wanted) {
    var uid = set.getMetadata().getUid();
    var before = memory.lastReason(uid);
    var result = attemptOnce(set, all, wanted);
    if (result instanceof Registration.Failed(var finding, _) && !finding.reason().equals(before)) {
      events.warn(set, finding.reason(), finding.message());
      log(set).addKeyValue("reason", finding.reason()).log("the set has no scale set");
    }
    return result;
  }

  private Registration attemptOnce(
      AutoScalingRunnerSet set,
      Collection<AutoScalingRunnerSet> all,
      RegistrationMemory.Wanted wanted) {
    var uid = set.getMetadata().getUid();
    try {
      var taken = NameOwnership.refusal(set, all);
      if (taken.isPresent()) {
        return memory.failed(
            uid, wanted, taken.get(), Backoff.LONGEST_LOCAL, null, clock.instant());
      }
      var service = connections.to(key(set));
      var group = group(service, set);
      if (group.isEmpty()) {
        return memory.failed(uid, wanted, noGroup(set), Backoff.LONGEST, null, clock.instant());
      }
      var scaleSet = scaleSet(service, set, group.get());
      if (scaleSet.isEmpty()) {
        return memory.failed(uid, wanted, taken(set), Backoff.LONGEST, null, clock.instant());
      }
      var registered = new Registration.Registered(scaleSet.get().id(), group.get());
      return memory.registered(uid, wanted, registered, clock.instant());
    } catch (InvalidConnectionException e) {
      var finding = new Finding(e.reason(), String.valueOf(e.getMessage()));
      return memory.failed(uid, wanted, finding, Backoff.LONGEST_LOCAL, null, clock.instant());
    } catch (ServiceException e) {
      var finding = ServiceFindings.of(e.error(), set);
      var wait = ServiceFindings.retryAfter(e.error());
      return memory.failed(uid, wanted, finding, Backoff.LONGEST, wait, clock.instant());
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
    var known = set.getStatus() == null ? null : set.getStatus().scaleSetId();
    if (known != null) {
      var ours = service.scaleSet(new ScaleSetId(known));
      if (ours.isPresent()) {
        return Optional.of(moved(service, set, ours.get(), name, group));
      }
      events.warn(
          set,
          "ScaleSetGone",
          "The scale set " + known + " was deleted at the service: it is made anew");
    }
    var found = service.findScaleSet(group, name);
    if (found.isPresent()) {
      events.warn(
          set,
          "ScaleSetAdopted",
          "The scale set '"
              + name
              + "' was there already, as "
              + found.get().id()
              + ", and no set of this cluster has it: it is taken over");
      return found;
    }
    return created(service, set, group, name);
  }

  private Optional<ScaleSet> created(
      ActionsService service, AutoScalingRunnerSet set, RunnerGroupId group, String name) {
    var labels =
        Stream.concat(Stream.of(name), set.getSpec().labels().stream()).distinct().toList();
    return switch (service.createScaleSet(new NewScaleSet(name, group, labels))) {
      case CreateScaleSetResult.Created(var made) -> {
        log(set).addKeyValue("scaleSetId", made.id()).log("made the scale set");
        yield Optional.of(made);
      }
      // maybe our own first try, whose answer was lost
      case CreateScaleSetResult.NameTaken() -> service.findScaleSet(group, name);
    };
  }

  private ScaleSet moved(
      ActionsService service,
      AutoScalingRunnerSet set,
      ScaleSet ours,
      String name,
      RunnerGroupId group) {
    if (ours.name().equals(name) && ours.runnerGroupId().equals(group)) {
      return ours;
    }
    log(set).addKeyValue("scaleSetId", ours.id()).log("moved or renamed the scale set");
    return service.updateScaleSet(ours.id(), name, group);
  }

  private static Finding noGroup(AutoScalingRunnerSet set) {
    return new Finding(
        "RunnerGroupNotFound",
        "There is no runner group '"
            + SpecCheck.runnerGroup(set)
            + "' at "
            + set.getSpec().githubConfigUrl()
            + ": create it there, or name another in spec.runnerGroup");
  }

  private static Finding taken(AutoScalingRunnerSet set) {
    return new Finding(
        "ScaleSetNameTaken",
        "The service says that the name '"
            + SpecCheck.scaleSetName(set)
            + "' is taken, by a scale set that the credentials may not see: choose another"
            + " spec.runnerScaleSetName");
  }

  private static org.slf4j.spi.LoggingEventBuilder log(AutoScalingRunnerSet set) {
    return LOG.atInfo()
        .addKeyValue("namespace", set.getMetadata().getNamespace())
        .addKeyValue("set", set.getMetadata().getName());
  }
}
