package dev.runnerset.controller.ephemeralrunner;

import static dev.runnerset.crds.condition.ConditionType.REGISTERED;
import static dev.runnerset.crds.condition.ConditionType.SCHEDULED;

import dev.runnerset.controller.ephemeralrunner.lifecycle.ExitedRunnerPlanner;
import dev.runnerset.controller.ephemeralrunner.lifecycle.ObservedRunner;
import dev.runnerset.controller.ephemeralrunner.lifecycle.PendingRunnerPlanner;
import dev.runnerset.controller.ephemeralrunner.lifecycle.PodView;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerAction;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerExit;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerLifecycle;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerMemory;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerStatuses;
import dev.runnerset.controller.ephemeralrunner.lifecycle.StartProblem;
import dev.runnerset.controller.ephemeralrunner.lifecycle.WrittenStatus;
import dev.runnerset.controller.ephemeralrunner.start.RunnerObjects;
import dev.runnerset.controller.ephemeralrunner.start.RunnerStart;
import dev.runnerset.controller.ephemeralrunner.start.StartOutcome;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RunnerRemover;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.crds.condition.EventReason;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.crds.condition.RunnerReason;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out what {@link RunnerLifecycle} decided; every side effect on a runner is here. */
final class RunnerActions {
  private static final Logger LOG = LoggerFactory.getLogger(RunnerActions.class);

  /** After an action whose effect no event may tell us of. */
  private static final Duration SOON = Duration.ofMillis(200);

  /** A refusal is in the status soon, with the time of the next question; until then this. */
  private static final Duration AFTER_REFUSAL = Duration.ofSeconds(30);

  private final RunnerStart start;
  private final RunnerObjects objects;
  private final RunnerRemover remover;
  private final LivePodReader livePod;
  private final RunnerExits exits;
  private final ReconcileTrigger wakeUp;
  private final Events events;
  private final RunnerMemories attempts;
  private final Clock clock;

  RunnerActions(
      RunnerStart start,
      RunnerObjects objects,
      RunnerRemover remover,
      RunnerExits exits,
      ReconcileTrigger wakeUp,
      Events events,
      RunnerMemories attempts,
      Clock clock) {
    this.start = start;
    this.objects = objects;
    this.remover = remover;
    this.livePod = new LivePodReader(objects, events, attempts, clock);
    this.exits = exits;
    this.wakeUp = wakeUp;
    this.events = events;
    this.attempts = attempts;
    this.clock = clock;
  }

  /** Where our writes are to be seen at once, before any event of them. */
  interface Caches {
    /** Our POST, or a live read. */
    void podSeen(Pod pod);

    /** The answer to our status patch. */
    void runnerSeen(EphemeralRunner stored);
  }

  /**
   * Carries out one action.
   *
   * @return when to look again because of it, or null
   */
  @Nullable Instant apply(RunnerAction action, ObservedRunner s, Caches caches) {
    var uid = s.runner().getMetadata().getUid();
    return switch (action) {
      case RunnerAction.Start(var template) -> {
        // INVARIANT (I6): should the step end without an answer, there is no other one.
        Runnable beforeSending = () -> attempts.update(uid, a -> a.uncertain(null));
        yield started(start.goOn(s.runner(), template, s.attempt(), beforeSending), s, caches);
      }
      case RunnerAction.GiveUp() -> started(start.outcome(s.runner(), s.runnerId()), s, caches);
      case RunnerAction.Replace(var why) -> replace(s.runner(), why);
      case RunnerAction.ConfirmLoss() -> confirmLoss(s, caches);
      case RunnerAction.WriteStatus(var status) -> write(s, status, caches);
      case RunnerAction.NoteExit(var exit) -> {
        noteExit(s.runner(), exit);
        yield null;
      }
      case RunnerAction.NoteTrouble(var trouble) -> {
        attempts.update(uid, a -> a.troubledBy(trouble));
        yield null;
      }
      case RunnerAction.DeletePod() -> {
        delete(s, "pod", () -> objects.deletePod(s.runner()));
        yield null;
      }
      case RunnerAction.RemoveRegistration(var reason) ->
          switch (askRemoval(s, reason)) {
            case RunnerRemover.Outcome.Removed _ -> clock.instant();
            default -> attempts.of(uid).removalNotBefore();
          };
    };
  }

