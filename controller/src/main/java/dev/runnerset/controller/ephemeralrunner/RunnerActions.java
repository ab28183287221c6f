package dev.runnerset.controller.ephemeralrunner;

import static dev.runnerset.crds.condition.ConditionType.REGISTRATION_MADE;
import static dev.runnerset.crds.condition.ConditionType.SCHEDULED;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.ephemeralrunner.lifecycle.ObservedRunner;
import dev.runnerset.controller.ephemeralrunner.lifecycle.PendingRunnerPlanner;
import dev.runnerset.controller.ephemeralrunner.lifecycle.PodView;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerAction;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerExit;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerLifecycle;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerStatuses;
import dev.runnerset.controller.ephemeralrunner.lifecycle.StartProblem;
import dev.runnerset.controller.ephemeralrunner.lifecycle.StartState;
import dev.runnerset.controller.ephemeralrunner.lifecycle.WrittenStatus;
import dev.runnerset.controller.ephemeralrunner.start.RunnerObjects;
import dev.runnerset.controller.ephemeralrunner.start.RunnerStart;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.metrics.Meters;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RemovalRequestGate;
import dev.runnerset.controller.removal.RunnerRemover;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.EventReason;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.crds.condition.RunnerReason;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out what {@link RunnerLifecycle} decided: every side effect on a runner is here. */
final class RunnerActions {
  private static final Logger LOG = LoggerFactory.getLogger(RunnerActions.class);

  /** Requeue after a deletion, of which perhaps no event tells. */
  private static final Duration AFTER_DELETION = Duration.ofMillis(200);

  /** The remover soon writes into the status when it may be asked again; until then this holds. */
  private static final Duration AFTER_REFUSAL = Duration.ofSeconds(30);

  private static final Duration WHILE_UNDER_WAY = Duration.ofSeconds(2);

  /** Other runners of the set are being asked for, or its refusals are spent. */
  private static final Duration WHILE_OTHERS_ARE_ASKED_FOR = Duration.ofMillis(500);

  private final RunnerStart start;
  private final RunnerRemover remover;
  private final LivePodReader livePods;
  private final FailureEvidence evidence;
  private final LostJobs lostJobs;
  private final RunnerExits exits;
  private final ReconcileTrigger trigger;
  private final RemovalRequestGate gate;
  private final RunnerObjects objects;
  private final Events events;
  private final RunnerMemories memories;
  private final Clock clock;

  RunnerActions(
      RunnerStart start,
      RunnerRemover remover,
      RunnerExits exits,
      ReconcileTrigger trigger,
      RemovalRequestGate gate,
      Ports ports) {
    this.start = start;
    this.remover = remover;
    this.exits = exits;
    this.trigger = trigger;
    this.gate = gate;
    this.livePods = new LivePodReader(ports);
    this.lostJobs = new LostJobs(ports);
    this.evidence = ports.evidence();
    this.objects = ports.objects();
    this.events = ports.events();
    this.memories = ports.memories();
    this.clock = ports.clock();
  }

  /** What all side effects on runners need. */
  record Ports(
      RunnerObjects objects,
      FailureEvidence evidence,
      Events events,
      RunnerMemories memories,
      Clock clock,
      Meters meters) {}

