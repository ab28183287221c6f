package dev.runnerset.controller.metrics;

import java.util.List;

/**
 * The counters. Names are stable; labels are runner sets, reasons and results. {@code
 * docs/metrics.md} is generated from here.
 */
public enum Meter {
  /** Removal requests that were sent to the service for idle runners. */
  SCALE_DOWN_REQUESTS(
      "runnerset_scale_down_requests_total",
      "Removal requests for idle runners, and for those that do not end after their job, by what the"
          + " service answered: removed, busy or error",
      "result"),
  /** Idle runners that were removed; only successes count (AC9). */
  RUNNERS_GARBAGE_COLLECTED(
      "runnerset_runners_garbage_collected_total",
      "Runners that were removed: age (idle for too long), capacity (more than wanted), revision (of"
          + " another revision than wanted), overdue (the container did not end after its job) or"
          + " scale_set (registered for a scale set that the set no longer has)",
      "reason"),
  /** Sweeps after which runners are created and removed without a job (AC10). */
  RUNNER_GC_THRASH(
      "runnerset_runner_gc_thrash_total",
      "Sweeps for age after which more than 3 x minRunners runners had gone since the last job: the"
          + " maximum age is too low"),
  /** Finished runners that were deleted by retention. */
  FINISHED_RUNNERS_DELETED(
      "runnerset_finished_runners_deleted_total",
      "Finished runners deleted because their time was over or their number too high: reason ttl or"
          + " limit; outcome succeeded or failed",
      "reason",
      "outcome"),
  /** Refusals of the API server to delete a finished runner. */
  FINISHED_RUNNERS_REFUSED(
      "runnerset_finished_runners_refused_total",
      "Times the API server refused to delete a finished runner, each tried again after a minute:"
          + " reason ttl or limit; outcome succeeded or failed",
      "reason",
      "outcome"),
  /** Entries that were dropped from the history of a set to keep its size. */
  ROLLOUT_HISTORY_PRUNED(
      "runnerset_rollout_history_pruned_total",
      "Entries dropped from status.history, by what they were: older, minor-bookend,"
          + " minor-transition or z-stream",
      "reason");

  private final String metric;
  private final String help;
  private final List<String> reasons;

  Meter(String metric, String help, String... reasons) {
    this.metric = metric;
    this.help = help;
    this.reasons = List.of(reasons);
  }

  /** The name as Prometheus shows it. */
  public String metric() {
    return metric;
  }

  /** What is counted, in a sentence. */
  public String help() {
    return help;
  }

  /** The labels after {@code namespace} and {@code name}, in the order of their values. */
  public List<String> labels() {
    return reasons;
  }
}
