package dev.runnerset.controller.metrics;

import dev.runnerset.base.metrics.Meters;
import dev.runnerset.base.metrics.Metric;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;

/**
 * What is measured. Names are stable; those that begin with {@code gha_} mean what dashboards for
 * other controllers of runners take them for. Labels are runner sets, reasons and results; a set
 * shows each combination of their values with 0. {@code docs/reference/metrics.md} is generated
 * from here.
 */
public enum Meter implements Metric {
  LEADER(
      true,
      Kind.GAUGE,
      "runnerset_leader",
      "1 in the process that leads, 0 in a process on standby; only the leader has other series"),
  /** Passes, also failed ones. */
  RECONCILE(
      true,
      Kind.SUMMARY,
      "runnerset_reconcile_seconds",
      "Passes of the reconcilers, their count and their seconds, by the kind of the object"
          + " (AutoScalingRunnerSet, EphemeralRunnerSet, EphemeralRunner or AutoScalingListener) and"
          + " outcome (success or failure, after which the pass is repeated)",
      kind(),
      new Label("outcome", "success", "failure")),
  RECONCILE_QUEUE(
      true,
      Kind.GAUGE,
      "runnerset_reconcile_queue",
      "Objects that wait for a thread to be reconciled, by kind (AutoScalingRunnerSet,"
          + " EphemeralRunnerSet, EphemeralRunner or AutoScalingListener)",
      kind()),
  /** Jobs as the service counts them. */
  ASSIGNED_JOBS(
      Kind.GAUGE,
      "gha_assigned_jobs",
      "Jobs that the service gave to the set, running ones included"),
  RUNNING_JOBS(Kind.GAUGE, "gha_running_jobs", "Jobs of the set that run"),
  WAITING_JOBS(
      Kind.GAUGE,
      "runnerset_waiting_jobs",
      "Jobs for the set that do not run yet, given to the set or not"),
  ADVERTISED_CAPACITY(
      Kind.GAUGE,
      "runnerset_advertised_capacity",
      "Jobs that the set takes at a time, running ones included"),
  CAPACITY_WITHHELD(
      Kind.GAUGE,
      "runnerset_capacity_withheld",
      "Places that a limit takes off the current maxRunners (Quota, StartsPerMinute, Unschedulable,"
          + " NotStarting or Failing), also with spec.capacity.mode Shadow, in which they are not"
          + " taken off",
      new Label("reason", "Quota", "StartsPerMinute", "Unschedulable", "NotStarting", "Failing")),
  DESIRED_RUNNERS(Kind.GAUGE, "gha_desired_runners", "Runners that the set should have"),
  MIN_RUNNERS(
      Kind.GAUGE,
      "gha_min_runners",
      "The current minRunners, from spec.minRunners or spec.schedule; 0 if it is absent"),
  MAX_RUNNERS(
      Kind.GAUGE,
      "gha_max_runners",
      "The current maxRunners, from spec.maxRunners or spec.schedule; NaN if it is absent"),
  PENDING_RUNNERS(
      Kind.GAUGE,
      "gha_controller_pending_ephemeral_runners",
      "Runners that are not ready for a job yet: their container does not run, or the service does not know them"),
  RUNNING_RUNNERS(
      Kind.GAUGE,
      "gha_controller_running_ephemeral_runners",
      "Runners that are connected to the service, idle or with a job"),
  FAILED_RUNNERS(
      Kind.GAUGE, "gha_controller_failed_ephemeral_runners", "Failed runners that still exist"),
  STUCK_RUNNERS(
      Kind.GAUGE,
      "runnerset_stuck_runners",
      "Pending runners that something prevents from" + " starting"),
  IDLE_RUNNERS(Kind.GAUGE, "runnerset_idle_runners", "Runners that are ready for a job"),
  BUSY_RUNNERS(Kind.GAUGE, "runnerset_busy_runners", "Runners with a job"),
  FINISHED_RUNNERS(
      Kind.GAUGE, "runnerset_finished_runners", "Runners that have ended and still exist"),
  RUNNER_VERSION_DAYS_LEFT(
      Kind.GAUGE,
      "runnerset_runner_version_days_left",
      "Whole days until GitHub gives no more jobs to the version of the set's runners, below 0 after"
          + " that; NaN while GitHub sets no date or the version is unknown"),
  /** One series for each condition that is present; it goes when the condition changes. */
  SET_CONDITION(
      Kind.GAUGE,
      "runnerset_set_condition",
      "1 for each condition of the set, as it is now: its type, status (True, False or Unknown) and"
          + " reason",
      new Label("type"),
      new Label("status"),
      new Label("reason")),
  /** Whose jobs the set serves, so that series can be joined with it. */
  SET_INFO(
      Kind.GAUGE,
      "runnerset_set_info",
      "1, with whose jobs the set serves by its URL: organization (also of a repository), repository"
          + " as owner/name, or enterprise; empty where the URL names none",
      new Label("organization"),
      new Label("repository"),
      new Label("enterprise")),
  /** How long runners need from their creation to each step. */
  RUNNER_PHASE(
      Kind.HISTOGRAM,
      "runnerset_runner_phase_seconds",
      "Seconds from the creation of a runner to each phase of its life: scheduled, started,"
          + " job_started or finished",
      label("phase", RunnerStep.values())),
  /** Also of runners that never get a job. */
  RUNNER_IDLE(
      "runnerset_runner_idle_seconds_total",
      "Seconds from the start of a runner's container until it got a job, ended or was removed,"
          + " counted then"),
  /** Requests to the Actions service; one connection may serve many sets. */
  SERVICE_REQUESTS(
      true,
      Kind.COUNTER,
      "runnerset_service_requests_total",
      "Calls of the Actions service by operation (runner_group, find_scale_set, scale_set,"
          + " create_scale_set, update_scale_set, delete_scale_set, jit_config, runner,"
          + " runner_named, list_runners, listed_version, version_dates, workflow_run, workflow_jobs,"
          + " rerun_failed_jobs, rerun_job, remove_runner, open_session or delete_session) and outcome (ok, busy for"
          + " a runner with a job, unauthorized, forbidden, not_found, conflict, rate_limited,"
          + " refused, unavailable, not_sent, malformed, session_lost or cancelled)",
      label("operation", ServiceOperation.values()),
      label("outcome", ServiceOutcome.values())),
  /** Removal requests that were sent to the service for idle runners. */
  SCALE_DOWN_REQUESTS(
      "runnerset_scale_down_requests_total",
      "Removal requests for idle runners, and for runners that do not end after their job, by"
          + " the service's answer: removed, busy or error",
      label("result", RemovalAnswer.values())),
  /** Idle runners that were removed; only successes count (AC9). */
  RUNNERS_GARBAGE_COLLECTED(
      "runnerset_runners_garbage_collected_total",
      "Runners that were removed: age (idle for too long), capacity (more than wanted), revision (of"
          + " another revision than wanted), overdue (the container did not end after its job),"
          + " scale_set (registered for a scale set that the set no longer has), cordoned (on a"
          + " node that is cordoned or about to go), retired (a person marked it) or lifetime"
          + " (almost half of its lifetime is over)",
      new Label(
          "reason",
          "capacity",
          "cordoned",
          "retired",
          "revision",
          "lifetime",
          "age",
          "scale_set",
          "overdue")),
  /** Sweeps after which runners are created and removed without a job (AC10). */
  RUNNER_GC_THRASH(
      "runnerset_runner_gc_thrash_total",
      "Age sweeps after which more than 3 x minRunners runners were removed since the last job:"
          + " the maximum age is too low"),
  /** Finished runners that were deleted by retention. */
  FINISHED_RUNNERS_DELETED(
      "runnerset_finished_runners_deleted_total",
      "Finished runners deleted because their time was over or their number too high: reason ttl or"
          + " limit; outcome succeeded or failed",
      label("reason", DeletedFor.values()),
      new Label("outcome", "succeeded", "failed")),
  /** Refusals of the API server to delete a finished runner. */
  FINISHED_RUNNERS_REFUSED(
      "runnerset_finished_runners_refused_total",
      "Times the API server refused to delete a finished runner, each tried again after a minute:"
          + " reason ttl or limit; outcome succeeded or failed",
      label("reason", DeletedFor.values()),
      new Label("outcome", "succeeded", "failed")),
  /** Jobs whose runner failed before they were over. */
  JOBS_LOST(
      "runnerset_jobs_lost_total",
      "Jobs that were lost with their runner, counted 30 s after its end, by the cause of its"
          + " failure:"
          + " pod_deleted, pod_lost, evicted, node_down, out_of_memory, exited, forced (by the"
          + " annotation), lifetime (its time was over) or other",
      label("cause", LostBy.values())),
  JOB_RERUNS(
      "runnerset_job_reruns_total",
      "Workflow runs with lost jobs, by result: asked (GitHub began a new attempt), withheld (the"
          + " rules of spec.rerun say no) or failed (GitHub refused)",
      label("result", RerunResult.values())),
  RERUNS_CONCLUDED(
      "runnerset_reruns_concluded_total",
      "Lost jobs that ran again, by result in the new attempt: success or failure",
      new Label("result", "success", "failure")),
  /** What a sweep found without its other half. */
  LEFT_OVERS(
      "runnerset_left_overs_total",
      "What a sweep found alone, by kind and result: kind registration (without a runner),"
          + " resource (a"
          + " runner without a registration), pod or secret (without a runner); result removed, gone"
          + " (already), busy (stays until its job is over), foreign (stays: it may be somebody"
          + " else's) or failed (tried again)",
      label("kind", LeftOver.values()),
      label("result", LeftOver.Result.values())),
  /** Entries that were dropped from the history of a set to keep its size. */
  ROLLOUT_HISTORY_PRUNED(
      "runnerset_rollout_history_pruned_total",
      "Entries dropped from status.history, by kind: older, minor-bookend,"
          + " minor-transition or z-stream",
      label("reason", PruneReason.values()));

  private static final double[] BOUNDS = {1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800};

  private final Definition definition;

  Meter(String metric, String help, Label... labels) {
    this(Kind.COUNTER, metric, help, labels);
  }

  Meter(Kind kind, String metric, String help, Label... labels) {
    this(false, kind, metric, help, labels);
  }

  Meter(boolean ofProcess, Kind kind, String metric, String help, Label... labels) {
    definition = new Definition(ofProcess, kind, metric, help, List.of(labels));
  }

  private static Label kind() {
    return new Label(
        "kind",
        "AutoScalingRunnerSet",
        "EphemeralRunnerSet",
        "EphemeralRunner",
        "AutoScalingListener");
  }

  private static Label label(String name, Word... words) {
    return new Label(name, Arrays.stream(words).map(Word::word).toArray(String[]::new));
  }

  /** Series of all meters; none is there yet. */
  public static Meters series() {
    return new Meters(List.of(values()), EnumSet.allOf(Kind.class), BOUNDS);
  }

  @Override
  public Definition definition() {
    return definition;
  }
}