  /** Remembers an end from when it was first seen; the set is told once. */
  void noteExit(EphemeralRunner runner, RunnerExit exit) {
    if (exits.record(runner.getMetadata().getUid(), exit)) {
      log("its container ended", runner);
      wakeSet(runner);
    }
  }

  /** Asks the remover, and remembers when it may be asked again. */
  RunnerRemover.Outcome askRemoval(ObservedRunner s, RemovalReason reason) {
    var uid = s.runner().getMetadata().getUid();
    var runner = RunnerWithId.of(s.runner(), s.runnerId());
    var outcome =
        s.isRegistrationInDoubt()
            ? remover.removeAll(runner, reason)
            : remover.removeRegistration(runner, reason);
    var now = clock.instant();
    switch (outcome) {
      case RunnerRemover.Outcome.Removed(var byUs) ->
          attempts.update(uid, a -> a.removed(now, byUs));
      case RunnerRemover.Outcome.Refused() ->
          attempts.update(uid, a -> a.removalAnswered(now.plus(AFTER_REFUSAL)));
      case RunnerRemover.Outcome.UnderWay() ->
          attempts.update(uid, a -> a.removalAnswered(now.plusSeconds(2)));
      case RunnerRemover.Outcome.Failed(var message) -> {
        attempts.update(uid, a -> a.removalFailed(now));
        events.warn(s.runner(), EventReason.REMOVAL_FAILED, message);
      }
    }
    return outcome;
  }

  /** Wakes the set of a runner, if it has one. */
  void wakeSet(EphemeralRunner runner) {
    var labels = runner.getMetadata().getLabels();
    var set = labels == null ? null : labels.get(Labels.SET);
    if (set != null) {
      wakeUp.wake(runner.getMetadata().getNamespace(), set);
    }
  }

  private @Nullable Instant started(StartOutcome outcome, ObservedRunner s, Caches caches) {
    var runner = s.runner();
    var uid = runner.getMetadata().getUid();
    return switch (outcome) {
      case StartOutcome.Made(var pod) -> {
        var now = clock.instant();
        var id = PodView.of(pod).runnerId();
        attempts.update(uid, a -> a.made(a.runnerId() == null ? id : a.runnerId(), now));
        if (LivePodReader.isLabelled(pod)) {
          caches.podSeen(pod); // any other is read live, and labelled
        }
        log("started a runner", runner);
        yield now.plus(PendingRunnerPlanner.EARLY_STATUS);
      }
      case StartOutcome.LeftBehind(var why) -> {
        // if the write fails, the next look finds the same again
        attempts.update(uid, a -> a.startedAs(s.attempt().start()));
        yield s.isStandalone()
            ? write(s, failed(s, RunnerReason.START_UNKNOWN, why), caches)
            : replace(runner, why);
      }
      case StartOutcome.Unknown(var id) -> {
        attempts.update(uid, a -> a.uncertain(id));
        yield clock.instant(); // the next look gives it up, or finds its pod
      }
      case StartOutcome.GivenUp(var id, var reason, var message) -> {
        var attempt = attempts.update(uid, a -> a.uncertain(id));
        events.warn(runner, reason, message);
        yield write(s, failed(s.with(attempt), reason, message), caches);
      }
      case StartOutcome.SecretNotNow(var fresh, var reason, var message) -> {
        attempts.update(uid, a -> a.registered(fresh));
        yield again(runner, new StartProblem(SCHEDULED, reason, message, clock.instant()));
      }
      case StartOutcome.PodNotNow(var id, var condition, var reason, var message) -> {
        attempts.update(uid, a -> a.prepared(id));
        yield again(runner, new StartProblem(condition, reason, message, clock.instant()));
      }
      case StartOutcome.NotBegun(var reason, var message) ->
          again(runner, new StartProblem(REGISTERED, reason, message, clock.instant()));
      case StartOutcome.NotNow(var condition, var reason, var message) -> {
        attempts.update(uid, RunnerMemory::unmade);
        yield again(runner, new StartProblem(condition, reason, message, clock.instant()));
      }
      case StartOutcome.NamespaceGone(var id) -> {
        attempts.update(uid, a -> a.parked(id));
        log("its namespace goes away: nothing more is made", runner);
        yield null;
      }
    };
  }

