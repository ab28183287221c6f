package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.base.Detail;
import dev.runnerset.base.RequeueTime;
import dev.runnerset.connection.AccessReasons;
import dev.runnerset.controller.caches.RunnerCache;
import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.ephemeralrunner.lifecycle.EphemeralRunnerTimes;
import dev.runnerset.controller.ephemeralrunner.lifecycle.FinalizerPlanner;
import dev.runnerset.controller.ephemeralrunner.lifecycle.LostJobPlanner;
import dev.runnerset.controller.ephemeralrunner.lifecycle.ObservedRunner;
import dev.runnerset.controller.ephemeralrunner.lifecycle.PodView;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerAction;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerExit;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerLifecycle;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerStatuses;
import dev.runnerset.controller.ephemeralrunner.lifecycle.StartProblem;
import dev.runnerset.controller.ephemeralrunner.lifecycle.StartState;
import dev.runnerset.controller.ephemeralrunner.lifecycle.WrittenStatus;
import dev.runnerset.controller.ephemeralrunner.start.QuotaTurns;
import dev.runnerset.controller.ephemeralrunner.start.RunnerObjects;
import dev.runnerset.controller.ephemeralrunner.start.RunnerStart;
import dev.runnerset.controller.ephemeralrunner.start.RunnerStart.Outcome;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.memory.Slots.Slot;
import dev.runnerset.controller.ownership.LogLines;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RunnerRemover;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.condition.AccessReason;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.EventReason;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.crds.condition.RunnerReason;
import dev.runnerset.kube.Denial;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** Carries out what {@link RunnerLifecycle} decided: every side effect on a runner is here. */
final class RunnerActions {
  private static final Logger LOG = LoggerFactory.getLogger(RunnerActions.class);

  /** Requeue after a deletion: its event may never arrive. */
  @Detail private static final Duration AFTER_DELETION = Duration.ofMillis(200);

  /** The remover soon writes into the status when it may be asked again; until then this holds. */
  @Detail private static final Duration AFTER_REFUSAL = Duration.ofSeconds(30);

  /** Until a removal that is under way, or has left the resource, is asked for again. */
  @Detail private static final Duration WHILE_UNDER_WAY = Duration.ofSeconds(2);

  /** Other runners of the set are being asked for, or its refusals are spent. */
  @Detail private static final Duration WHILE_OTHERS_ARE_ASKED_FOR = Duration.ofMillis(500);

  /** Between reads of a pod that runs while the cache does not show it. */
  @Detail private static final Duration BETWEEN_READS = Duration.ofSeconds(10);

  /** The status does not say a single failure: a removal is tried again after 2 s. */
  private static final int REPORTED_AFTER = 2;

  /** How long the deletion of a pod is tried that no role allows, before the pod is left. */
  static final Duration LONGEST_REFUSED = Duration.ofMinutes(5);

  /** Since when the pod cannot be deleted. */
  private static final Slot<Instant> REFUSED_SINCE = new Slot<>();

  private final RunnerStart start;
  private final RunnerRemover remover;
  private final RunnerCalls calls;
  private final LivePodReader livePods;
  private final LostJobs lostJobs;
  private final SharedWithSets shared;
  private final RunnerPassEnvironment environment;
  private final RunnerObjects objects;
  private final Events events;
  private final RunnerMemories memories;
  private final Clock clock;
  private final QuotaTurns quotas = new QuotaTurns();

  RunnerActions(
      RunnerStart start,
      RunnerRemover remover,
      RunnerCalls calls,
      SharedWithSets shared,
      RunnerPassEnvironment environment,
      RunnerMemories memories) {
    this.start = start;
    this.remover = remover;
    this.calls = calls;
    this.shared = shared;
    this.environment = environment;
    this.livePods = new LivePodReader(environment, memories);
    this.lostJobs = new LostJobs(environment, shared.memories());
    this.objects = environment.objects();
    this.events = environment.events();
    this.memories = memories;
    this.clock = environment.clock();
  }

