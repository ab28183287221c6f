package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.ephemeralrunner.lifecycle.FinalizerPlanner;
import dev.runnerset.controller.ephemeralrunner.lifecycle.ObservedRunner;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerAction;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerStatuses;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RunnerRemover;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.condition.AccessReason;
import dev.runnerset.crds.condition.EventReason;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.crds.condition.RunnerReason;
import dev.runnerset.kube.Denial;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out what {@link FinalizerPlanner} decided. */
final class RunnerFinalizer {
  private static final Logger LOG = LoggerFactory.getLogger(RunnerFinalizer.class);

  /** Between reads of a pod that runs while the cache does not show it. */
  private static final Duration BETWEEN_READS = Duration.ofSeconds(10);

  /** The status does not say a single failure: a removal is tried again after 2 s. */
  private static final int REPORTED_AFTER = 2;

  /** How long the deletion of a pod is tried that no role allows, before the pod is left. */
  static final Duration LONGEST_REFUSED = Duration.ofMinutes(5);

  private final RunnerActions actions;
  private final RunnerActions.Ports ports;
  private final Map<String, Instant> refusedSinceByUid;

  RunnerFinalizer(RunnerActions actions, RunnerActions.Ports ports) {
    this.refusedSinceByUid = ports.memories().byUid();
    this.actions = actions;
    this.ports = ports;
  }

  /**
   * One reconciliation of a runner that is being deleted. Blocks for its requests.
   *
   * @return when to reconcile again, or empty if the finalizer may be removed
   */
  Optional<Instant> apply(ObservedRunner observed, WriteCache cache) {
    var exit = FinalizerPlanner.exit(observed);
    if (exit != null) {
      actions.noteExit(observed.runner(), exit); // the settle window begins when it is first seen
    }
    return switch (FinalizerPlanner.decide(observed)) {
      case FinalizerPlanner.Decision.RemoveFinalizer() ->
          removeFinalizer(observed, "nothing holds it", cache);
      case FinalizerPlanner.Decision.RequestRemovalOnce() -> {
        requestRemoval(observed, cache);
        yield removeFinalizer(observed, "forced", cache);
      }
      case FinalizerPlanner.Decision.GiveUpRemoval() -> {
        // INVARIANT (I1): the server, not the cache, says that no pod runs; the cache may be behind
        var pod = actions.readPod(observed, cache);
        yield pod.isPresent() && FinalizerPlanner.mayRunnerRun(observed.with(pod.get()))
            ? Optional.of(ports.clock().instant().plus(BETWEEN_READS))
            : giveUpRemoval(observed, cache);
      }
      case FinalizerPlanner.Decision.RequestRemoval() ->
          requestRemoval(observed, cache)
              ? onceDeregistered(observed, cache)
              : Optional.of(nextRequestAt(observed));
      case FinalizerPlanner.Decision.Wait(var until) -> Optional.of(until);
      case FinalizerPlanner.Decision.AwaitJob(var until) -> awaitJob(observed, until, cache);
    };
  }

  private Optional<Instant> onceDeregistered(ObservedRunner observed, WriteCache cache) {
    return FinalizerPlanner.onceDeregistered(observed)
            instanceof FinalizerPlanner.Decision.Wait(var until)
        ? Optional.of(until)
        : removeFinalizer(observed, "removed", cache);
  }

  private Optional<Instant> giveUpRemoval(ObservedRunner observed, WriteCache cache) {
    actions.deleteSecret(observed); // a pod that a late request still makes cannot start (I1)
    ports
        .events()
        .warn(
            observed.runner(),
            EventReason.REGISTRATION_MAY_BE_LEFT,
            "the controller has no credentials to remove the runner's registration; the deletion"
                + " of its scale set removes it");
    return removeFinalizer(observed, "no credentials", cache);
  }

  /** Whether the registration is removed. */
  private boolean requestRemoval(ObservedRunner observed, WriteCache cache) {
    boolean ended = FinalizerPlanner.exit(observed) != null;
    var outcome =
        actions.requestRemoval(
            observed, ended ? RemovalReason.ENDED : RemovalReason.RUNNER_DELETED);
    if (outcome instanceof RunnerRemover.Outcome.Removed) {
      return true;
    }
    var lost =
        outcome instanceof RunnerRemover.Outcome.Failed(var reason, _)
            && reason == AccessReason.SECRET_NOT_FOUND;
    var now = ports.clock().instant();
    ports.memories().updateRemoval(uid(observed), state -> state.connectionLost(lost ? now : null));
    switch (outcome) {
      case RunnerRemover.Outcome.Removed _,
          RunnerRemover.Outcome.UnderWay(),
          RunnerRemover.Outcome.ResourceLeft() -> {}
      case RunnerRemover.Outcome.Refused() ->
          report(RunnerReason.JOB_RUNNING, "the service says that it has a job", observed, cache);
      case RunnerRemover.Outcome.Failed(var reason, var message) -> {
        if (ports.memories().of(uid(observed)).removal().failures() >= REPORTED_AFTER) {
          report(reason, "its registration cannot be removed: " + message, observed, cache);
        }
      }
    }
    return false;
  }