  /**
   * Carries out one action. Blocks for its requests.
   *
   * @return when to reconcile again because of it
   */
  RequeueTime apply(RunnerAction action, ObservedRunner observed, WriteCache cache) {
    var uid = uid(observed);
    return switch (action) {
      case RunnerAction.Start(var template) -> {
        // INVARIANT (I6): if the step ends without an answer, there is no other attempt.
        Runnable beforeSending = () -> memories.updateStart(uid, state -> state.uncertain(null));
        var state = observed.memory().start();
        yield started(
            start.goOn(observed.runner(), template, state, beforeSending), observed, cache);
      }
      case RunnerAction.GiveUp() ->
          started(start.outcome(observed.runner(), observed.runnerId()), observed, cache);
      case RunnerAction.Replace(var why) -> replace(observed.runner(), why);
      case RunnerAction.ConfirmLoss() -> confirmLoss(observed, cache);
      case RunnerAction.WriteStatus(var status) -> write(observed, status, cache);
      case RunnerAction.NoteExit(var exit) -> {
        noteExit(observed.runner(), exit);
        yield RequeueTime.NEVER;
      }
      case RunnerAction.NoteProblem(var problem) -> {
        memories.updateStart(uid, state -> state.waitingFor(problem));
        yield RequeueTime.NEVER;
      }
      case RunnerAction.DeletePod() -> {
        delete(observed, "pod", () -> objects.deletePod(observed.runner()));
        yield RequeueTime.NEVER;
      }
      case RunnerAction.RemoveRegistration(var reason) ->
          reason == RemovalReason.ENDED_BY_DELETION
              ? requestWithinBudget(observed, Objects.requireNonNull(observed.set()), reason)
              : requested(observed, reason);
    };
  }

  // --- the start

  private RequeueTime started(
      RunnerStart.Outcome outcome, ObservedRunner observed, WriteCache cache) {
    var runner = observed.runner();
    var uid = uid(observed);
    return switch (outcome) {
      case RunnerStart.Outcome.Made(var pod) -> {
        var now = clock.instant();
        memories.update(
            uid,
            memory -> {
              var known = memory.start().runnerId();
              return memory.made(known == null ? PodView.of(pod).runnerId() : known, now);
            });
        if (LivePodReader.isLabelled(pod)) {
          cache.created(pod); // an unlabelled pod is read live, and gets its label
        }
        log("started a runner", runner);
        yield RequeueTime.at(now.plus(PendingRunnerPlanner.EARLY_STATUS));
      }
      case RunnerStart.Outcome.LeftBehind(var why) -> {
        // if the write fails, the next reconciliation finds the same again
        memories.updateStart(uid, state -> observed.memory().start());
        yield observed.isStandalone()
            ? write(
                observed, RunnerStatuses.failed(observed, RunnerReason.START_UNKNOWN, why), cache)
            : replace(runner, why);
      }
      case RunnerStart.Outcome.Unknown(var id) -> {
        memories.updateStart(uid, state -> state.uncertain(id));
        yield atOnce(); // the next decision gives the start up, or finds its pod
      }
      case RunnerStart.Outcome.GivenUp(var id, var reason, var message) -> {
        var memory = memories.updateStart(uid, state -> state.uncertain(id));
        events.warn(runner, reason, message);
        var status = RunnerStatuses.failed(observed.with(memory), reason, message);
        yield write(observed.with(memory), status, cache);
      }
      case RunnerStart.Outcome.SecretNotNow(var fresh, var reason, var message) -> {
        memories.updateStart(uid, state -> state.registered(fresh));
        yield tryAgain(runner, SCHEDULED, reason, message, null);
      }
      case RunnerStart.Outcome.PodNotNow(var id, var reason, var message) -> {
        memories.updateStart(uid, state -> state.prepared(id));
        yield tryAgain(runner, SCHEDULED, reason, message, null);
      }
      case RunnerStart.Outcome.NotBegun(var reason, var message) ->
          tryAgain(runner, REGISTRATION_MADE, reason, message, null);
      case RunnerStart.Outcome.NotNow(var reason, var message, var asked) -> {
        memories.updateStart(uid, StartState::unmade);
        yield tryAgain(runner, REGISTRATION_MADE, reason, message, asked);
      }
      case RunnerStart.Outcome.NamespaceGone(var id) -> {
        memories.updateStart(uid, state -> state.parked(id));
        log("the namespace of a runner is being deleted: nothing more is made in it", runner);
        yield RequeueTime.NEVER;
      }
    };
  }

  private RequeueTime tryAgain(
      EphemeralRunner runner,
      ConditionType condition,
      Reason reason,
      String message,
      @Nullable Duration asked) {
    events.warn(runner, reason, message);
    var problem = new StartProblem(condition, reason, message, clock.instant());
    memories.updateStart(runner.getMetadata().getUid(), state -> state.failed(problem, asked));
    return atOnce(); // the next decision says when
  }

