package dev.runnerset.listener.metrics;

import java.util.List;

/**
 * The series of the listener. Names are stable; those that begin with {@code gha_} mean what they
 * mean elsewhere. {@code docs/reference/metrics.md} is generated from here.
 */
public enum ListenerMeter {
  ASSIGNED_JOBS(
      "runnerset_listener_assigned_jobs",
      Kind.GAUGE,
      "Jobs that the service gave to the set, running ones included"),
  RUNNING_JOBS("runnerset_listener_running_jobs", Kind.GAUGE, "Jobs that run, as the service says"),
  REGISTERED_RUNNERS(
      "gha_registered_runners", Kind.GAUGE, "Runners that the service knows, online or not"),
  BUSY_RUNNERS("gha_busy_runners", Kind.GAUGE, "Runners with a job, as the service says"),
  IDLE_RUNNERS("gha_idle_runners", Kind.GAUGE, "Runners online without a job, as the service says"),
  AVAILABLE_JOBS(
      "runnerset_listener_available_jobs",
      Kind.GAUGE,
      "Jobs that match the set and that the service has not given to it: they wait at the service"),
  OFFERED_JOBS(
      "runnerset_listener_offered_jobs_total",
      Kind.COUNTER,
      "Jobs of a server that offers them: offered in messages, acquired, or not_won (asked for, and"
          + " another set was first)",
      new Label("event", "offered", "acquired", "not_won")),
  STARTED_JOBS("gha_started_jobs_total", Kind.COUNTER, "Messages that a job started on a runner"),
  COMPLETED_JOBS(
      "gha_completed_jobs_total",
      Kind.COUNTER,
      "Messages that a job which a runner had is over: succeeded, failed, canceled, or other for"
          + " any other word of the service",
      new Label("job_result", "succeeded", "failed", "canceled", "other")),
  JOB_STARTUP(
      "gha_job_startup_duration_seconds",
      Kind.TIMER,
      "From the assignment of a job to the set until a runner has the job, by the service's clock"),
  JOB_EXECUTION(
      "gha_job_execution_duration_seconds",
      Kind.TIMER,
      "How long a runner had a job, by the service's clock"),
  MESSAGES("runnerset_listener_messages_total", Kind.COUNTER, "Messages that were applied"),
  MESSAGE_LAG(
      "runnerset_listener_message_lag_seconds",
      Kind.TIMER,
      "From the latest event of a message, by the service's clock, until the listener has it"),
  MESSAGES_SKIPPED(
      "runnerset_listener_messages_skipped_total",
      Kind.COUNTER,
      "Messages of which a part could not be read and was skipped"),
  POLLS_UNANSWERED(
      "runnerset_listener_polls_unanswered_total",
      Kind.COUNTER,
      "Polls that got no answer in their time, not even that there is no news"),
  SESSIONS(
      "runnerset_listener_sessions_total",
      Kind.COUNTER,
      "Message sessions: opened, lost (the service forgot it), conflict (another one is open),"
          + " unusable (it cannot be polled) or taken_over (of a former listener, deleted)",
      new Label("event", "opened", "lost", "conflict", "unusable", "taken_over")),
  MARKS_DROPPED(
      "runnerset_listener_marks_dropped_total",
      Kind.COUNTER,
      "Messages about a job that stand on no runner: runner_gone (it has no EphemeralRunner)"
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
      "Loops of a set that started over: failed (an error that no rule foresees), died, stuck (hung"
          + " and replaced) or fenced (another listener had taken the set)",
      new Label("cause", "failed", "died", "stuck", "fenced")),
  REQUESTS(
      "runnerset_listener_service_requests_seconds",
      Kind.TIMER,
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

  /** What kind of series a meter is. */
  public enum Kind {
    GAUGE("gauge"),
    COUNTER("counter"),
    TIMER("histogram");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    /** The word of Prometheus. */
    public String word() {
      return word;
    }
  }

  /** A label and all its values. */
  public record Label(String name, List<String> values) {
    Label(String name, String... values) {
      this(name, List.of(values));
    }
  }

  private final String metric;
  private final Kind kind;
  private final String help;
  private final List<Label> labels;

  ListenerMeter(String metric, Kind kind, String help, Label... labels) {
    this.metric = metric;
    this.kind = kind;
    this.help = help;
    this.labels = List.of(labels);
  }

  /** The name as Prometheus shows it; a timer has the suffixes of its kind. */
  public String metric() {
    return metric;
  }

  /** What kind of series it is. */
  public Kind kind() {
    return kind;
  }

  /** What is counted or measured, in a sentence. */
  public String help() {
    return help;
  }

  /** The labels after {@code namespace} and {@code name}, in the order of their values. */
  public List<Label> labels() {
    return labels;
  }
}
