package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.ephemeralrunner.lifecycle.PodView.RunnerContainer;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.crds.condition.RunnerReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A runner whose pod exists and whose container has not started. Its status is written at most once
 * before it runs: not at all within 2 s, else when 2 s are over; later only for a problem that
 * lasts.
 */
public final class PendingRunnerPlanner {
  /** A pod that starts within this time gets one status write, when it runs (BG1). */
  public static final Duration EARLY_STATUS = Duration.ofSeconds(2);

  /** The status says a problem after this time: many problems of a kubelet go by themselves. */
  static final Duration PROBLEM_LASTS = Duration.ofSeconds(10);

  private static final Set<String> STARTING = Set.of("", "ContainerCreating", "PodInitializing");
  private static final Set<String> IMAGE =
      Set.of("ErrImagePull", RunnerReason.IMAGE_PULL_BACK_OFF.word());

  private PendingRunnerPlanner() {}

  static RunnerDecision decide(
      ObservedRunner observed, PodView pod, RunnerContainer.Waiting waiting) {
    var actions = new ArrayList<RunnerAction>();
    var before = observed.memory().start().problem();
    var problem = lasting(problemOf(observed, pod, waiting), before);
    if (problem != null && !problem.equals(before)) {
      actions.add(new RunnerAction.NoteProblem(problem));
    }
    var conditions = observed.ownStatus().conditions();
    var unwritten =
        problem != null && !RunnerConditions.hasProblem(conditions, problem) ? problem : null;
    if (observed.ownStatus().podName() == null) {
      var earlyStatusAt = madeAt(observed, pod).plus(EARLY_STATUS);
      if (earlyStatusAt.isAfter(observed.now())) {
        return new RunnerDecision(actions, RequeueTime.at(earlyStatusAt));
      }
      actions.add(new RunnerAction.WriteStatus(RunnerStatuses.pending(observed, unwritten)));
      return new RunnerDecision(actions, RequeueTime.NEVER);
    }
    return unwritten == null
        ? new RunnerDecision(actions, RequeueTime.NEVER)
        : writeIfItLasts(observed, unwritten, actions);
  }

  private static RunnerDecision writeIfItLasts(
      ObservedRunner observed, StartProblem problem, List<RunnerAction> actions) {
    var writeAt = problem.since().plus(PROBLEM_LASTS);
    if (writeAt.isAfter(observed.now())) {
      return new RunnerDecision(actions, RequeueTime.at(writeAt));
    }
    actions.add(new RunnerAction.WriteStatus(RunnerStatuses.pending(observed, problem)));
    return new RunnerDecision(actions, RequeueTime.NEVER);
  }

  private static @Nullable StartProblem lasting(
      @Nullable StartProblem now, @Nullable StartProblem before) {
    return now == null || before == null ? now : now.lastingSince(before);
  }

  private static @Nullable StartProblem problemOf(
      ObservedRunner observed, PodView pod, RunnerContainer.Waiting waiting) {
    var placement = pod.placement();
    if (placement != null && !placement.scheduled()) {
      var reason = Reason.mirrored(placement.reason(), RunnerReason.UNSCHEDULED);
      return new StartProblem(ConditionType.SCHEDULED, reason, placement.message(), observed.now());
    }
    if (STARTING.contains(waiting.reason())) {
      return null;
    }
    // the kubelet alternates between the two
    Reason reason =
        IMAGE.contains(waiting.reason())
            ? RunnerReason.IMAGE_PULL_BACK_OFF
            : new Reason.Mirrored(waiting.reason());
    return new StartProblem(ConditionType.STARTED, reason, waiting.message(), observed.now());
  }

  private static Instant madeAt(ObservedRunner observed, PodView pod) {
    var made = observed.memory().start().podMadeAt();
    if (made != null) {
      return made;
    }
    var created = pod.createdAt();
    if (created == null) {
      return observed.now();
    }
    // The server's clock may be ahead of ours; then the early status is due.
    return created.isAfter(observed.now()) ? observed.now().minus(EARLY_STATUS) : created;
  }
}
