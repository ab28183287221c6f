package dev.runnerset.controller.features.jobpods;

import dev.runnerset.base.Pure;
import dev.runnerset.crds.Protection;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What becomes of one pod or batch job of a job (SH5, RN23). */
@Pure
final class JobPodPlanner {
  private JobPodPlanner() {}

  /** What to do with it. */
  sealed interface Step {
    /** Nothing. */
    record Leave() implements Step {}

    /** Write these marks onto the pod. */
    record Mark(JobPodMarks marks) implements Step {}

    /** Delete it; where its runner is gone, only after the server said so. */
    record Delete() implements Step {}
  }

  private static final Step LEAVE = new Step.Leave();

  /**
   * The next step.
   *
   * @param runner with the name in the label; null if there was never one that is known
   * @param endedAt since when this process knows that the runner has ended, or is gone; null while
   *     it lives
   * @param protection of its set; null while the set is not known
   */
  static Step plan(
      HookObject object,
      @Nullable HookRunner runner,
      @Nullable Instant endedAt,
      @Nullable Protection protection,
      Instant now) {
    if (object.going() || runner == null || !isOf(object, runner)) {
      return LEAVE;
    }
    if (runner.state() == HookRunner.State.LIVES) {
      return protection == null || object.kind() != Pod.class || object.over()
          ? LEAVE
          : marks(object.marks(), runner, protection).<Step>map(Step.Mark::new).orElse(LEAVE);
    }
    return endedAt == null || now.isBefore(endedAt.plus(JobPodTimes.HOOKS_FIRST))
        ? LEAVE
        : new Step.Delete();
  }

  /** Whether the hooks of that runner made it, and not somebody else, or an earlier runner. */
  static boolean isOf(HookObject object, HookRunner runner) {
    var marked = object.marks().runnerUid();
    return HookNames.isPodOf(object.name(), object.runner().name())
        && !object.created().isBefore(runner.created())
        && (marked == null || marked.equals(runner.uid()));
  }

  private static Optional<JobPodMarks> marks(
      JobPodMarks has, HookRunner runner, Protection protection) {
    var wanted =
        switch (protection) {
          case BUSY -> has.shieldedFor(runner);
          case NONE -> has.withoutBudget();
        };
    return wanted.equals(has) ? Optional.empty() : Optional.of(wanted);
  }
}