  private Instant again(EphemeralRunner runner, StartProblem trouble) {
    events.warn(runner, trouble.reason(), trouble.message());
    attempts.update(runner.getMetadata().getUid(), a -> a.failed(trouble));
    return clock.instant(); // the decision on what stands now tells when
  }

  private Instant replace(EphemeralRunner runner, String why) {
    LOG.atInfo()
        .addKeyValue("namespace", runner.getMetadata().getNamespace())
        .addKeyValue("runner", runner.getMetadata().getName())
        .addKeyValue("why", why)
        .log("replacing a runner that has not started");
    objects.deleteRunner(runner);
    return clock.instant().plus(SOON);
  }

  private @Nullable Instant confirmLoss(ObservedRunner s, Caches caches) {
    return livePod.look(s, caches).isPresent()
        ? clock.instant() // the next decision is made with the pod
        : write(
            s,
            failed(s, RunnerReason.POD_LOST, ExitedRunnerPlanner.withLostJob(s, "its pod is gone")),
            caches);
  }

  private static EphemeralRunnerStatus failed(ObservedRunner s, Reason reason, String message) {
    var failure = RunnerStatuses.failure(reason, message, null);
    return RunnerStatuses.failed(s, RunnerPhase.FAILED, s.now(), failure);
  }

  private @Nullable Instant write(ObservedRunner s, EphemeralRunnerStatus status, Caches caches) {
    if (status.equals(s.ownStatus()) && !s.isWiped()) {
      return null;
    }
    if (status.isTerminal() && s.staysAs(status)) {
      // first: at completion no JIT config is left (RT12)
      deleteSecret(s);
    }
    var stored = objects.patchStatus(s.runner(), status);
    stored.ifPresent(caches::runnerSeen);
    var version = stored.map(runner -> runner.getMetadata().getResourceVersion()).orElse(null);
    var written = new WrittenStatus(status, version);
    attempts.update(s.runner().getMetadata().getUid(), a -> a.wrote(written));
    logWritten(s, status);
    // what an end leaves to do is seen at once, whatever becomes of the event
    return status.isTerminal() ? clock.instant() : null;
  }

  /** The runner's pod as the server has it; whatever the cache shows. */
  Optional<PodView> look(ObservedRunner s, Caches caches) {
    return livePod.look(s, caches);
  }

  void deleteSecret(ObservedRunner s) {
    delete(s, "secret", () -> objects.deleteSecret(s.runner()));
  }

  /** Whoever refuses it, as an admission webhook, holds up what comes after; people are told. */
  private void delete(ObservedRunner s, String what, Runnable deletion) {
    try {
      deletion.run();
    } catch (KubernetesClientException e) {
      events.warn(
          s.runner(),
          EventReason.RETENTION_FAILED,
          "the "
              + what
              + " of the ended runner cannot be deleted: tried again until that is changed; "
              + e.getMessage());
      throw e;
    }
  }

  private static void logWritten(ObservedRunner s, EphemeralRunnerStatus status) {
    LOG.atInfo()
        .addKeyValue("namespace", s.runner().getMetadata().getNamespace())
        .addKeyValue("runner", s.runner().getMetadata().getName())
        .addKeyValue("phase", status.phase())
        .addKeyValue("reason", status.failure() == null ? "" : status.failure().reason())
        .log("wrote a runner's status");
  }

  private static void log(String message, EphemeralRunner runner) {
    LOG.atInfo()
        .addKeyValue("namespace", runner.getMetadata().getNamespace())
        .addKeyValue("runner", runner.getMetadata().getName())
        .log(message);
  }
}
