package dev.runnerset.simulator.service;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What a runner speaks while it has a job: acquire, renew, complete (protocol 8.4). */
final class RunServiceApi {
  private final ServiceState state;
  private final RunnerRegistry runners;
  private final JobFlow flow;

  RunServiceApi(ServiceState state, RunnerRegistry runners, JobFlow flow) {
    this.state = state;
    this.runners = runners;
    this.flow = flow;
  }

  /** The name of one offer of a job; a job offered again has another. */
  static String requestId(Job job) {
    return job.id + "." + job.offer;
  }

  Reply acquire(Request request) {
    var message = Json.field(request.json(), "jobMessageId").asText();
    return withJob(
        request,
        (job, runner, now) -> {
          if (!message.equals(requestId(job))) {
            return error(404, "The job message was not found.");
          }
          if (job.state == Job.State.OFFERED) {
            flow.start(job, runner, now);
          }
          return Reply.json(200, order(job));
        });
  }

  /** What the runner is to do; the two variables tell a simulated one how long and how it ends. */
  private static ObjectNode order(Job job) {
    var node =
        Json.object()
            .put("messageType", "RunnerJobRequest")
            .put("jobId", job.id.toString())
            .put("jobDisplayName", job.request.displayName())
            .put("requestId", job.number)
            .put("lockedUntil", Job.time(job.lockedUntil));
    node.putObject("plan").put("planId", job.planId);
    node.putArray("steps");
    var variables = node.putObject("variables");
    variables
        .putObject("simulator.durationMillis")
        .put("value", Long.toString(job.request.duration().toMillis()));
    variables.putObject("simulator.result").put("value", job.request.result());
    return node;
  }

  Reply renew(Request request) {
    var plan = Json.field(request.json(), "planId").asText();
    return withJob(
        request,
        (job, runner, now) -> {
          if (job.state != Job.State.RUNNING || !plan.equals(job.planId)) {
            return error(404, "The job is not running.");
          }
          job.lockedUntil = now.plus(state.options.timings().runLease());
          return Reply.json(200, Json.object().put("lockedUntil", Job.time(job.lockedUntil)));
        });
  }

  /**
   * Ends the job. A runner that reports less than the job was to end with was itself asked to stop
   * (protocol 8.4): the job was killed.
   */
  Reply complete(Request request) {
    var plan = Json.field(request.json(), "planId").asText();
    var conclusion = Json.field(request.json(), "conclusion").asText();
    return withJob(
        request,
        (job, runner, now) -> {
          if (job.state != Job.State.RUNNING || !plan.equals(job.planId)) {
            return error(404, "The job is not running.");
          }
          if (isStopped(conclusion) && !conclusion.equals(job.request.result())) {
            flow.kill(job, runner, conclusion, "its runner was stopped", now);
          } else {
            flow.complete(job, runner, conclusion, now);
          }
          return Reply.json(200, Json.object());
        });
  }

  private static boolean isStopped(String conclusion) {
    return conclusion.equals("failed") || conclusion.equals("canceled");
  }

  private interface JobBody {
    Reply reply(Job job, Runner runner, Instant now);
  }

  private Reply withJob(Request request, JobBody body) {
    return state.enter(now -> {
      var runner = request.credential("Bearer").flatMap(runners::byToken);
      if (runner.isEmpty()) {
        return error(401, "The token is not valid.");
      }
      @Nullable Job job = runner.get().job;
      return job == null
          ? error(404, "The job was not found.")
          : body.reply(job, runner.get(), now);
    });
  }

  private static Reply error(int status, String message) {
    return Reply.json(
        status,
        Json.object()
            .put("source", "actions-run-service")
            .put("statusCode", status)
            .put("errorMessage", message));
  }
}
