package dev.runnerset.controller.autoscalingrunnerset.registration;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.RunnerGroupId;
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
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.timing.Times;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.condition.RunnerSetReason;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Registers each runner set: it has its scale set at the service, and nobody else has that. */
public final class ScaleSetRegistrar {
  private static final Logger LOG = LoggerFactory.getLogger(ScaleSetRegistrar.class);

  private final ServiceConnections connections;
  private final Events events;
  private final Clock clock;
  private final RegistrationMemory memory;
  private final Map<String, ServiceError> refusalsTold;
  private final ScaleSetClaims claims = new ScaleSetClaims();
  private final ScaleSetSource source;

  public ScaleSetRegistrar(
      ServiceConnections connections, Events events, Memories memories, Clock clock) {
    this.memory = new RegistrationMemory(memories);
    this.refusalsTold = memories.byUid();
    this.connections = connections;
    this.events = events;
    this.clock = clock;
    this.source = new ScaleSetSource(events, clock);
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
   * The registration: the last one if it still holds, else the result of calls of the service, for
   * which it blocks.
   *
   * @param all the sets of this cluster
   * @param disconnectedSince since when the listener has no connection; null while it has one
   * @param before is called before calls of the service, whose answers may take long
   */
  public Registration ensure(
      AutoScalingRunnerSet set,
      Collection<AutoScalingRunnerSet> all,
      @Nullable Instant disconnectedSince,
      BeforeCalls before) {
    var uid = set.getMetadata().getUid();
    var wanted = RegistrationMemory.Wanted.of(set, connections.version(key(set)));
    var result =
        memory
            .standing(uid, wanted, disconnectedSince, clock.instant())
            .orElseGet(() -> attempt(set, all, before));
    var refusal =
        result instanceof Registration.Registered registered
            ? connections.refusal(key(set), registered.id())
            : null;
    return refusal == null ? result : refused(set, refusal);
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
    if (refusalsTold.put(set.getMetadata().getUid(), refusal) != refusal) {
      events.warn(set, finding.reason(), finding.message());
    }
    return new Registration.Failed(finding, clock.instant().plus(RetryWaits.CLUSTER.longest()));
  }

  private Registration attempt(
      AutoScalingRunnerSet set, Collection<AutoScalingRunnerSet> all, BeforeCalls before) {
    var uid = set.getMetadata().getUid();
    var reason = memory.lastReason(uid);
    var result = attemptOnce(set, all, before);
    if (result instanceof Registration.Failed(var finding, _)
        && !finding.reason().word().equals(reason)) {
      events.warn(set, finding.reason(), finding.message());
      log(set).addKeyValue("reason", finding.reason().word()).log("the set has no scale set");
    }
    return result;
  }

  private Registration attemptOnce(
      AutoScalingRunnerSet set, Collection<AutoScalingRunnerSet> all, BeforeCalls before) {
    var uid = set.getMetadata().getUid();
    var wanted = RegistrationMemory.Wanted.of(set, connections.version(key(set)));
    boolean registered = false;
    try {
      var taken = claims.claim(set, all, clock.instant());
      if (taken.isPresent()) {
        return memory.failed(uid, wanted, taken.get(), RetryWaits.CLUSTER, null, clock.instant());
      }
      var service = connections.to(key(set));
      wanted = RegistrationMemory.Wanted.of(set, connections.version(key(set)));
      before.asking(asking(set));
      var group = group(service, set);
      if (group.isEmpty()) {
        return memory.failed(uid, wanted, noGroup(set), RetryWaits.SERVICE, null, clock.instant());
      }
      var obtained = source.obtain(service, set, group.get(), before);
      if (obtained instanceof ScaleSetSource.Result.None(var finding)) {
        return memory.failed(uid, wanted, finding, RetryWaits.CLUSTER, null, clock.instant());
      }
      var usable = (ScaleSetSource.Result.Usable) obtained;
      var id = usable.scaleSet().id();
      var shared = claims.claimId(set, id, all, clock.instant());
      if (shared.isPresent()) {
        return memory.failed(uid, wanted, shared.get(), RetryWaits.SERVICE, null, clock.instant());
      }
      registered = true;
      claims.registered(set, id);
      return memory.registered(
          uid,
          wanted,
          new Registration.Registered(id, group.get(), usable.origin()),
          clock.instant());
    } catch (InvalidConnectionException e) {
      wanted = RegistrationMemory.Wanted.of(set, connections.version(key(set)));
      var finding = new Finding(e.reason(), String.valueOf(e.getMessage()));
      return memory.failed(uid, wanted, finding, RetryWaits.CLUSTER, null, clock.instant());
    } catch (ServiceException e) {
      var finding = ServiceFindings.of(e.error(), set);
      var wait = e.error().retryAfter();
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

  private static org.slf4j.spi.LoggingEventBuilder log(AutoScalingRunnerSet set) {
    return LOG.atInfo()
        .addKeyValue("namespace", set.getMetadata().getNamespace())
        .addKeyValue("set", set.getMetadata().getName());
  }
}
