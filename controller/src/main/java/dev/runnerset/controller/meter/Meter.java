package dev.runnerset.controller.meter;

import java.util.List;

/**
 * Everything that is counted (design section 9): the names are stable, the labels a closed set of
 * sets, reasons and results. {@code docs/metrics.md} is generated from here.
 */
public enum Meter {
  /** Removal requests that were sent to the service for idle runners. */
  SCALE_DOWN_REQUESTS(
      "runnerset_scale_down_requests_total",
      "Removal requests for idle runners, by what the service answered: removed, busy or error",
      "result"),
  /** Roll-outs that were dropped from the history of a set, to keep it within its size. */
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

  /** The labels beside {@code namespace} and {@code name} of the set, in the order of values. */
  public List<String> labels() {
    return reasons;
  }
}
