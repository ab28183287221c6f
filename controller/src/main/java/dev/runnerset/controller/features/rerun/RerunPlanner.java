package dev.runnerset.controller.features.rerun;

import dev.runnerset.actions.WorkflowJob;
import dev.runnerset.actions.WorkflowRun;
import dev.runnerset.base.Pure;
import dev.runnerset.crds.LostJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides from GitHub's word alone whether lost jobs of one run run again (RR3, RR4). What our
 * messages said of a job only leads to the run.
 */
@Pure
final class RerunPlanner {
  private static final Set<String> FAILED = Set.of("failure", "timed_out", "startup_failure");
  private static final Set<String> DONE = Set.of("success", "skipped", "neutral");

  private final RerunPolicy policy;
  private final WorkflowRun run;
  private final List<WorkflowJob> jobs;
  private final List<RerunStep> steps = new ArrayList<>();

  /** A loss, and what GitHub says of the job. */
  private record Lost(LostJob loss, WorkflowJob job) {}

  private RerunPlanner(RerunPolicy policy, WorkflowRun run, List<WorkflowJob> jobs) {
    this.policy = policy;
    this.run = run;
    this.jobs = jobs;
  }

  /**
   * The steps, in their order; each runner is in one of them, unless a step waits or reads.
   *
   * @param losses of this run, by the name of the runner
   * @param jobs all executions of its jobs; null if they were not read
   */
  static List<RerunStep> plan(
      RerunPolicy policy,
      Map<String, LostJob> losses,
      WorkflowRun run,
      @Nullable List<WorkflowJob> jobs) {
    if (!run.completed()) {
      return List.of(new RerunStep.Wait());
    }
    if (jobs == null) {
      return List.of(new RerunStep.ReadJobs());
    }
    if (jobs.stream().anyMatch(job -> job.attempt() > run.attempt())) {
      return List.of(new RerunStep.Wait()); // an attempt has begun since the run was read
    }
    var planner = new RerunPlanner(policy, run, jobs);
    planner.plan(losses);
    return planner.steps;
  }

  private void plan(Map<String, LostJob> losses) {
    var concluded = new TreeMap<Boolean, Set<String>>();
    var withheld = new EnumMap<Withheld, Set<String>>(Withheld.class);
    var lost = new TreeMap<String, Lost>();
    losses.forEach((runner, loss) -> {
      var job = jobOf(runner, loss).orElse(null);
      boolean wasAsked = loss.rerunAttempt() != null && loss.rerunAttempt() <= run.attempt();
      var why = wasAsked ? whyNotAgain(loss, job) : whyNot(loss, job);
      if (why != null) {
        withheld.computeIfAbsent(why, _ -> new TreeSet<>()).add(runner);
      } else if (wasAsked) {
        concluded.computeIfAbsent(hasSucceeded(job), _ -> new TreeSet<>()).add(runner);
      } else if (job != null) {
        lost.put(runner, new Lost(loss, job));
      }
    });
    concluded.forEach((succeeded, of) -> steps.add(new RerunStep.Conclude(of, succeeded)));
    withheld.forEach((why, of) -> steps.add(new RerunStep.Withhold(of, why)));
    if (lost.values().stream().anyMatch(each -> each.job().conclusion().isEmpty())) {
      steps.add(new RerunStep.Wait());
    } else if (!lost.isEmpty()) {
      steps.add(decide(lost.keySet(), lost.values()));
    }
  }

  /** Our call may have been lost, and a person then ran other jobs of the run again. */
  private @Nullable Withheld whyNotAgain(LostJob loss, @Nullable WorkflowJob job) {
    int asked = Objects.requireNonNull(loss.rerunAttempt());
    boolean ran =
        job == null
            || jobs.stream()
                .anyMatch(other -> other.name().equals(job.name()) && other.attempt() >= asked);
    return ran ? null : Withheld.LATER_ATTEMPT;
  }

