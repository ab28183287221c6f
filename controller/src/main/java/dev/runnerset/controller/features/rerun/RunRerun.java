package dev.runnerset.controller.features.rerun;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.RepositoryName;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.actions.WorkflowRun;
import dev.runnerset.connection.InvalidConnectionException;
import dev.runnerset.controller.autoscalingrunnerset.registration.ScaleSetRegistrar;
import dev.runnerset.controller.connection.ServiceConnections;
import dev.runnerset.controller.features.rerun.LostRuns.Run;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.LostJob;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one run with lost jobs, has {@link RerunPlanner} decide, and carries the decision out.
 *
 * <p>INVARIANT (RR3): the attempt that is asked for is in the status before GitHub is asked. After
 * a crash or a lost answer, the number of the run's attempt says whether it was carried out, so
 * that no loss is asked for twice.
 */
final class RunRerun {
  private static final Logger LOG = LoggerFactory.getLogger(RunRerun.class);
  private static final int MOST_PAGES = 20;

  private final ServiceConnections connections;
  private final RerunBook book;
  private final RerunReports reports;
  private final Clock clock;

  RunRerun(ServiceConnections connections, RerunBook book, RerunReports reports, Clock clock) {
    this.connections = connections;
    this.book = book;
    this.reports = reports;
    this.clock = clock;
  }

  /** A run with its lost jobs, and the connection to read it by. */
  private record Case(
      AutoScalingRunnerSet set,
      RerunPolicy policy,
      Run run,
      Map<String, LostJob> lost,
      RerunTurns turns,
      ActionsService service) {
    Map<String, LostJob> of(Set<String> runners) {
      var some = new TreeMap<>(lost);
      some.keySet().retainAll(runners);
      return some;
    }
  }

  /**
   * Goes on with one run. Blocks for calls of GitHub and of the API server.
   *
   * @param all its lost jobs, by the name of their runner; not empty
   * @return when to go on
   */
  Instant goOn(AutoScalingRunnerSet set, Run run, Map<String, LostJob> all, RerunTurns turns) {
    var now = clock.instant();
    var later = now.plus(RerunTimes.AFTER_FAILURE);
    var policy = RerunPolicy.of(set);
    try {
      if (set.isMarkedForDeletion() || policy.isEmpty()) {
        boolean goes = set.isMarkedForDeletion();
        withhold(set, run, all.keySet(), goes ? Withheld.SET_DELETED : Withheld.TURNED_OFF);
        return later;
      }
      var lost = withoutOld(set, run, all, now);
      if (lost.isEmpty()) {
        return later;
      }
      var service = connections.to(ScaleSetRegistrar.key(set));
      var asked = goOn(new Case(set, policy.get(), run, lost, turns, service));
      return asked ? now.plus(RerunTimes.AFTER_RERUN) : RerunTimes.next(lost.values(), now);
    } catch (ServiceException e) {
      log(run, e);
      var wait = e.retryAfter();
      return wait == null ? later : Collections.max(List.of(later, now.plus(wait)));
    } catch (InvalidConnectionException | KubernetesClientException e) {
      log(run, e);
      return later;
    }
  }

  /** Gives up what GitHub has not concluded for a day. */
  private Map<String, LostJob> withoutOld(
      AutoScalingRunnerSet set, Run run, Map<String, LostJob> all, Instant now) {
    var old = new TreeMap<>(all);
    old.values().removeIf(loss -> now.isBefore(loss.lostAt().plus(RerunTimes.LONGEST)));
    if (old.isEmpty()) {
      return all;
    }
    var due = new TreeMap<>(old);
    due.values().removeIf(loss -> loss.rerunAttempt() != null);
    if (!due.isEmpty()) {
      reports.withheld(set, run, due.keySet(), Withheld.NOT_OVER);
    }
    book.remove(set, old.keySet());
    var rest = new TreeMap<>(all);
    rest.keySet().removeAll(old.keySet());
    return rest;
  }

  /** Returns whether GitHub was asked for a new attempt. */
  private boolean goOn(Case lost) {
    var found = read(lost);
    if (found == null) {
      return false;
    }
    reportUnanswered(lost, found);
    if (!RerunBook.isWithin(found.repository(), lost.set())) {
      withhold(lost, lost.lost().keySet(), Withheld.OTHER_OWNER); // it moved
      return false;
    }
    var steps = RerunPlanner.plan(lost.policy(), lost.lost(), found, null);
    if (steps.contains(new RerunStep.ReadJobs())) {
      var jobs = lost.service().workflowJobs(found.repository(), lost.run().id(), MOST_PAGES);
      if (jobs.isEmpty()) {
        withhold(lost, lost.lost().keySet(), Withheld.TOO_MANY_JOBS);
        return false;
      }
      steps = RerunPlanner.plan(lost.policy(), lost.lost(), found, jobs.get());
    }
    boolean asked = false;
    for (var step : steps) {
      asked |= apply(step, lost, found);
    }
    return asked;
  }

