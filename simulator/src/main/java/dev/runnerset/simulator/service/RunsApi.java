package dev.runnerset.simulator.service;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The REST API of workflow runs: what became of them, and that they run again (protocol 3.17). */
final class RunsApi {
  static final String ENDED = "Cannot cancel a workflow run that is completed";
  private final ServiceState state;
  private final RepositoryAccess access;
  private final WorkflowRuns runs;
  private final Reruns reruns;

  RunsApi(ServiceState state, RepositoryAccess access, WorkflowRuns runs, Reruns reruns) {
    this.state = state;
    this.access = access;
    this.runs = runs;
    this.reruns = reruns;
  }

  /** One run, by its latest attempt. */
  Reply run(Request request) {
    return access.with(
        request,
        (repository, caller, now) ->
            run(repository, request.segments().getLast())
                .map(run -> conditional(request, Reply.json(200, json(run, repository, now))))
                .orElseGet(RepositoryAccess::notFound));
  }

  /** The runs of a repository, the newest first, in pages. */
  Reply list(Request request) {
    var created = request.parameter("created").map(CreatedRange::parse);
    return access.with(
        request,
        (repository, caller, now) ->
            created.filter(Optional::isEmpty).isPresent()
                ? Reply.rest(422, "The times of created cannot be read.")
                : list(
                    request, repository, created.map(Optional::get).orElse(CreatedRange.ANY), now));
  }

  private Reply list(
      Request request, Repositories.Repository repository, CreatedRange created, Instant now) {
    var listed =
        runs.all().reversed().stream()
            .filter(history -> repository.equals(history.run.repository))
            .filter(history -> created.contains(history.run.created))
            .map(history -> json(history, repository, now))
            .filter(run -> isAsked(request, "event", run) && isAsked(request, "status", run))
            .toList();
    var page = Paging.of(request);
    var node = Json.object().put("total_count", listed.size());
    page.of(listed).forEach(node.putArray("workflow_runs")::add);
    return access.paged(Reply.json(200, node), request, page, listed.size(), repository);
  }

  /** Whether the run has the value that a parameter asks for; a status may be a conclusion, too. */
  private static boolean isAsked(Request request, String name, ObjectNode run) {
    var wanted = request.parameter(name);
    return wanted.isEmpty()
        || wanted.get().equals(run.path(name).asText())
        || name.equals("status") && wanted.get().equals(run.path("conclusion").asText());
  }

  /** Cancels a run that has not ended. */
  Reply cancel(Request request) {
    return access.with(
        request,
        (repository, caller, now) ->
            run(repository, beforeLast(request))
                .map(run ->
                    runs.cancel(run, now) ? Reply.json(202, Json.object()) : Reply.rest(409, ENDED))
                .orElseGet(RepositoryAccess::notFound));
  }

  /** The jobs of a run, of its latest attempt or of every one, in pages. */
  Reply jobs(Request request) {
    return access.with(
        request,
        (repository, caller, now) ->
            run(repository, beforeLast(request))
                .map(run -> conditional(request, jobs(request, run, repository)))
                .orElseGet(RepositoryAccess::notFound));
  }

  /** The failed and the cancelled jobs run again. */
  Reply rerunFailedJobs(Request request) {
    return access.with(
        request,
        (repository, caller, now) ->
            run(repository, beforeLast(request))
                .map(run -> done(reruns.failedJobs(run, caller.name(), now)))
                .orElseGet(RepositoryAccess::notFound));
  }

  /** One job runs again, alone: no job here needs another one. */
  Reply rerunJob(Request request) {
    return access.with(
        request,
        (repository, caller, now) ->
            Numbers.parseLong(beforeLast(request))
                .flatMap(runs::job)
                .flatMap(job ->
                    run(repository, Long.toString(job.run.id))
                        .map(run -> done(reruns.oneJob(run, job, caller.name(), now))))
                .orElseGet(RepositoryAccess::notFound));
  }

