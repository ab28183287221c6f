package dev.runnerset.controller.retention;

import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.metrics.DeletedFor;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.metrics.Meters;
import dev.runnerset.controller.ownership.Ownership;
import dev.runnerset.controller.retention.rules.RunnerOutcome;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.condition.EventReason;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Preconditions;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes one finished runner if it has not changed, and reports it. Safe for concurrent use. */
final class FinishedRunnerDeleter {
  /** The wait after a deletion that found a changed runner: the cache is behind. */
  static final Duration AFTER_CHANGE = Duration.ofSeconds(1);

  /** The wait after a refusal: somebody must change what refuses, such as an admission webhook. */
  static final Duration AFTER_REFUSAL = RecentDeletes.RECENT;

  private static final Logger LOG = LoggerFactory.getLogger(FinishedRunnerDeleter.class);

  private final KubeApi kube;
  private final Events events;
  private final Meters meters;

  FinishedRunnerDeleter(KubeApi kube, Events events, Meters meters) {
    this.kube = kube;
    this.events = events;
    this.meters = meters;
  }

  /** The result of a deletion. */
  enum Answer {
    /** The runner is deleted. */
    DELETED,
    /** The runner has changed, or is gone: decide again after {@link #AFTER_CHANGE}. */
    CHANGED,
    /** The server refuses, and an event says so: try again {@link #AFTER_REFUSAL}. */
    REFUSED
  }

  /**
   * Deletes the runner unless it has changed, or is another one of the same name. Blocks for a
   * request, and for a second one for the event.
   *
   * @param set null for a runner without a set
   * @throws KubernetesClientException if the server gave no answer, or is too busy for one
   */
  Answer delete(
      EphemeralRunner runner,
      RunnerOutcome outcome,
      DeletedFor reason,
      @Nullable AutoScalingRunnerSet set) {
    try {
      if (!kube.delete(Resource.of(runner), Preconditions.unchanged(runner))) {
        LOG.atDebug()
            .addKeyValue("namespace", runner.getMetadata().getNamespace())
            .addKeyValue("runner", runner.getMetadata().getName())
            .log("a finished runner changed before it was deleted; decided again");
        return Answer.CHANGED;
      }
    } catch (KubernetesClientException e) {
      if (isOfTheServer(e)) {
        throw e;
      }
      refused(runner, outcome, reason, set, e);
      return Answer.REFUSED;
    }
    deleted(runner, outcome, reason, set);
    return Answer.DELETED;
  }

  /** Whether the failure is not about this runner: the deletion of any other would fail, too. */
  private static boolean isOfTheServer(KubernetesClientException e) {
    return e.getCode() == 0 || e.getCode() == 429 || e.getCode() == 503;
  }

  private void refused(
      EphemeralRunner runner,
      RunnerOutcome outcome,
      DeletedFor reason,
      @Nullable AutoScalingRunnerSet set,
      KubernetesClientException why) {
    var meta = runner.getMetadata();
    count(Meter.FINISHED_RUNNERS_REFUSED, runner, outcome, reason);
    LOG.atWarn()
        .addKeyValue("namespace", meta.getNamespace())
        .addKeyValue("runner", meta.getName())
        .addKeyValue("reason", reason.word())
        .addKeyValue("error", why.getMessage())
        .log("the API server refuses to delete a finished runner");
    HasMetadata about = set == null ? runner : set;
    events.warn(
        about,
        EventReason.RETENTION_FAILED,
        "the API server refuses to delete the finished runner "
            + meta.getName()
            + "; the controller tries again every minute; "
            + why.getMessage());
  }

  private void deleted(
      EphemeralRunner runner,
      RunnerOutcome outcome,
      DeletedFor reason,
      @Nullable AutoScalingRunnerSet set) {
    var meta = runner.getMetadata();
    count(Meter.FINISHED_RUNNERS_DELETED, runner, outcome, reason);
    LOG.atInfo()
        .addKeyValue("namespace", meta.getNamespace())
        .addKeyValue("runner", meta.getName())
        .addKeyValue("reason", reason.word())
        .addKeyValue("outcome", outcome.word())
        .log("deleted a finished runner");
    if (set != null) {
      events.note(
          set, EventReason.RUNNER_RETENTION_EXPIRED, message(meta.getName(), outcome, reason));
    }
  }

  /** Counts under the name of the set; empty for a runner without a set, whatever its label. */
  private void count(Meter what, EphemeralRunner runner, RunnerOutcome outcome, DeletedFor reason) {
    meters.count(
        what,
        runner.getMetadata().getNamespace(),
        Ownership.setName(runner).orElse(""),
        reason.word(),
        outcome.word());
  }

  private static String message(String name, RunnerOutcome outcome, DeletedFor reason) {
    var why =
        switch (reason) {
          case TTL -> "its time was over";
          case LIMIT -> "the set keeps fewer runners";
        };
    return "deleted finished runners; the last was " + name + " (" + outcome.word() + "): " + why;
  }
}