  private Optional<Instant> awaitJob(ObservedRunner observed, Instant until, WriteCache cache) {
    report(
        RunnerReason.JOB_RUNNING,
        LostJobs.job(observed.observedStatus().job()) + " runs",
        observed,
        cache);
    return Optional.of(until);
  }

  /** Says in the status what the deletion of the runner waits for; with an event if it is new. */
  private void report(Reason reason, String why, ObservedRunner observed, WriteCache cache) {
    var message =
        "the deletion of the runner waits: "
            + why
            + ". It goes on by itself; the annotation "
            + Labels.FORCE_DELETE
            + ": \"true\" ends it now, with the job that the runner may have";
    block(reason, message, observed, cache);
  }

  private void block(Reason reason, String message, ObservedRunner observed, WriteCache cache) {
    var status = RunnerStatuses.removalBlocked(observed, reason, message);
    if (status != null) {
      ports.events().warn(observed.runner(), EventReason.DELETION_WAITS, message);
      actions.apply(new RunnerAction.WriteStatus(status), observed, cache);
    }
  }

  private Instant nextRequestAt(ObservedRunner observed) {
    var notBefore = ports.memories().of(uid(observed)).removal().notBefore();
    return notBefore == null ? ports.clock().instant().plusSeconds(2) : notBefore;
  }

  /**
   * The one way out. INVARIANT (SH4): no runner goes before the deletion of its pod is accepted,
   * since the garbage collector may not delete a pod that has not ended. After a crash in between
   * the next pass finds the pod being deleted.
   */
  private Optional<Instant> removeFinalizer(ObservedRunner observed, String why, WriteCache cache) {
    try {
      switch (FinalizerPlanner.podDeletion(observed)) {
        case NONE -> {}
        case UNLESS_OVER -> ports.objects().deletePodUnlessOver(observed.runner());
        case ALWAYS -> ports.objects().deletePod(observed.runner());
      }
    } catch (KubernetesClientException e) {
      var now = ports.clock().instant();
      var since = refusedSinceByUid.computeIfAbsent(uid(observed), u -> now);
      if (Denial.of(e).isEmpty() || now.isBefore(since.plus(LONGEST_REFUSED))) {
        return Optional.of(podNotDeleted(observed, e, cache));
      }
      reportLeftPod(observed, e);
    }
    refusedSinceByUid.remove(uid(observed));
    LOG.atInfo()
        .addKeyValue("namespace", observed.runner().getMetadata().getNamespace())
        .addKeyValue("runner", observed.runner().getMetadata().getName())
        .addKeyValue("why", why)
        .log("removing a runner's finalizer");
    actions.reportDeleted(observed);
    actions.triggerSet(observed.runner());
    return Optional.empty();
  }

  private Instant podNotDeleted(
      ObservedRunner observed, KubernetesClientException failure, WriteCache cache) {
    var message =
        "the controller cannot delete the runner's pod, and tries again until it can; "
            + failure.getMessage();
    block(RunnerReason.POD_NOT_DELETED, message, observed, cache);
    return ports.clock().instant().plus(BETWEEN_READS);
  }

  /** The registration is gone, so the pod gets no job; the runner would hold its namespace. */
  private void reportLeftPod(ObservedRunner observed, KubernetesClientException refusal) {
    var meta = observed.runner().getMetadata();
    ports
        .events()
        .warn(
            observed.runner(),
            EventReason.OBJECTS_LEFT,
            "the controller may not delete the pod of the runner, and leaves it; delete it, if it is"
                + " there: kubectl delete --ignore-not-found --namespace "
                + meta.getNamespace()
                + " pod/"
                + meta.getName()
                + ". "
                + Denial.words(refusal));
  }

  private static String uid(ObservedRunner observed) {
    return observed.runner().getMetadata().getUid();
  }
}