  private RequeueTime replace(EphemeralRunner runner, String why) {
    LOG.atInfo()
        .addKeyValue("namespace", runner.getMetadata().getNamespace())
        .addKeyValue("runner", runner.getMetadata().getName())
        .addKeyValue("why", why)
        .log("replacing a runner that has not started");
    objects.deleteRunner(runner);
    return RequeueTime.at(clock.instant().plus(AFTER_DELETION));
  }

  private RequeueTime atOnce() {
    return RequeueTime.at(clock.instant());
  }

  // --- the status

  private RequeueTime confirmLoss(ObservedRunner observed, WriteCache cache) {
    return readPod(observed, cache).isPresent()
        ? atOnce() // the next decision sees the pod
        : write(
            observed,
            RunnerStatuses.failed(
                observed,
                RunnerReason.POD_LOST,
                RunnerStatuses.withLostJob(observed, "the runner's pod is gone")),
            cache);
  }

  private RequeueTime write(
      ObservedRunner observed, EphemeralRunnerStatus decided, WriteCache cache) {
    if (decided.equals(observed.ownStatus()) && !observed.isWiped()) {
      return RequeueTime.NEVER;
    }
    var status =
        observed.withWhatKeepsIt(LostJobs.marked(observed, withEvidence(observed, decided)));
    boolean kept = status.isTerminal() && observed.isKeptWith(status);
    boolean begun = RunnerStatuses.tellsOfItsStart(observed.ownStatus());
    if (kept && begun) {
      deleteSecret(observed); // first: when the status says the end, no JIT config is left (RT12)
    }
    var stored = objects.patchStatus(observed.runner(), status);
    stored.ifPresent(after -> cache.changed(observed.runner(), after));
    lostJobs.report(observed, status);
    var version = stored.map(runner -> runner.getMetadata().getResourceVersion()).orElse(null);
    var written = new WrittenStatus(status, version);
    memories.update(uid(observed), memory -> memory.with(written));
    LOG.atInfo()
        .addKeyValue("namespace", observed.runner().getMetadata().getNamespace())
        .addKeyValue("runner", observed.runner().getMetadata().getName())
        .addKeyValue("phase", status.phase())
        .addKeyValue("reason", status.failure() == null ? "" : status.failure().reason())
        .log("wrote a runner's status");
    if (kept && !begun) {
      // INVARIANT: the secret is the only trace of the start until the failure is written; without
      // one, a restarted controller begins again under the same name (RN4)
      deleteSecret(observed);
    }
    // what a terminal status leaves to do is done at once, even if the event is late
    return status.isTerminal() ? atOnce() : RequeueTime.NEVER;
  }

  /**
   * A failure is written without credentials, and with the black box of a runner that fails now,
   * while its pod is there (RN17).
   */
  private EphemeralRunnerStatus withEvidence(
      ObservedRunner observed, EphemeralRunnerStatus status) {
    var failure = status.failure();
    if (failure == null || observed.ownStatus().isTerminal()) {
      return status;
    }
    return RunnerStatuses.with(status, evidence.with(observed.runner(), failure));
  }

  /** The runner's pod as the API server has it, whatever the cache shows. */
  Optional<PodView> readPod(ObservedRunner observed, WriteCache cache) {
    return livePods.read(observed, cache);
  }

  // --- the end

  /** Reports the job of a runner that is deleted and goes now, if its job was not over. */
  void reportDeleted(ObservedRunner observed) {
    lostJobs.reportDeleted(observed);
  }

  /** Remembers an exit; a new one triggers its EphemeralRunnerSet. */
  void noteExit(EphemeralRunner runner, RunnerExit exit) {
    if (exits.record(runner.getMetadata().getUid(), exit)) {
      log("the container of a runner ended", runner);
      triggerSet(runner);
    }
  }

