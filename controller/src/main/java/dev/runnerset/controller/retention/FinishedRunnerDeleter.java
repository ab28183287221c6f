package dev.runnerset.controller.retention;

import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.meter.Meter;
import dev.runnerset.controller.meter.Meters;
import dev.runnerset.crd.AutoScalingRunnerSet;
import dev.runnerset.crd.EphemeralRunner;
import dev.runnerset.crd.Labels;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Preconditions;
import dev.runnerset.kube.Resource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes one finished runner as it was seen, and tells of it. Safe for concurrent use. */
final class FinishedRunnerDeleter {
  /** The event on the set; the same within minutes are counted on one. */
  static final String EVENT = "RunnerRetentionExpired";

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

  /**
   * Deletes it unless it changed since, or is another of the same name. Blocks for a request, and
   * for a second one for the event.
   *
   * @param set null for a runner without one
   * @return false when nothing was deleted: look again
   */
  boolean delete(
      EphemeralRunner runner, Outcome outcome, Reason reason, @Nullable AutoScalingRunnerSet set) {
    var meta = runner.getMetadata();
    if (!kube.delete(Resource.of(runner), Preconditions.unchanged(runner))) {
      LOG.atDebug()
          .addKeyValue("namespace", meta.getNamespace())
          .addKeyValue("runner", meta.getName())
          .log("a finished runner changed before it was deleted; it is looked at again");
      return false;
    }
    meters.count(
        Meter.FINISHED_RUNNERS_DELETED,
        meta.getNamespace(),
        setName(runner),
        reason.word,
        outcome.word());
    LOG.atInfo()
        .addKeyValue("namespace", meta.getNamespace())
        .addKeyValue("runner", meta.getName())
        .addKeyValue("reason", reason.word)
        .addKeyValue("outcome", outcome.word())
        .log("deleted a finished runner");
    if (set != null) {
      events.note(set, EVENT, message(meta.getName(), outcome, reason));
    }
    return true;
  }

  private static String message(String name, Outcome outcome, Reason reason) {
    var why =
        switch (reason) {
          case TTL -> "its time was over";
          case LIMIT -> "the set keeps fewer";
        };
    return "deleted finished runners; the last was " + name + " (" + outcome.word() + "): " + why;
  }

  /** The set's name for the metric; empty for a runner without one. */
  static String setName(EphemeralRunner runner) {
    var labels = runner.getMetadata().getLabels();
    return labels == null ? "" : labels.getOrDefault(Labels.SET, "");
  }
}
