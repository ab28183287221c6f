package dev.runnerset.controller.retention;

import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.metrics.Meters;
import dev.runnerset.controller.references.Ownership;
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

/** Deletes one finished runner as it was seen, and tells of it. Safe for concurrent use. */
final class FinishedRunnerDeleter {

  /** After a deletion that met another state than we saw; the cache is behind. */
  static final Duration AFTER_CHANGE = Duration.ofSeconds(1);

  /** After a refusal: what refuses, as an admission webhook, needs somebody to change it. */
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

  /** Which rule it is deleted by; the word is that of the metric. */
  enum Reason {
    /** Its time is over. */
    TTL("ttl"),
    /** Its set keeps fewer. */
    LIMIT("limit");

    private final String word;

    Reason(String word) {
      this.word = word;
    }
  }

  /** What became of a deletion. */
  enum Answer {
    /** It is deleted. */
    DELETED,
    /** It changed since it was seen, or is gone: look again after {@link #AFTER_CHANGE}. */
    CHANGED,
    /** The server does not let it go, and people were told: ask again {@link #AFTER_REFUSAL}. */
    REFUSED
  }

  /**
   * Deletes it unless it changed since, or is another of the same name. Blocks for a request, and
   * for a second one for the event.
   *
   * @param set null for a runner without one
   * @throws KubernetesClientException when the server gave no answer, or has no time for any
   */
  Answer delete(
      EphemeralRunner runner, Outcome outcome, Reason reason, @Nullable AutoScalingRunnerSet set) {
    try {
      if (!kube.delete(Resource.of(runner), Preconditions.unchanged(runner))) {
        LOG.atDebug()
            .addKeyValue("namespace", runner.getMetadata().getNamespace())
            .addKeyValue("runner", runner.getMetadata().getName())
            .log("a finished runner changed before it was deleted; it is looked at again");
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

  /** Whether it says nothing about this runner: no other would fare better now. */
  private static boolean isOfTheServer(KubernetesClientException e) {
    return e.getCode() == 0 || e.getCode() == 429 || e.getCode() == 503;
  }

  private void refused(
      EphemeralRunner runner,
      Outcome outcome,
      Reason reason,
      @Nullable AutoScalingRunnerSet set,
      KubernetesClientException why) {
    var meta = runner.getMetadata();
    count(Meter.FINISHED_RUNNERS_REFUSED, runner, outcome, reason);
    LOG.atWarn()
        .addKeyValue("namespace", meta.getNamespace())
        .addKeyValue("runner", meta.getName())
        .addKeyValue("reason", reason.word)
        .addKeyValue("error", why.getMessage())
        .log("the API server refuses to delete a finished runner");
    HasMetadata about = set == null ? runner : set;
    events.warn(
        about,
        EventReason.RETENTION_FAILED,
        "the API server refuses to delete the finished runner "
            + meta.getName()
            + ": it stays until that is changed; "
            + why.getMessage());
  }

  private void deleted(
      EphemeralRunner runner, Outcome outcome, Reason reason, @Nullable AutoScalingRunnerSet set) {
    var meta = runner.getMetadata();
    count(Meter.FINISHED_RUNNERS_DELETED, runner, outcome, reason);
    LOG.atInfo()
        .addKeyValue("namespace", meta.getNamespace())
        .addKeyValue("runner", meta.getName())
        .addKeyValue("reason", reason.word)
        .addKeyValue("outcome", outcome.word())
        .log("deleted a finished runner");
    if (set != null) {
      events.note(
          set, EventReason.RUNNER_RETENTION_EXPIRED, message(meta.getName(), outcome, reason));
    }
  }

  /** Under the name of the set; empty for a runner without one, whatever label it bears. */
  private void count(Meter what, EphemeralRunner runner, Outcome outcome, Reason reason) {
    meters.count(
        what,
        runner.getMetadata().getNamespace(),
        Ownership.setName(runner).orElse(""),
        reason.word,
        outcome.word());
  }

  private static String message(String name, Outcome outcome, Reason reason) {
    var why =
        switch (reason) {
          case TTL -> "its time was over";
          case LIMIT -> "the set keeps fewer";
        };
    return "deleted finished runners; the last was " + name + " (" + outcome.word() + "): " + why;
  }
}
