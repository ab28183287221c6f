package dev.runnerset.simulator.service;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One job. Guarded by the {@link ServiceState} it belongs to. */
final class Job {
  /**
   * States of protocol 7.2. QUEUED is available to sets in the legacy flavour, and only there are
   * jobs ACQUIRED; OFFERED is an assigned job on its way to a runner.
   */
  enum State {
    SUBMITTED,
    QUEUED,
    ACQUIRED,
    ASSIGNED,
    OFFERED,
    RUNNING,
    COMPLETED
  }

  /** What the wire says for "never" (protocol 4.2). */
  static final String NEVER = "0001-01-01T00:00:00Z";

  final UUID id;
  final long number;

  /** Its number in the REST API (protocol 3.17). */
  final long restId;

  final JobRequest request;
  final WorkflowRun run;

  /** The attempt of the run that runs it, from 1. */
  final int runAttempt;

  final Set<String> labels = new LinkedHashSet<>();
  State state = State.SUBMITTED;
  @Nullable ScaleSet set;
  @Nullable Runner runner;
  @Nullable Instant queued;
  @Nullable Instant assigned;
  @Nullable Instant started;
  @Nullable Instant completed;
  @Nullable Instant lockedUntil;
  String planId = "";
  String result = "";
  String runnerName = "";
  int runnerId;
  boolean lost;

  /** Counts assignments and offers, so that a timer can tell whether its own is still meant. */
  int attempt;

  int offer;

  /** The sets that were offered it since it was queued last. */
  final Set<ScaleSet> offeredTo = new HashSet<>();

  Job(UUID id, long number, long restId, JobRequest request, WorkflowRun run, int runAttempt) {
    this.id = id;
    this.number = number;
    this.restId = restId;
    this.request = request;
    this.run = run;
    this.runAttempt = runAttempt;
    request.labels().forEach(l -> labels.add(l.toLowerCase(Locale.ROOT)));
  }

  /** An inner message about this job (protocol 4.2). */
  ObjectNode message(String type, long requestId, String repository) {
    var slash = repository.indexOf('/');
    var node =
        Json.object()
            .put("messageType", type)
            .put("runnerRequestId", requestId)
            .put("jobId", id.toString())
            .put("repositoryName", repository.substring(slash + 1))
            .put("ownerName", repository.substring(0, Math.max(0, slash)))
            .put("jobWorkflowRef", repository + "/" + run.path() + "@refs/heads/main")
            .put("jobDisplayName", request.displayName())
            .put("workflowRunId", run.id)
            .put("eventName", run.event)
            .put("queueTime", time(queued))
            .put("scaleSetAssignTime", time(assigned))
            .put("runnerAssignTime", time(started))
            .put("finishTime", time(completed));
    var wanted = node.putArray("requestLabels");
    request.labels().forEach(wanted::add);
    return node;
  }

  /** As the REST API says it: a job waits until a runner has started it. */
  RunStatus status() {
    return switch (state) {
      case SUBMITTED, QUEUED, ACQUIRED, ASSIGNED, OFFERED -> RunStatus.QUEUED;
      case RUNNING -> RunStatus.IN_PROGRESS;
      case COMPLETED -> RunStatus.COMPLETED;
    };
  }

  /** The result in the words of the REST API; null before the end. */
  @Nullable String conclusion() {
    if (state != State.COMPLETED) {
      return null;
    }
    return switch (result) {
      case "succeeded", "succeededWithIssues", "success" -> "success";
      case "canceled" -> "cancelled";
      case "skipped" -> "skipped";
      default -> "failure";
    };
  }

  static String time(@Nullable Instant instant) {
    return instant == null ? NEVER : instant.toString();
  }
}
