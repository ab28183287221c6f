package dev.runnerset.e2e.world;

import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.metrics.LostBy;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.LostJob;
import dev.runnerset.crds.Rerun;
import dev.runnerset.crds.condition.EventReason;
import dev.runnerset.crds.condition.Reason;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** RR1 to RR4: which lost jobs run again, and that none is forgotten. Hears events, too. */
final class RerunRules implements Events {
  private static final Set<LostBy> DUE =
      EnumSet.of(LostBy.POD_DELETED, LostBy.POD_LOST, LostBy.EVICTED, LostBy.NODE_DOWN);
  private static final Pattern LOSS =
      Pattern.compile("was lost with runner (\\S+?)(?: on node \\S+)?: (\\w*): ");

  /** A process that dies, or a write that is lost, may have a refused call repeated. */
  private static final int MOST_REFUSALS = 6;

  private final World world;
  private final Set<String> due = new TreeSet<>();
  private final List<String> reported = new ArrayList<>();
  private final Set<Long> ranAgain = new HashSet<>();
  private final Map<Long, Integer> asksByRun = new HashMap<>();
  private int crashes;

  RerunRules(World world) {
    this.world = world;
  }

  void crashed() {
    crashes++;
  }

  /** How many jobs were lost that are to run again. */
  int losses() {
    return due.size();
  }

  /** How many executions ran again by our hand. */
  int reruns() {
    return ranAgain.size();
  }

  // --- what is due

  @Override
  public void warn(HasMetadata about, Reason reason, String message) {
    recorded(reason, message);
  }

  @Override
  public void note(HasMetadata about, Reason reason, String subject, String message) {
    recorded(reason, message);
  }

  void recorded(Reason reason, String message) {
    if (reason == EventReason.JOB_LOST && policy() != null) {
      var loss = LOSS.matcher(message);
      if (loss.find() && DUE.contains(LostBy.of(loss.group(2)))) {
        due.add(loss.group(1));
      }
    } else if (reason == EventReason.RERUN_WITHHELD || reason == EventReason.RERUN_FAILED) {
      world.trace.say("controller", message);
      reported.add(message);
    }
  }

  /** What the API server has of the set: a loss that was ever written there is due. */
  void known(AutoScalingRunnerSet set) {
    due.addAll(set.statusOrNone().lostJobs().keySet());
  }

  /** The set's wish; null if none runs again. */
  private Rerun policy() {
    var set = world.server.get(AutoScalingRunnerSet.class, World.SET);
    var rerun = set == null ? null : set.getSpec().rerun();
    return rerun != null && Boolean.TRUE.equals(rerun.lostJobs()) ? rerun : null;
  }

  private Map<String, LostJob> entries() {
    var set = world.server.get(AutoScalingRunnerSet.class, World.SET);
    return set == null ? Map.of() : set.statusOrNone().lostJobs();
  }

  // --- when we ask

  /** One of our processes asks for the next attempt of a run; null for its failed jobs. */
  void asked(Runs.Run run, Runs.Execution only) {
    var runners = begun(run);
    if (runners.isEmpty()) {
      throw world.violated("RR3 intent", run + " is asked for, and no entry says so");
    }
    if (policy() == null) {
      throw world.violated("RR1", run + " is asked for, and the set does not want it");
    }
    if (asksByRun.merge(run.id, 1, Integer::sum) - run.attempt > MOST_REFUSALS + crashes) {
      throw world.violated("RR4 refused", run + " is asked for again and again");
    }
    for (var runner : runners) {
      var lost = world.runs.on(runner);
      if (lost == null || lost.run != run) {
        throw world.violated("RR4 unknown", run + " is asked for, which had no job on " + runner);
      }
      if (ranAgain.contains(lost.id)) {
        throw world.violated("RR3 twice", lost + " is asked for again");
      }
      if (!run.present().contains(lost)) {
        throw world.violated("RR4 later", lost + " is asked for, and it ran again before");
      }
      if (lost.conclusion.equals("success")) {
        throw world.violated("RR4 done", lost + " is asked for");
      }
      if (!lost.lost) {
        throw world.violated("RR1", lost + " is asked for, and it ended by itself");
      }
    }
    if (only != null && !runners.contains(only.runner.name())) {
      throw world.violated("RR1", only + " is asked for, and nobody reported its loss");
    }
  }

  /** The runners whose entries say that the next attempt of the run is asked for. */
  private List<String> begun(Runs.Run run) {
    return entries().entrySet().stream()
        .filter(entry ->
            entry.getValue().workflowRunId() == run.id
                && Integer.valueOf(run.attempt + 1).equals(entry.getValue().rerunAttempt()))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** GitHub carries out what one of our processes asked for. */
  void granted(Runs.Run run, Runs.Execution only) {
    var policy = policy();
    if (run.cancelled) {
      throw world.violated("RR4 cancelled", run + " runs again, which a person cancelled");
    }
    if (run.attempt > policy.budget()) {
      throw world.violated(
          "RR4 budget", run + " gets attempt " + (run.attempt + 1) + " of " + policy.budget());
    }
    if (only == null && !Boolean.TRUE.equals(policy.withOthers())) {
      for (var each : run.present()) {
        if (each.conclusion.equals("failure") && !each.lost) {
          throw world.violated("RR3 others", each + " runs again, which failed by itself");
        }
      }
    }
    begun(run).forEach(runner -> ranAgain.add(world.runs.on(runner).id));
  }

  // --- at the end

  /** Why a lost job may still run again; empty if none may. */
  String unsettled() {
    if (!world.runs.all(run -> !run.completed).isEmpty()) {
      return "a run is not over";
    }
    if (!entries().isEmpty()) {
      return "lost jobs wait: " + entries();
    }
    boolean isNews = world.service.lateNews > 0 || world.service.hasNews();
    return isNews
            || world.server.all(EphemeralRunner.class).stream()
                .anyMatch(runner -> mayBeLost(runner.statusOrNone()))
        ? "a job may be reported as lost"
        : "";
  }

  private static boolean mayBeLost(EphemeralRunnerStatus status) {
    var failure = status.failure();
    return status.isTerminal()
        && status.isBusy()
        && !status.isJobCompleted()
        && failure != null
        && failure.jobLostBy() == null;
  }

  /** RR2: each lost job ran again, or an event says why not. */
  void noneIsForgotten() {
    for (var runner : due) {
      var lost = world.runs.on(runner);
      boolean again =
          lost != null
              && lost.run.present().stream()
                  .anyMatch(each -> each.name.equals(lost.name) && each.attempt > lost.attempt);
      if (!again && reported.stream().noneMatch(message -> message.contains(runner))) {
        throw world.violated("RR2", "the job of " + runner + " is forgotten: " + lost);
      }
    }
  }
}