  /** Null if it cannot be read, which is reported. */
  private @Nullable WorkflowRun read(Case lost) {
    try {
      var named = RepositoryName.parse(lost.run().repository());
      var found = named.flatMap(name -> lost.service().workflowRun(name, lost.run().id()));
      if (found.isEmpty()) {
        withhold(lost, lost.lost().keySet(), Withheld.RUN_GONE);
      }
      return found.orElse(null);
    } catch (ServiceException e) {
      if (e.error() instanceof ServiceError.Forbidden) {
        fail(lost, lost.lost().keySet(), e);
        return null;
      }
      throw e;
    }
  }

  private boolean apply(RerunStep step, Case lost, WorkflowRun found) {
    switch (step) {
      case RerunStep.Wait _, RerunStep.ReadJobs _ -> {}
      case RerunStep.Withhold(var runners, var why) -> withhold(lost, runners, why);
      case RerunStep.Conclude(var runners, var succeeded) -> {
        runners.forEach(_ -> reports.concluded(lost.set(), succeeded));
        book.remove(lost.set(), runners);
      }
      case RerunStep.Ask ask -> {
        ask(ask, lost, found);
        return true;
      }
    }
    return false;
  }

  private void ask(RerunStep.Ask ask, Case lost, WorkflowRun found) {
    book.begin(lost.set(), lost.of(ask.runners()), ask.attempt());
    try {
      if (ask.job() == null) {
        lost.service().rerunFailedJobs(found.repository(), lost.run().id());
      } else {
        lost.service().rerunJob(found.repository(), ask.job());
      }
      reports.asked(lost.set(), lost.run(), ask);
    } catch (ServiceException e) {
      switch (e.error()) {
        case ServiceError.NotSent _, ServiceError.RateLimited _ -> throw e; // nothing was done
        case ServiceError.Unavailable _, ServiceError.Malformed _, ServiceError.Cancelled _ -> {
          lost.turns().unanswered(lost.run());
          throw e;
        }
        default -> refused(ask, lost, found, e);
      }
    }
  }

  /**
   * The second of two callers is refused, since the run runs again: that is a success. Where one
   * job was asked for, the attempt may be of another one; its end says so.
   */
  private void refused(RerunStep.Ask ask, Case lost, WorkflowRun before, ServiceException e) {
    if (!runsAgain(ask, lost, before)) {
      fail(lost, ask.runners(), e);
    } else if (ask.job() == null) {
      reports.asked(lost.set(), lost.run(), ask);
    }
  }

  private static boolean runsAgain(RerunStep.Ask ask, Case lost, WorkflowRun before) {
    try {
      return lost.service()
          .workflowRun(before.repository(), lost.run().id())
          .filter(run -> run.attempt() >= ask.attempt() || !run.completed())
          .isPresent();
    } catch (ServiceException e) {
      lost.turns().unanswered(lost.run());
      throw e;
    }
  }

  /** An attempt for which the answer was lost has begun after all. */
  private void reportUnanswered(Case lost, WorkflowRun found) {
    var begun = new TreeMap<>(lost.lost());
    begun.values().removeIf(loss -> !Objects.equals(loss.rerunAttempt(), found.attempt()));
    if (lost.turns().wasUnanswered(lost.run()) && !begun.isEmpty()) {
      reports.asked(
          lost.set(), lost.run(), new RerunStep.Ask(begun.keySet(), found.attempt(), null));
    }
  }

  private void withhold(Case lost, Set<String> runners, Withheld why) {
    withhold(lost.set(), lost.run(), runners, why);
  }

  private void withhold(AutoScalingRunnerSet set, Run run, Set<String> runners, Withheld why) {
    reports.withheld(set, run, runners, why);
    book.remove(set, runners);
  }

  private void fail(Case lost, Set<String> runners, ServiceException e) {
    reports.failed(lost.set(), lost.run(), runners, e);
    book.remove(lost.set(), runners);
  }

  private static void log(Run run, RuntimeException e) {
    LOG.atInfo()
        .addKeyValue("repository", run.repository())
        .addKeyValue("workflowRunId", run.id())
        .addKeyValue("error", e.getMessage())
        .log("could not go on with a run that has lost jobs; it is tried again");
  }
}
