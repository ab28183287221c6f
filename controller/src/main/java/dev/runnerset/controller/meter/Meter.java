package dev.runnerset.controller.meter;

import java.util.List;

/**
 * Everything that is counted (design section 9): the names are stable, the labels a closed set of
 * sets, reasons and results. {@code docs/metrics.md} is generated from here.
 */
public enum Meter {
  /** Removal requests that were sent to the service for surplus runners. */
  SCALE_DOWN_REQUESTS(
      "runnerset_scale_down_requests_total",
      "Removal requests for surplus runners, by what the service answered: removed, busy or error",
      "result"),
  /** Finished runners that the rules of retention deleted. */
  FINISHED_RUNNERS_DELETED(
      "runnerset_finished_runners_deleted_total",
      "Finished runners deleted because their time was over or their number too high: reason ttl or"
          + " limit; outcome succeeded or failed",
      "reason",
      "outcome");

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
