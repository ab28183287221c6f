package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.controller.podspec.RunnerPod;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.crds.Timestamps;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.crds.condition.RunnerReason;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A runner of which nothing is made yet: start it, wait, or replace it (RN1, RN2). Pure. */
public final class UnstartedRunnerPlanner {
  private static final Duration SOON = Duration.ofMillis(200);
  private static final Duration RARELY = Duration.ofSeconds(30);

  /**
   * A quota may get room and a webhook may be repaired, so a forbidden pod is tried again; but
   * until it is made, its runner holds a place of the set. As {@code deadlines.scheduling} by
   * default: the deadlines of the spec are not in force yet.
   */
  public static final Duration FORBIDDEN_AT_MOST = Duration.ofMinutes(10);

  private UnstartedRunnerPlanner() {}

  public static RunnerDecision decide(ObservedRunner s) {
    var attempt = s.attempt();
    switch (attempt.stage()) {
      case PARKED -> {
        return RunnerDecision.nothing();
      }
      case UNCERTAIN -> {
        // INVARIANT (I6): a pod may come of the last try, so there is no other one
        return RunnerDecision.now(new RunnerAction.GiveUp());
      }
      case UNSEEN, NEW, REGISTERED, PREPARED, MADE -> {
        if (s.registrationGone() && !s.isStandalone()) {
          return RunnerDecision.now(new RunnerAction.Replace("its registration was removed"));
        }
      }
    }
    if (!s.isStandalone() && s.set() != null && isOfAnotherScaleSet(s.set(), s)) {
      return fromSet(s, s.set()); // no try succeeds any more: the backoff of the last one ends
    }
    var forbidden = forbidden(attempt.trouble());
    if (forbidden != null && !forbidden.since().plus(FORBIDDEN_AT_MOST).isAfter(s.now())) {
      return failed(s, forbidden.reason(), forbidden.message());
    }
    if (attempt.notBefore() != null && attempt.notBefore().isAfter(s.now())) {
      return waiting(
          s,
          forbidden == null
              ? attempt.notBefore()
              : earlier(attempt.notBefore(), forbidden.since().plus(FORBIDDEN_AT_MOST)));
    }
    return s.isStandalone() ? start(s, s.runner().getSpec().template()) : fromSet(s, s.set());
  }

  private static @Nullable StartProblem forbidden(@Nullable StartProblem trouble) {
    return trouble != null && trouble.condition() == ConditionType.SCHEDULED ? trouble : null;
  }

  private static Instant earlier(Instant a, Instant b) {
    return a.isBefore(b) ? a : b;
  }

  private static RunnerDecision failed(ObservedRunner s, Reason reason, String message) {
    var failure = RunnerStatuses.failure(reason, message, null);
    return RunnerDecision.now(
        new RunnerAction.WriteStatus(
            RunnerStatuses.failed(s, RunnerPhase.FAILED, s.now(), failure)));
  }

  private static RunnerDecision waiting(ObservedRunner s, Instant until) {
    var trouble = s.attempt().trouble();
    if (trouble == null || RunnerConditions.tell(s.ownStatus().conditions(), trouble)) {
      return RunnerDecision.lookAgain(until);
    }
    var tellAt = trouble.since().plus(PendingRunnerPlanner.TROUBLE_STANDS);
    if (tellAt.isAfter(s.now()) && trouble.condition().equals(ConditionType.REGISTERED)) {
      return RunnerDecision.lookAgain(tellAt.isBefore(until) ? tellAt : until);
    }
    return RunnerDecision.lookAgain(
        until, new RunnerAction.WriteStatus(RunnerStatuses.pending(s, trouble)));
  }

  private static RunnerDecision fromSet(ObservedRunner s, @Nullable EphemeralRunnerSet set) {
    var spec = s.runner().getSpec();
    if (set == null || !owns(set, s)) {
      return RunnerDecision.lookAgain(later(s));
    }
    var wanted = Objects.requireNonNullElse(spec.setGeneration(), 0L);
    if (Objects.requireNonNullElse(set.getMetadata().getGeneration(), 0L) < wanted) {
      return RunnerDecision.lookAgain(later(s)); // the cache is behind what made this runner
    }
    if (!Objects.equals(set.getSpec().revision(), spec.revision())) {
      return RunnerDecision.now(new RunnerAction.Replace("its revision is gone"));
    }
    if (isOfAnotherScaleSet(set, s)) {
      return RunnerDecision.now(new RunnerAction.Replace("its scale set is gone"));
    }
    return start(s, set.getSpec().template());
  }

  private static RunnerDecision start(ObservedRunner s, @Nullable PodTemplateSpec template) {
    var problem = RunnerPod.problemOf(template);
    if (problem.isPresent() || template == null) {
      return failed(s, RunnerReason.INVALID_TEMPLATE, problem.orElse(""));
    }
    return RunnerDecision.now(new RunnerAction.Start(template));
  }

  /** Its set was registered anew, as after somebody deleted the scale set at the service. */
  private static boolean isOfAnotherScaleSet(EphemeralRunnerSet set, ObservedRunner s) {
    return !Objects.equals(
        set.getSpec().runnerScaleSetId(), s.runner().getSpec().runnerScaleSetId());
  }

  private static boolean owns(EphemeralRunnerSet set, ObservedRunner s) {
    return s.runner().getMetadata().getOwnerReferences().stream()
        .anyMatch(owner -> Objects.equals(owner.getUid(), set.getMetadata().getUid()));
  }

  /** In 200 ms; for one that waits long already in a quarter of its age, at most 30 s. */
  private static Instant later(ObservedRunner s) {
    var created = Timestamps.parse(s.runner().getMetadata().getCreationTimestamp());
    var age = created == null ? Duration.ZERO : Duration.between(created, s.now());
    // creation times are cut to seconds: the first two seconds count as none
    var wait = age.minusSeconds(2).dividedBy(4);
    if (wait.compareTo(SOON) < 0) {
      wait = SOON;
    }
    return s.now().plus(wait.compareTo(RARELY) > 0 ? RARELY : wait);
  }
}
