package dev.runnerset.controller.ephemeralrunner.lifecycle;

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
 * A pod whose runner container has not started. Written about at most once if it starts in good
 * time: not at all within 2 s, else when 2 s are over; later only for a trouble that stands. Pure.
 */
public final class PendingRunnerPlanner {
  /** A pod that starts within this time gets one status write, when it runs (BG1). */
  public static final Duration EARLY_STATUS = Duration.ofSeconds(2);

  /** Kubelets change their mind: a trouble younger than this is not told. */
  public static final Duration TROUBLE_STANDS = Duration.ofSeconds(10);

  private static final Set<String> ON_THE_WAY = Set.of("", "ContainerCreating", "PodInitializing");
  private static final Set<String> IMAGE =
      Set.of("ErrImagePull", RunnerReason.IMAGE_PULL_BACK_OFF.word());

  private PendingRunnerPlanner() {}

  public static RunnerDecision decide(
      ObservedRunner s, PodView pod, RunnerContainer.Waiting waiting) {
    var actions = new ArrayList<RunnerAction>();
    var trouble = standing(s, troubleOf(s, pod, waiting));
    if (trouble != null && !trouble.equals(s.attempt().trouble())) {
      actions.add(new RunnerAction.NoteTrouble(trouble));
    }
    var earlyDue = madeAt(s, pod).plus(EARLY_STATUS);
    var earlyWritten = s.ownStatus().podName() != null;
    var untold =
        trouble != null && !RunnerConditions.tell(s.ownStatus().conditions(), trouble)
            ? trouble
            : null;
    if (!earlyWritten && !earlyDue.isAfter(s.now())) {
      actions.add(new RunnerAction.WriteStatus(RunnerStatuses.pending(s, untold)));
      return new RunnerDecision(actions, null);
    }
    if (!earlyWritten) {
      return new RunnerDecision(actions, earlyDue);
    }
    return untold == null ? new RunnerDecision(actions, null) : tellIfItStands(s, untold, actions);
  }

  private static RunnerDecision tellIfItStands(
      ObservedRunner s, StartProblem trouble, List<RunnerAction> actions) {
    var due = trouble.since().plus(TROUBLE_STANDS);
    if (due.isAfter(s.now())) {
      return new RunnerDecision(actions, due);
    }
    actions.add(new RunnerAction.WriteStatus(RunnerStatuses.pending(s, trouble)));
    return new RunnerDecision(actions, null);
  }

  private static @Nullable StartProblem standing(ObservedRunner s, @Nullable StartProblem now) {
    var before = s.attempt().trouble();
    return now == null || before == null ? now : now.standingSince(before);
  }

  private static @Nullable StartProblem troubleOf(
      ObservedRunner s, PodView pod, RunnerContainer.Waiting waiting) {
    var placement = pod.placement();
    if (placement != null && !placement.scheduled()) {
      var reason = Reason.mirrored(placement.reason(), RunnerReason.UNSCHEDULED);
      return new StartProblem(ConditionType.SCHEDULED, reason, placement.message(), s.now());
    }
    if (ON_THE_WAY.contains(waiting.reason())) {
      return null;
    }
    // the kubelet goes to and fro between the two
    Reason reason =
        IMAGE.contains(waiting.reason())
            ? RunnerReason.IMAGE_PULL_BACK_OFF
            : new Reason.Mirrored(waiting.reason());
    return new StartProblem(ConditionType.STARTED, reason, waiting.message(), s.now());
  }

  private static Instant madeAt(ObservedRunner s, PodView pod) {
    if (s.attempt().podMadeAt() != null) {
      return s.attempt().podMadeAt();
    }
    var created = pod.createdAt();
    if (created == null) {
      return s.now();
    }
    // The server's clock may be ahead of ours: then the early status is due.
    return created.isAfter(s.now()) ? s.now().minus(EARLY_STATUS) : created;
  }
}