  /**
   * Carries out one action. Blocks for requests of the API server.
   *
   * @return when to reconcile again because of it; empty if the pass must stop, since the service
   *     is asked
   */
  Optional<RequeueTime> apply(RunnerAction action, ObservedRunner observed, RunnerCaches caches) {
    return switch (action) {
      case RunnerAction.Start(var template) -> start(observed, template, caches.writes());
      case RunnerAction.RemoveRegistration(var reason) ->
          reason == RemovalReason.ENDED_BY_DELETION
              ? requestWithinBudget(
                  observed, Objects.requireNonNull(observed.set()), reason, caches.writes())
              : requestRemoval(observed, reason, caches.writes(), outcome -> {});
      default -> Optional.of(applyHere(action, observed, caches));
    };
  }

  private RequeueTime applyHere(RunnerAction action, ObservedRunner observed, RunnerCaches caches) {
    var uid = uid(observed);
    var cache = caches.writes();
    return switch (action) {
      case RunnerAction.Start _, RunnerAction.RemoveRegistration _ ->
          throw new IllegalArgumentException("it asks the service");
      case RunnerAction.GiveUp() ->
          started(
              start.outcome(observed.runner(), observed.runnerId()),
              observed.memory().start(),
              observed,
              cache);
      case RunnerAction.Replace(var why) -> replace(observed.runner(), why);
      case RunnerAction.ConfirmLoss() -> confirmLoss(observed, cache);
      case RunnerAction.ReportLoss() -> write(observed, LostJobs.lost(observed.ownStatus()), cache);
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
        delete(observed, "pod", () -> objects.deletePod(observed.runnerWithId()));
        yield RequeueTime.NEVER;
      }
      case RunnerAction.ReportWaiting(var reason, var why) -> {
        report(reason, why, observed, cache);
        yield RequeueTime.NEVER;
      }
      case RunnerAction.LeaveRegistration() -> leaveRegistration(observed, caches);
      case RunnerAction.RemoveFinalizer(var why) -> removeFinalizer(observed, why, caches);
    };
  }

  // --- the start

  private Optional<RequeueTime> start(
      ObservedRunner observed, PodTemplateSpec template, WriteCache cache) {
    var quota = quotaTurn(observed);
    if (quota.isPresent()) {
      return quota;
    }
    var uid = uid(observed);
    var state = observed.memory().start();
    // INVARIANT (I6): if the step ends without an answer, there is no other attempt.
    Runnable beforeSending = () -> memories.updateStart(uid, now -> now.uncertain(null));
    return switch (start.goOn(observed.runner(), template, state, beforeSending)) {
      case Outcome.Asks(var call) ->
          calls.send(
              observed,
              cache,
              () -> {
                var answer = call.get();
                // known also if the answer comes too late for the start: it is removed then
                memories.updateStart(uid, now -> now.uncertain(answer.runnerId()));
                return (seen, writes) -> started(answer.goesOn().get(), state, seen, writes);
              });
      case Outcome outcome -> Optional.of(started(outcome, state, observed, cache));
    };
  }

  /** When to come back if a quota refuses others of the set; empty if the start may go on. */
  private Optional<RequeueTime> quotaTurn(ObservedRunner observed) {
    var state = observed.memory().start();
    var now = clock.instant();
    return RunnerCache.setOf(observed.runner())
        .flatMap(set -> quotas.ask(set, uid(observed), state.runnerId() != null, now))
        .map(turn ->
            waits(
                observed,
                state,
                turn.until(),
                new StartProblem(
                    ConditionType.SCHEDULED, RunnerReason.WAITS_FOR_QUOTA, turn.words(), now)));
  }

  private RequeueTime waits(
      ObservedRunner observed, StartState from, Instant until, @Nullable StartProblem problem) {
    var memory = memories.updateStart(uid(observed), state -> from.waiting(problem, until));
    var next = RunnerLifecycle.decide(observed.with(memory)); // may report a problem
    return next.actions().isEmpty() ? next.requeue() : atOnce();
  }

  /**
   * What an attempt came to.
   *
   * @param before the state of the start before the attempt
   */
  private RequeueTime started(
      Outcome outcome, StartState before, ObservedRunner observed, WriteCache cache) {
    var runner = observed.runner();
    var uid = uid(observed);
    return switch (outcome) {
      case Outcome.Made(var pod) -> {
        var now = clock.instant();
        RunnerCache.setOf(runner).ifPresent(set -> quotas.made(set, uid));
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
        yield RequeueTime.at(now.plus(EphemeralRunnerTimes.EARLY_STATUS));
      }
      case Outcome.LeftBehind(var why) -> {
        // if the write fails, the next reconciliation finds the same again
        memories.updateStart(uid, state -> before);
        yield observed.isStandalone()
            ? write(
                observed, RunnerStatuses.failed(observed, RunnerReason.START_UNKNOWN, why), cache)
            : replace(runner, why);
      }
      case Outcome.Asks _ -> throw new IllegalArgumentException("no outcome yet");
      case Outcome.Unknown(var id) -> {
        memories.updateStart(uid, state -> state.uncertain(id));
        yield atOnce(); // the next decision gives the start up, or finds its pod
      }
      case Outcome.GivenUp(var id, var reason, var message) -> {
        var memory = memories.updateStart(uid, state -> state.uncertain(id));
        events.warn(runner, reason, message);
        var status = RunnerStatuses.failed(observed.with(memory), reason, message);
        yield write(observed.with(memory), status, cache);
      }
      case Outcome.TryAgain(var from, var condition, var reason, var message, var asked) -> {
        events.warn(runner, reason, message);
        var now = clock.instant();
        var problem = new StartProblem(condition, reason, message, now);
        boolean isQuota = problem.isOfQuota();
        if (isQuota) {
          RunnerCache.setOf(runner).ifPresent(set -> quotas.refused(set, uid, message, now));
        }
        var wait = isQuota ? QuotaTurns.TRIES_AGAIN : asked;
        memories.updateStart(uid, state -> from.failed(problem, wait));
        yield atOnce(); // the next decision says when
      }
      case Outcome.Waits(var from, var turn) -> {
        var why = turn.why();
        var problem =
            why == null
                ? null
                : new StartProblem(
                    ConditionType.REGISTRATION_MADE,
                    AccessReasons.of(why),
                    why.details().sentence(),
                    clock.instant());
        yield waits(observed, from, turn.until(), problem);
      }
      case Outcome.NamespaceGone(var id) -> {
        memories.updateStart(uid, state -> state.parked(id));
        log("the namespace of a runner is being deleted: nothing more is made in it", runner);
        yield RequeueTime.NEVER;
      }
    };
  }

  private RequeueTime replace(EphemeralRunner runner, String why) {
    line(runner).addKeyValue("why", why).log("replacing a runner that has not started");
    objects.deleteRunner(runner);
    return RequeueTime.at(clock.instant().plus(AFTER_DELETION));
  }

  private RequeueTime atOnce() {
    return RequeueTime.at(clock.instant());
  }

  // --- the status

  private RequeueTime confirmLoss(ObservedRunner observed, WriteCache cache) {
    return livePods.read(observed, cache).isPresent()
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
    var status = observed.withWhatKeepsIt(withEvidence(observed, decided));
    boolean kept = status.isTerminal() && observed.isKeptWith(status);
    boolean begun = RunnerStatuses.tellsOfItsStart(observed.ownStatus());
    if (kept && begun) {
      deleteSecret(observed); // first: when the status says the end, no JIT config is left (RT12)
    }
    lostJobs.keep(observed, status);
    // what this process sent is there unless somebody wiped it
    var before = observed.isWiped() ? EphemeralRunnerStatus.NONE : observed.ownStatus();
    var stored = objects.writeStatus(observed.runner(), before, status);
    stored.ifPresent(after -> cache.changed(observed.runner(), after));
    lostJobs.report(observed, status);
    var version = stored.map(runner -> runner.getMetadata().getResourceVersion()).orElse(null);
    var written = new WrittenStatus(status, version);
    memories.update(uid(observed), memory -> memory.with(written));
    line(observed.runner())
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
    return RunnerStatuses.with(
        status, environment.evidence().with(observed.runnerWithId(), failure));
  }

  // --- the end

  /** Remembers an exit; a new one triggers its EphemeralRunnerSet. */
  private void noteExit(EphemeralRunner runner, RunnerExit exit) {
    if (shared.exits().record(runner, exit)) {
      log("the container of a runner ended", runner);
      triggerSet(runner);
    }
  }

  /** Asks unless other runners of the set are asked for: a refusal counts as one of its set. */
  private Optional<RequeueTime> requestWithinBudget(
      ObservedRunner observed, EphemeralRunnerSet set, RemovalReason reason, WriteCache cache) {
    if (!shared.gate().begin(set, clock.instant())) {
      return Optional.of(RequeueTime.at(clock.instant().plus(WHILE_OTHERS_ARE_ASKED_FOR)));
    }
    return requestRemoval(
        observed,
        reason,
        cache,
        outcome -> {
          shared.gate().end(set, outcome, clock.instant());
          triggerSet(observed.runner()); // a plan may have waited for the end
        });
  }

  /**
   * Asks the remover, and remembers when it may be asked again.
   *
   * @param ended called when the request has ended, on its thread
   */
  private Optional<RequeueTime> requestRemoval(
      ObservedRunner observed,
      RemovalReason reason,
      WriteCache cache,
      Consumer<RunnerRemover.Outcome> ended) {
    return calls.send(
        observed,
        cache,
        () -> {
          RunnerRemover.Outcome outcome = new RunnerRemover.Outcome.UnderWay();
          try {
            outcome = remove(observed, reason);
          } finally {
            ended.accept(outcome);
          }
          var answer = outcome;
          return (seen, writes) -> removed(answer, seen, writes);
        });
  }

  /** What came of it is remembered at once: it holds whatever becomes of the runner meanwhile. */
  private RunnerRemover.Outcome remove(ObservedRunner observed, RemovalReason reason) {
    var uid = uid(observed);
    var runner = observed.runnerWithId();
    var outcome =
        observed.isRegistrationInDoubt()
            ? remover.removeAll(runner, reason)
            : remover.removeRegistration(runner, reason);
    var now = clock.instant();
    memories.updateRemoval(
        uid,
        state ->
            switch (outcome) {
              case RunnerRemover.Outcome.Removed(var byUs)
                  when !byUs && reason == RemovalReason.ENDED_BY_DELETION ->
                  // it may have had a job: messages may still come, and RN8 asks after that
                  state.answered(now.plus(AFTER_REFUSAL));
              case RunnerRemover.Outcome.Removed(var byUs) -> state.removed(now, byUs);
              case RunnerRemover.Outcome.Refused() ->
                  state.refused(now.plus(AFTER_REFUSAL), observed.isJobCompleted());
              case RunnerRemover.Outcome.UnderWay(), RunnerRemover.Outcome.ResourceLeft() ->
                  state.answered(now.plus(WHILE_UNDER_WAY));
              // the minute without credentials is that of the deletion (RN11)
              case RunnerRemover.Outcome.Failed(var why, _) ->
                  state.failed(
                      now, why == AccessReason.SECRET_NOT_FOUND && runner.isMarkedForDeletion());
            });
    return outcome;
  }

  /** Reports what keeps the registration, if the runner waits for its removal. */
  private RequeueTime removed(
      RunnerRemover.Outcome outcome, ObservedRunner observed, WriteCache cache) {
    var runner = observed.runner();
    var removal = memories.of(uid(observed)).removal();
    if (outcome instanceof RunnerRemover.Outcome.Refused && runner.isMarkedForDeletion()) {
      report(RunnerReason.JOB_RUNNING, FinalizerPlanner.REFUSED, observed, cache);
    }
    if (outcome instanceof RunnerRemover.Outcome.Failed(var why, var message)) {
      events.warn(runner, EventReason.REMOVAL_FAILED, message);
      if (runner.isMarkedForDeletion() && removal.failures() >= REPORTED_AFTER) {
        report(why, "its registration cannot be removed: " + message, observed, cache);
      }
    }
    return outcome instanceof RunnerRemover.Outcome.Removed
        ? atOnce()
        : RequeueTime.at(removal.notBefore());
  }

  /** Triggers a reconciliation of the runner's EphemeralRunnerSet, if it has one. */
  private void triggerSet(EphemeralRunner runner) {
    RunnerCache.setOf(runner).ifPresent(shared.trigger());
  }

  private void deleteSecret(ObservedRunner observed) {
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
      events.warn(observed.runner(), EventReason.DELETION_WAITS, message);
      var _ = write(observed, status, cache);
    }
  }

  /** INVARIANT (I1): the server, not the cache, says that no pod runs; the cache may be behind. */
  private RequeueTime leaveRegistration(ObservedRunner observed, RunnerCaches caches) {
    var pod = livePods.read(observed, caches.writes());
    if (pod.isPresent() && FinalizerPlanner.mayRunnerRun(observed.with(pod.get()))) {
      return RequeueTime.at(clock.instant().plus(BETWEEN_READS));
    }
    deleteSecret(observed); // a pod that a late request still makes cannot start (I1)
    events.warn(
        observed.runner(),
        EventReason.REGISTRATION_MAY_BE_LEFT,
        "the controller has no credentials to remove the runner's registration; the deletion of its"
            + " scale set removes it");
    return removeFinalizer(observed, "no credentials", caches);
  }

  /**
   * The one way out. INVARIANT (SH4): no runner goes before the deletion of its pod is accepted,
   * since the garbage collector may not delete a pod that has not ended. After a crash in between
   * the next pass finds the pod being deleted.
   */
  private RequeueTime removeFinalizer(ObservedRunner observed, String why, RunnerCaches caches) {
    var runner = observed.runner();
    try {
      switch (FinalizerPlanner.podDeletion(observed)) {
        case NONE -> {}
        case UNLESS_OVER -> objects.deletePodUnlessOver(observed.runnerWithId());
        case ALWAYS -> objects.deletePod(observed.runnerWithId());
      }
    } catch (KubernetesClientException e) {
      var now = clock.instant();
      var since = shared.memories().of(runner).begin(REFUSED_SINCE, () -> now);
      if (Denial.of(e).isEmpty() || now.isBefore(since.plus(LONGEST_REFUSED))) {
        block(
            RunnerReason.POD_NOT_DELETED,
            "the controller cannot delete the runner's pod, and tries again until it can; "
                + e.getMessage(),
            observed,
            caches.writes());
        return RequeueTime.at(now.plus(BETWEEN_READS));
      }
      reportLeftPod(runner, e);
    }
    shared.memories().of(runner).clear(REFUSED_SINCE);
    line(runner).addKeyValue("why", why).log("removing a runner's finalizer");
    // what is pending is reported now, since nobody can report it later
    if (LostJobPlanner.isPending(observed)) {
      var _ = write(observed, LostJobs.lost(observed.ownStatus()), caches.writes());
    } else {
      lostJobs.reportDeleted(observed);
    }
    triggerSet(runner);
    caches.removeFinalizer(runner);
    return RequeueTime.NEVER;
  }

  /** The registration is gone, so the pod gets no job; the runner would hold its namespace. */
  private void reportLeftPod(EphemeralRunner runner, KubernetesClientException refusal) {
    var meta = runner.getMetadata();
    events.warn(
        runner,
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

  private static void log(String message, EphemeralRunner runner) {
    line(runner).log(message);
  }

  private static LoggingEventBuilder line(EphemeralRunner runner) {
    return LogLines.about(runner, LOG.atInfo());
  }
}
