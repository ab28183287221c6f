package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.base.Detail;
import dev.runnerset.controller.podspec.RunnerPod;
import dev.runnerset.controller.timing.Pause;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.Protection;
import dev.runnerset.crds.StoredTemplate;
import dev.runnerset.crds.Timestamps;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.crds.condition.RunnerReason;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A runner without a pod so far: start it, wait, or replace it (RN1, RN2). */
final class UnstartedRunnerPlanner {
  /** The shortest wait for the cache, which may not show a pod yet. */
  @Detail private static final Duration SHORTEST_CACHE_WAIT = Duration.ofMillis(200);

  /** The longest wait for the cache, for an old runner. */
  @Detail private static final Duration LONGEST_CACHE_WAIT = Duration.ofSeconds(30);

  private UnstartedRunnerPlanner() {}

  static Optional<RunnerDecision> decide(ObservedRunner observed) {
    return observed.pod() == null ? Optional.of(ofUnstarted(observed)) : Optional.empty();
  }

  private static RunnerDecision ofUnstarted(ObservedRunner observed) {
    var start = observed.memory().start();
    switch (start.stage()) {
      case PARKED -> {
        return RunnerDecision.nothing();
      }
      case UNCERTAIN -> {
        // INVARIANT (I6): the last attempt may still make a pod, so there is no other attempt
        return RunnerDecision.now(new RunnerAction.GiveUp());
      }
      case UNSEEN, PERHAPS_REGISTERED, NEW, REGISTERED, PREPARED, MADE -> {
        if (observed.isRegistrationGone() && !observed.isStandalone()) {
          return RunnerDecision.now(new RunnerAction.Replace("its registration was removed"));
        }
      }
    }
    var set = observed.set();
    if (!observed.isStandalone() && set != null && isOfAnotherScaleSet(set, observed)) {
      return fromSet(observed, set); // no attempt can succeed any more: do not wait for the backoff
    }
    var refusal = refusalOfPod(start);
    // a quota may get room, a webhook may be repaired; until then the runner holds a place
    var giveUpAt = giveUpAt(observed, refusal);
    if (refusal != null && giveUpAt != null && !giveUpAt.isAfter(observed.now())) {
      return refusal.isOfQuota() && !observed.isStandalone()
          ? RunnerDecision.now(new RunnerAction.Replace("a quota has had no room for it"))
          : failed(observed, refusal.reason(), refusal.message());
    }
    var notBefore = start.notBefore();
    if (notBefore != null && Pause.isOn(notBefore, StartState.LONGEST_WAIT, observed.now())) {
      return waiting(observed).by(notBefore).by(giveUpAt);
    }
    return observed.isStandalone()
        ? start(observed, observed.runner().getSpec().template(), null)
        : fromSet(observed, set);
  }

  /**
   * When a start is given up; null while nothing refuses it, or a quota does and it holds nothing.
   */
  private static @Nullable Instant giveUpAt(
      ObservedRunner observed, @Nullable StartProblem refusal) {
    boolean holdsNothing = observed.memory().start().runnerId() == null;
    return refusal == null || (refusal.isOfQuota() && holdsNothing && !observed.isStandalone())
        ? null
        : refusal.since().plus(StartDeadlines.of(observed).scheduling());
  }

  /** What the API server said when it refused the pod or its secret for the time being, or null. */
  private static @Nullable StartProblem refusalOfPod(StartState start) {
    var problem = start.problem();
    return problem != null && problem.condition() == ConditionType.SCHEDULED ? problem : null;
  }

  private static RunnerDecision failed(ObservedRunner observed, Reason reason, String message) {
    return RunnerDecision.write(RunnerStatuses.failed(observed, reason, message));
  }

  /** What is reported while the next attempt is awaited. */
  private static RunnerDecision waiting(ObservedRunner observed) {
    var problem = observed.memory().start().problem();
    if (problem == null
        || RunnerConditions.hasProblem(observed.ownStatus().conditions(), problem)) {
      return RunnerDecision.nothing();
    }
    var writeAt = problem.since().plus(EphemeralRunnerTimes.PROBLEM_LASTS);
    return writeAt.isAfter(observed.now()) && problem.condition() == ConditionType.REGISTRATION_MADE
        ? RunnerDecision.at(writeAt)
        : RunnerDecision.write(RunnerStatuses.pending(observed, problem));
  }

  private static RunnerDecision fromSet(ObservedRunner observed, @Nullable EphemeralRunnerSet set) {
    var spec = observed.runner().getSpec();
    if (set == null || !owns(set, observed)) {
      return RunnerDecision.at(whenCacheMayBeCurrent(observed));
    }
    var madeFrom = Objects.requireNonNullElse(spec.setGeneration(), 0L);
    if (Objects.requireNonNullElse(set.getMetadata().getGeneration(), 0L) < madeFrom) {
      // the cache shows the set as it was before this runner was made
      return RunnerDecision.at(whenCacheMayBeCurrent(observed));
    }
    if (!Objects.equals(set.getSpec().revision(), spec.revision())) {
      return RunnerDecision.now(new RunnerAction.Replace("its set has another revision now"));
    }
    if (isOfAnotherScaleSet(set, observed)) {
      return RunnerDecision.now(new RunnerAction.Replace("its set has another scale set now"));
    }
    return start(observed, set.getSpec().template(), set.getSpec().protection());
  }

  private static RunnerDecision start(
      ObservedRunner observed, @Nullable StoredTemplate stored, @Nullable Protection protection) {
    var problem = RunnerPod.problemOf(stored);
    var template = stored == null ? null : stored.podTemplate();
    if (problem.isPresent() || template == null) {
      return failed(observed, RunnerReason.INVALID_TEMPLATE, problem.orElse(""));
    }
    var shielded = Shield.onto(template, protection, observed.isStandalone());
    return RunnerDecision.now(new RunnerAction.Start(shielded));
  }

  /** Whether the set was registered again, as after somebody deleted its scale set. */
  private static boolean isOfAnotherScaleSet(EphemeralRunnerSet set, ObservedRunner observed) {
    return !Objects.equals(
        set.getSpec().runnerScaleSetId(), observed.runner().getSpec().runnerScaleSetId());
  }

  private static boolean owns(EphemeralRunnerSet set, ObservedRunner observed) {
    return observed.runner().getMetadata().getOwnerReferences().stream()
        .anyMatch(owner -> Objects.equals(owner.getUid(), set.getMetadata().getUid()));
  }

  /** In 200 ms; for an older runner in a quarter of its age, at most in 30 s. */
  private static Instant whenCacheMayBeCurrent(ObservedRunner observed) {
    var created = Timestamps.parse(observed.runner().getMetadata().getCreationTimestamp());
    var age = created == null ? Duration.ZERO : Duration.between(created, observed.now());
    // creation times are cut to seconds, so the first two seconds count as none
    var wait = age.minusSeconds(2).dividedBy(4);
    if (wait.compareTo(SHORTEST_CACHE_WAIT) < 0) {
      wait = SHORTEST_CACHE_WAIT;
    }
    return observed.now().plus(wait.compareTo(LONGEST_CACHE_WAIT) > 0 ? LONGEST_CACHE_WAIT : wait);
  }
}
