package dev.runnerset.listener.metrics;

import dev.runnerset.base.metrics.Meters;
import dev.runnerset.base.metrics.Metric;
import java.util.EnumSet;
import java.util.List;

/**
 * The series of the listener. Names are stable; those that begin with {@code gha_} mean what they
 * mean elsewhere. {@code docs/reference/metrics.md} is generated from here.
 */
public enum ListenerMeter implements Metric {
  LEADER(
      true,
      "runnerset_listener_leader",
      Kind.GAUGE,
      "1 in the process that holds the lease and listens, 0 in a process on standby"),
  ASSIGNED_JOBS(
      "runnerset_listener_assigned_jobs",
      Kind.GAUGE,
      "Jobs that the service gave to the set, running ones included"),
  RUNNING_JOBS(
      "runnerset_listener_running_jobs", Kind.GAUGE, "Jobs that run, as the service" + " reports"),
  REGISTERED_RUNNERS(
      "gha_registered_runners", Kind.GAUGE, "Runners that the service knows, online or not"),
  BUSY_RUNNERS("gha_busy_runners", Kind.GAUGE, "Runners with a job, as the service reports"),
  IDLE_RUNNERS(
      "gha_idle_runners", Kind.GAUGE, "Runners online without a job, as the service" + " reports"),
  AVAILABLE_JOBS(
      "runnerset_listener_available_jobs",
      Kind.GAUGE,
      "Jobs that match the set and that the service has not given to it: they wait at the service"),
  WAITING_SINCE(
      "runnerset_listener_waiting_since_timestamp_seconds",
      Kind.GAUGE,
      "Unix time since when jobs have waited for a runner and none has started: the oldest job"
          + " has waited at least since then; NaN while none waits"),
  OFFERED_JOBS(
      "runnerset_listener_offered_jobs_total",
      Kind.COUNTER,
      "Jobs of a server that offers them: offered in messages, acquired, or not_won (another set"
          + " was first)",
      new Label("event", "offered", "acquired", "not_won")),
  STARTED_JOBS("gha_started_jobs_total", Kind.COUNTER, "Jobs that started on one of our runners"),
  COMPLETED_JOBS(
      "gha_completed_jobs_total",
      Kind.COUNTER,
      "Finished jobs that ran on one of our runners, by result: succeeded, failed, canceled, or"
          + " other for any other result",
      new Label("job_result", "succeeded", "failed", "canceled", "other")),
  JOB_STARTUP(
      "gha_job_startup_duration_seconds",
      Kind.HISTOGRAM,
      "From the assignment of a job to the set until a runner has the job, by the service's clock"),
  JOB_EXECUTION(
      "gha_job_execution_duration_seconds",
      Kind.HISTOGRAM,
      "How long a runner had a job, by the service's clock"),
  USAGE_JOBS(
      "runnerset_usage_jobs_total",
      Kind.COUNTER,
      "Only with --usage-repositories: finished jobs that ran on one of our runners, by repository"
          + " (owner/name), file name of the workflow, and result: succeeded, failed, canceled, or"
          + " other; a repository or workflow that has no series of its own is other",
      repository(),
      workflow(),
      new Label("result", "succeeded", "failed", "canceled", "other")),
  USAGE_RUNNER_SECONDS(
      "runnerset_usage_runner_seconds_total",
      Kind.COUNTER,
      "Only with --usage-repositories: seconds that runners had these jobs, counted when a job ends",
      repository(),
      workflow()),
  USAGE_QUEUE_SECONDS(
      "runnerset_usage_queue_seconds_total",
      Kind.COUNTER,
      "Only with --usage-repositories: seconds from when these jobs were queued until a runner had"
          + " them, counted when a job ends",
      repository(),
      workflow()),
  MESSAGES("runnerset_listener_messages_total", Kind.COUNTER, "Messages that were applied"),
  MESSAGE_LAG(
      "runnerset_listener_message_lag_seconds",
      Kind.HISTOGRAM,
      "From the latest event of a message, by the service's clock, until the listener has it"),
  MESSAGES_SKIPPED(
      "runnerset_listener_messages_skipped_total",
      Kind.COUNTER,
      "Messages with a part that could not be read and was skipped"),
  POLLS_UNANSWERED(
      "runnerset_listener_polls_unanswered_total",
      Kind.COUNTER,
      "Polls without any answer in their time, not even the answer that nothing is new"),
  SESSIONS(
      "runnerset_listener_sessions_total",
      Kind.COUNTER,
      "Message sessions: opened, lost (the service forgot it), conflict (another one is open),"
          + " unusable (it cannot be polled) or taken_over (of a former listener, deleted)",
      new Label("event", "opened", "lost", "conflict", "unusable", "taken_over")),
  MARKS_DROPPED(
      "runnerset_listener_marks_dropped_total",
      Kind.COUNTER,
      "Messages about a job that match no runner: runner_gone (it has no EphemeralRunner)"
          + " or other_registration (of an earlier runner of that name)",
      new Label("reason", "runner_gone", "other_registration")),
  WRITES_REFUSED(
      "runnerset_listener_writes_refused_total",
      Kind.COUNTER,
      "Writes that the API server did not carry out: gone (404), stale (409), test_failed (422),"
          + " forbidden (401, 403) or unavailable (anything else)",
      new Label("answer", "gone", "stale", "test_failed", "forbidden", "unavailable")),
  LOOPS_RESTARTED(
      "runnerset_listener_loops_restarted_total",
      Kind.COUNTER,
      "Loops of a set that started over: failed (an unexpected error), died, stuck (hung"
          + " and replaced) or fenced (another listener had taken the set)",
      new Label("cause", "failed", "died", "stuck", "fenced")),
  REQUESTS(
      "runnerset_listener_service_requests_seconds",
      Kind.HISTOGRAM,
      "Requests to the service: poll, acknowledge, open_session, delete_session, read_scale_set,"
          + " acquire_jobs, list_offers; and how they ended: ok, or the kind of the error, which is unauthorized, forbidden,"
          + " not_found, session_lost, conflict, rate_limited, refused, unavailable, not_sent,"
          + " malformed, cancelled or failed (an error of the listener)",
      new Label(
          "call",
          "poll",
          "acknowledge",
          "open_session",
          "delete_session",
          "read_scale_set",
          "acquire_jobs",
          "list_offers"),
      new Label(
          "outcome",
          "ok",
          "unauthorized",
          "forbidden",
          "not_found",
          "session_lost",
          "conflict",
          "rate_limited",
          "refused",
          "unavailable",
          "not_sent",
          "malformed",
          "cancelled",
          "failed"));

  private static final double[] BOUNDS = {0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 900, 3600};

  private final Definition definition;

  ListenerMeter(String metric, Kind kind, String help, Label... labels) {
    this(false, metric, kind, help, labels);
  }

  ListenerMeter(boolean ofProcess, String metric, Kind kind, String help, Label... labels) {
    definition = new Definition(ofProcess, kind, metric, help, List.of(labels));
  }

  private static Label repository() {
    return new Label("repository");
  }

  private static Label workflow() {
    return new Label("workflow");
  }

  /** Series of all meters; none is there yet. Counters are shown with 0 from the start. */
  public static Meters series() {
    return new Meters(List.of(values()), EnumSet.of(Kind.COUNTER), BOUNDS);
  }

  @Override
  public Definition definition() {
    return definition;
  }
}