  private RequeueTime requested(ObservedRunner observed, RemovalReason reason) {
    return after(requestRemoval(observed, reason), observed);
  }

  private RequeueTime after(RunnerRemover.Outcome outcome, ObservedRunner observed) {
    return outcome instanceof RunnerRemover.Outcome.Removed
        ? atOnce()
        : RequeueTime.at(memories.of(uid(observed)).removal().notBefore());
  }

  /** Asks unless other runners of the set are asked for: a refusal counts as one of its set. */
  private RequeueTime requestWithinBudget(
      ObservedRunner observed, EphemeralRunnerSet set, RemovalReason reason) {
    if (!gate.begin(set, clock.instant())) {
      return RequeueTime.at(clock.instant().plus(WHILE_OTHERS_ARE_ASKED_FOR));
    }
    RunnerRemover.Outcome outcome = new RunnerRemover.Outcome.UnderWay();
    try {
      outcome = requestRemoval(observed, reason);
    } finally {
      gate.end(set, outcome, clock.instant());
      triggerSet(observed.runner()); // a plan may have waited for the end
    }
    return after(outcome, observed);
  }

  /** Asks the remover, and remembers when it may be asked again. Blocks for the request. */
  RunnerRemover.Outcome requestRemoval(ObservedRunner observed, RemovalReason reason) {
    var uid = uid(observed);
    var runner = observed.runnerWithId();
    var outcome =
        observed.isRegistrationInDoubt()
            ? remover.removeAll(runner, reason)
            : remover.removeRegistration(runner, reason);
    var now = clock.instant();
    switch (outcome) {
      case RunnerRemover.Outcome.Removed(var byUs)
          when !byUs && reason == RemovalReason.ENDED_BY_DELETION ->
          // it may have had a job: messages may still come, and RN8 asks after that
          memories.updateRemoval(uid, state -> state.answered(now.plus(AFTER_REFUSAL)));
      case RunnerRemover.Outcome.Removed(var byUs) ->
          memories.updateRemoval(uid, state -> state.removed(now, byUs));
      case RunnerRemover.Outcome.Refused() ->
          memories.updateRemoval(uid, state -> state.answered(now.plus(AFTER_REFUSAL)));
      case RunnerRemover.Outcome.UnderWay(), RunnerRemover.Outcome.ResourceLeft() ->
          memories.updateRemoval(uid, state -> state.answered(now.plus(WHILE_UNDER_WAY)));
      case RunnerRemover.Outcome.Failed(_, var message) -> {
        memories.updateRemoval(uid, state -> state.failed(now));
        events.warn(observed.runner(), EventReason.REMOVAL_FAILED, message);
      }
    }
    return outcome;
  }

  /** Triggers a reconciliation of the runner's EphemeralRunnerSet, if it has one. */
  void triggerSet(EphemeralRunner runner) {
    var labels = runner.getMetadata().getLabels();
    var set = labels == null ? null : labels.get(Labels.SET);
    if (set != null) {
      trigger.trigger(runner.getMetadata().getNamespace(), set);
    }
  }

  void deleteSecret(ObservedRunner observed) {
    delete(observed, "secret", () -> objects.deleteSecret(observed.runner()));
  }

  /** A refusal, as of an admission webhook, blocks what comes after, so an event says it. */
  private void delete(ObservedRunner observed, String what, Runnable deletion) {
    try {
      deletion.run();
    } catch (KubernetesClientException e) {
      events.warn(
          observed.runner(),
          EventReason.RETENTION_FAILED,
          "the controller cannot delete the "
              + what
              + " of the ended runner, and tries again until it can; "
              + e.getMessage());
      throw e;
    }
  }

  private static String uid(ObservedRunner observed) {
    return observed.runner().getMetadata().getUid();
  }

  private static void log(String message, EphemeralRunner runner) {
    LOG.atInfo()
        .addKeyValue("namespace", runner.getMetadata().getNamespace())
        .addKeyValue("runner", runner.getMetadata().getName())
        .log(message);
  }
}