  /** Whether the job, or at least the one of its name, did better in a later attempt. */
  private boolean hasSucceeded(@Nullable WorkflowJob job) {
    return run.conclusion().equals("success")
        || (job != null
            && newest().stream()
                .anyMatch(
                    other -> other.name().equals(job.name()) && DONE.contains(other.conclusion())));
  }

  /** Names of runners are random, and ids are never used again: both must be right. */
  private Optional<WorkflowJob> jobOf(String runner, LostJob loss) {
    return jobs.stream()
        .filter(job -> job.runner().name().equals(runner))
        .filter(job ->
            loss.runnerId() == null
                || job.runner().id().value() == 0
                || job.runner().id().value() == loss.runnerId())
        .max(Comparator.comparing(WorkflowJob::attempt));
  }

  private @Nullable Withheld whyNot(LostJob loss, @Nullable WorkflowJob job) {
    if (job == null) {
      return Withheld.JOB_UNKNOWN;
    }
    if (DONE.contains(job.conclusion())) {
      return Withheld.JOB_SUCCEEDED;
    }
    if (job.attempt() < run.attempt()) {
      return Withheld.LATER_ATTEMPT;
    }
    var over = job.completedAt();
    return over != null && !over.isAfter(loss.lostAt()) ? Withheld.ENDED_BEFORE : null;
  }

  private RerunStep decide(Set<String> runners, Collection<Lost> lost) {
    var why = whyNoneOf(lost);
    if (why != null) {
      return new RerunStep.Withhold(runners, why);
    }
    int next = run.attempt() + 1;
    if (policy.withOthers() || !hasOtherFailures(lost)) {
      return new RerunStep.Ask(runners, next, null);
    }
    return lost.size() == 1
        ? new RerunStep.Ask(runners, next, lost.iterator().next().job().id())
        : new RerunStep.Withhold(runners, Withheld.OTHERS_FAILED);
  }

  private @Nullable Withheld whyNoneOf(Collection<Lost> lost) {
    if (run.conclusion().equals("success")) {
      return Withheld.RUN_SUCCEEDED;
    }
    if (run.attempt() > policy.budget()) {
      return Withheld.BUDGET_SPENT;
    }
    return run.conclusion().equals("cancelled") || isCancelledByOthers(lost)
        ? Withheld.RUN_CANCELLED
        : null;
  }

  /**
   * Whether another job was cancelled, and not because a lost one failed: GitHub does that at once,
   * and gives the job five minutes to end.
   */
  private boolean isCancelledByOthers(Collection<Lost> lost) {
    var ends =
        lost.stream().map(each -> each.job().completedAt()).filter(Objects::nonNull).toList();
    return newest().stream()
        .filter(job -> job.conclusion().equals("cancelled"))
        .map(WorkflowJob::completedAt)
        .anyMatch(at -> at != null && ends.stream().noneMatch(end -> isSoonAfter(end, at)));
  }

  private static boolean isSoonAfter(Instant end, Instant cancelled) {
    return !cancelled.isBefore(end) && cancelled.isBefore(end.plus(RerunTimes.CANCELLED_WITHIN));
  }

  /** Whether any other job failed in its newest execution. */
  private boolean hasOtherFailures(Collection<Lost> lost) {
    var ours = lost.stream().map(each -> each.job().id()).collect(Collectors.toSet());
    return newest().stream()
        .anyMatch(job -> !ours.contains(job.id()) && FAILED.contains(job.conclusion()));
  }

  /**
   * Of each job, by its name, the newest execution. If several jobs of a run have one name, nobody
   * knows which execution is of which: all of them count.
   */
  private List<WorkflowJob> newest() {
    return jobs.stream().collect(Collectors.groupingBy(WorkflowJob::name)).values().stream()
        .flatMap(RerunPlanner::newest)
        .toList();
  }

  private static Stream<WorkflowJob> newest(List<WorkflowJob> ofOneName) {
    boolean isOneJob =
        ofOneName.stream().map(WorkflowJob::attempt).distinct().count() == ofOneName.size();
    return isOneJob
        ? ofOneName.stream().max(Comparator.comparing(WorkflowJob::attempt)).stream()
        : ofOneName.stream();
  }
}