  private static Reply done(Optional<String> refusal) {
    return refusal
        .map(message -> Reply.rest(403, message))
        .orElseGet(() -> Reply.json(201, Json.object()));
  }

  private static String beforeLast(Request request) {
    return request.segments().get(request.segments().size() - 2);
  }

  private Optional<RunHistory> run(Repositories.Repository repository, String id) {
    return Numbers.parseLong(id)
        .flatMap(runs::find)
        .filter(history -> repository.equals(history.run.repository));
  }

  private ObjectNode json(RunHistory history, Repositories.Repository repository, Instant now) {
    var run = history.run;
    var latest = history.latest();
    var status = latest.status(now, state.faults.plan().runLag());
    var url = access.api(repository) + "/actions/runs/" + run.id;
    boolean completed = status == RunStatus.COMPLETED;
    var node =
        Json.object()
            .put("id", run.id)
            .put("name", run.workflow())
            .put("display_title", run.title)
            .put("head_branch", "main")
            .put("path", run.path())
            .put("event", run.event)
            .put("status", status.word())
            .put("conclusion", completed ? latest.conclusion() : null)
            .put("run_attempt", latest.number)
            .put("created_at", run.created.toString())
            .put("run_started_at", latest.began.toString())
            .put("updated_at", latest.changed().toString())
            .put("url", url)
            .put("html_url", page(repository, run))
            .put("jobs_url", url + "/jobs")
            .put("rerun_url", url + "/rerun");
    node.putObject("repository").put("id", repository.id).put("full_name", repository.name);
    node.putObject("head_repository")
        .put("full_name", run.fork == null ? repository.name : run.fork);
    return node;
  }

  private String page(Repositories.Repository repository, WorkflowRun run) {
    return state.front() + "/" + repository.name + "/actions/runs/" + run.id;
  }

  private Reply jobs(Request request, RunHistory run, Repositories.Repository repository) {
    boolean every = request.parameter("filter").filter("all"::equals).isPresent();
    var listed = every ? run.everyJob() : run.latest().jobs;
    var page = Paging.of(request);
    var node = Json.object().put("total_count", listed.size());
    var array = node.putArray("jobs");
    page.of(listed).forEach(job -> array.add(json(job, repository)));
    return access.paged(Reply.json(200, node), request, page, listed.size(), repository);
  }

  private ObjectNode json(Job job, Repositories.Repository repository) {
    var run = job.run;
    boolean taken = job.runnerId != 0;
    var node =
        Json.object()
            .put("id", job.restId)
            .put("run_id", run.id)
            .put("run_attempt", job.runAttempt)
            .put("name", job.request.displayName())
            .put("workflow_name", run.workflow())
            .put("head_branch", "main")
            .put("status", job.status().word())
            .put("conclusion", job.conclusion())
            .put("created_at", text(job.queued))
            .put("started_at", text(job.started == null ? job.queued : job.started))
            .put("completed_at", text(job.completed))
            .put("runner_id", taken ? job.runnerId : null)
            .put("runner_name", taken ? job.runnerName : null)
            .put("run_url", access.api(repository) + "/actions/runs/" + run.id)
            .put("html_url", page(repository, run) + "/job/" + job.restId);
    var labels = node.putArray("labels");
    job.request.labels().forEach(labels::add);
    return node;
  }

  private static @Nullable String text(@Nullable Instant time) {
    return time == null ? null : time.toString();
  }

  /** 304 to a caller who has the same answer already. */
  private static Reply conditional(Request request, Reply reply) {
    var tag = "W/\"" + digest(reply.body()) + "\"";
    boolean same =
        request.header("if-none-match").stream()
            .flatMap(tags -> Stream.of(tags.split(",")))
            .map(String::strip)
            .anyMatch(known -> known.equals("*") || known.equals(tag));
    return (same ? Reply.empty(304) : reply).withHeader("ETag", tag);
  }

  private static String digest(byte[] body) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
