package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.ephemeralrunner.lifecycle.PodView.RunnerContainer;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.crds.condition.RunnerReason;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A runner whose pod exists and whose container has not started. The status reports a problem that
 * lasts, and a pod that has not started after {@link EphemeralRunnerTimes#EARLY_STATUS}; other
 * starts cost no write.
 */
public final class PendingRunnerPlanner {
  private static final Set<String> STARTING = Set.of("", "ContainerCreating", "PodInitializing");
  private static final Set<String> IMAGE =
      Set.of("ErrImagePull", RunnerReason.IMAGE_PULL_BACK_OFF.word());

  private PendingRunnerPlanner() {}

  static Optional<RunnerDecision> decide(ObservedRunner observed) {
    var pod = observed.pod();
    return pod != null && pod.runner() instanceof RunnerContainer.Waiting waiting
        ? Optional.of(ofPending(observed, pod, waiting))
        : Optional.empty();
  }

  private static RunnerDecision ofPending(
      ObservedRunner observed, PodView pod, RunnerContainer.Waiting waiting) {
    var before = observed.memory().start().problem();
    var problem = lasting(problemOf(observed, pod, waiting), before);
    var step = OverdueStartPlanner.pending(observed, pod, madeAt(observed, pod), problem);
    if (step.isOver(observed.now()) && !observed.hadJob()) {
      return OverdueStartPlanner.end(observed, step.reason(), step.message());
    }
    var reported = reported(observed, pod, problem);
    var decision =
        problem == null || problem.equals(before)
            ? reported
            : reported.after(new RunnerAction.NoteProblem(problem));
    return step.isOver(observed.now()) ? decision : decision.by(step.until());
  }

  /** What the status says of the start: that there is a pod, and what keeps it from starting. */
  private static RunnerDecision reported(
      ObservedRunner observed, PodView pod, @Nullable StartProblem problem) {
    var before = observed.ownStatus();
    var unreported =
        problem == null || RunnerConditions.hasProblem(before.conditions(), problem)
            ? null
            : problem;
    var reportAt = unreported == null ? null : unreported.since().plus(lasts(pod, unreported));
    var firstAt =
        before.podName() == null
            ? madeAt(observed, pod).plus(EphemeralRunnerTimes.EARLY_STATUS)
            : null;
    var writeAt = RequeueTime.at(reportAt).or(firstAt).at();
    if (writeAt == null || writeAt.isAfter(observed.now())) {
      return RunnerDecision.nothing().by(writeAt);
    }
    boolean lasts = reportAt != null && !reportAt.isAfter(observed.now());
    // that the kubelet makes a container is a problem only when it lasts
    return unreported != null && unreported.reason() == RunnerReason.CONTAINER_CREATING && !lasts
        ? RunnerDecision.write(RunnerStatuses.pending(observed, null)).by(reportAt)
        : RunnerDecision.write(RunnerStatuses.pending(observed, unreported));
  }

  private static Duration lasts(PodView pod, StartProblem problem) {
    if (problem.reason() != RunnerReason.CONTAINER_CREATING) {
      return EphemeralRunnerTimes.PROBLEM_LASTS;
    }
    return pod.sandboxReady()
        ? EphemeralRunnerTimes.PULLING_LASTS
        : EphemeralRunnerTimes.CREATING_LASTS;
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
      return pod.obstacle() == null ? creating(observed, pod) : obstacle(observed, pod.obstacle());
    }
    // the kubelet alternates between the two
    return new StartProblem(
        ConditionType.STARTED, reason(waiting.reason()), waiting.message(), observed.now());
  }

  private static Reason reason(String ofKubelet) {
    return IMAGE.contains(ofKubelet)
        ? RunnerReason.IMAGE_PULL_BACK_OFF
        : new Reason.Mirrored(ofKubelet);
  }

  private static StartProblem obstacle(ObservedRunner observed, PodView.Obstacle obstacle) {
    return new StartProblem(
        ConditionType.STARTED, reason(obstacle.reason()), obstacle.sentence(), observed.now());
  }

  /** The kubelet does not say what it waits for; the events of the pod do. */
  private static @Nullable StartProblem creating(ObservedRunner observed, PodView pod) {
    if (pod.placement() == null || pod.initializing()) {
      return null;
    }
    var what =
        pod.sandboxReady()
            ? "the node pulls the image, and has not started the container yet"
            : "the node has not made the container yet: a volume, secret or config map of the pod is"
                + " missing, or its network";
    var message = what + "; kubectl describe pod " + pod.name() + " has its events";
    return new StartProblem(
        ConditionType.STARTED, RunnerReason.CONTAINER_CREATING, message, observed.now());
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
    return created.isAfter(observed.now())
        ? observed.now().minus(EphemeralRunnerTimes.EARLY_STATUS)
        : created;
  }
}
