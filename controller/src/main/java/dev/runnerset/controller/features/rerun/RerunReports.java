package dev.runnerset.controller.features.rerun;

import dev.runnerset.actions.ConfigUrl;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.base.metrics.Meters;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.features.rerun.LostRuns.Run;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.metrics.RerunResult;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.condition.EventReason;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports what became of lost jobs: by events on their set, counters, and lines of the log. */
public final class RerunReports {
  private static final Logger LOG = LoggerFactory.getLogger(RerunReports.class);

  private final Events events;
  private final Meters meters;

  /** The reports of one controller. */
  public RerunReports(Events events, Meters meters) {
    this.events = events;
    this.meters = meters;
  }

  /** GitHub runs them again. */
  void asked(AutoScalingRunnerSet set, Run run, RerunStep.Ask ask) {
    var message =
        "GitHub runs %s again, as attempt %d: %s lost %s"
            .formatted(
                url(set, run),
                ask.attempt(),
                names(ask.runners()),
                ask.job() == null ? "jobs of it" : "a job of it");
    events.note(set, EventReason.JOB_RERUN, run.toString(), message);
    count(set, RerunResult.ASKED);
    log(set, run, message);
  }

  /** They do not run again. */
  void withheld(AutoScalingRunnerSet set, Run run, Set<String> runners, Withheld why) {
    var message =
        "the job of %s in %s is not run again, since %s"
            .formatted(names(runners), url(set, run), why.words());
    events.note(set, EventReason.RERUN_WITHHELD, run.toString(), message);
    count(set, RerunResult.WITHHELD);
    log(set, run, message);
  }

  /** GitHub does not run them again. */
  void failed(AutoScalingRunnerSet set, Run run, Set<String> runners, ServiceException refusal) {
    var message =
        "GitHub refuses to run the job of %s in %s again; the credentials need the permission"
            + " Actions: read and write, and the run must not be older than 30 days: %s";
    message = message.formatted(names(runners), url(set, run), refusal.error().details().words());
    events.warn(set, EventReason.RERUN_FAILED, message);
    count(set, RerunResult.FAILED);
    log(set, run, message);
  }

  /** The new attempt is over. */
  void concluded(AutoScalingRunnerSet set, boolean succeeded) {
    series(set).count(Meter.RERUNS_CONCLUDED, succeeded ? "success" : "failure");
  }

  /** The credentials may not do it, as GitHub said beside another answer. */
  void mayNot(AutoScalingRunnerSet set) {
    events.warn(
        set,
        EventReason.RERUN_FAILED,
        "spec.rerun.lostJobs is on, and the credentials of the set may not run jobs again: give the"
            + " GitHub App the repository permission Actions: read and write, or the classic token"
            + " the scope repo (docs/start/credentials.md)");
  }

  private void count(AutoScalingRunnerSet set, RerunResult result) {
    series(set).count(Meter.JOB_RERUNS, result.word());
  }

  private Meters.Series series(AutoScalingRunnerSet set) {
    return meters.of(set.getMetadata().getNamespace(), set.getMetadata().getName());
  }

  private static void log(AutoScalingRunnerSet set, Run run, String message) {
    LOG.atInfo()
        .addKeyValue("namespace", set.getMetadata().getNamespace())
        .addKeyValue("set", set.getMetadata().getName())
        .addKeyValue("repository", run.repository())
        .addKeyValue("workflowRunId", run.id())
        .log(message);
  }

  private static String names(Set<String> runners) {
    return runners.stream().sorted().limit(3).collect(Collectors.joining(", "))
        + (runners.size() > 3 ? " and " + (runners.size() - 3) + " more" : "");
  }

  /** As a person opens it. */
  private static String url(AutoScalingRunnerSet set, Run run) {
    if (run.id() <= 0 || run.repository().isEmpty()) {
      return "an unknown run";
    }
    try {
      return ConfigUrl.parse(set.getSpec().githubConfigUrl()).pageOf(run.repository(), run.id());
    } catch (IllegalArgumentException e) {
      return "run %d of %s".formatted(run.id(), run.repository());
    }
  }
}
