package dev.runnerset.simulator.service;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The REST API of workflow runs: what became of them, and that they run again (protocol 3.17). */
final class RunsApi {
  private static final String MOVED = "/api/v3/repositories/";
  private final ServiceState state;
  private final RestAccess access;
  private final WorkflowRuns runs;
  private final Reruns reruns;

  RunsApi(ServiceState state, RestAccess access, WorkflowRuns runs, Reruns reruns) {
    this.state = state;
    this.access = access;
    this.runs = runs;
    this.reruns = reruns;
  }

  /** One run, by its latest attempt. */
  Reply run(Request request) {
    return inRepository(
        request,
        (repository, caller, now) ->
            run(repository, request.segments().getLast())
                .map(run -> conditional(request, Reply.json(200, json(run, repository, now))))
                .orElseGet(RunsApi::notFound));
  }

  /** The jobs of a run, of its latest attempt or of every one, in pages. */
  Reply jobs(Request request) {
    return inRepository(
        request,
        (repository, caller, now) ->
            run(repository, beforeLast(request))
                .map(run -> conditional(request, jobs(request, run, repository)))
                .orElseGet(RunsApi::notFound));
  }

  /** The failed and the cancelled jobs run again. */
  Reply rerunFailedJobs(Request request) {
    return inRepository(
        request,
        (repository, caller, now) ->
            run(repository, beforeLast(request))
                .map(run -> done(reruns.failedJobs(run, caller.name(), now)))
                .orElseGet(RunsApi::notFound));
  }

  /** One job runs again, alone: no job here needs another one. */
  Reply rerunJob(Request request) {
    return inRepository(
        request,
        (repository, caller, now) ->
            Numbers.parseLong(beforeLast(request))
                .flatMap(runs::job)
                .flatMap(job ->
                    run(repository, Long.toString(job.run.id))
                        .map(run -> done(reruns.oneJob(run, job, caller.name(), now))))
                .orElseGet(RunsApi::notFound));
  }

  private static Reply done(Optional<String> refusal) {
    return refusal
        .map(message -> Reply.rest(403, message))
        .orElseGet(() -> Reply.json(201, Json.object()));
  }

  private static Reply notFound() {
    return Reply.rest(404, "Not Found");
  }

  private static String beforeLast(Request request) {
    return request.segments().get(request.segments().size() - 2);
  }

  private Optional<RunHistory> run(Repositories.Repository repository, String id) {
    return Numbers.parseLong(id)
        .flatMap(runs::find)
        .filter(history -> repository.equals(history.run.repository));
  }

  private interface Body {
    Reply reply(Repositories.Repository repository, RestAccess.Caller caller, Instant now);
  }

  /**
   * Paths are {@code /api/v3/repos/{owner}/{name}/...} or {@code /api/v3/repositories/{id}/...};
   * the name of before a move leads to the second.
   */
  private Reply inRepository(Request request, Body body) {
    var segments = request.segments();
    boolean byId = segments.get(2).equals("repositories");
    boolean reads = request.method().equals("GET");
    return state.enter(now -> {
      var found =
          byId
              ? Numbers.parseLong(segments.get(3)).flatMap(state.repositories::find)
              : state.repositories.find(segments.get(3) + "/" + segments.get(4));
      var asked =
          byId ? found.map(r -> r.name).orElse("?/?") : segments.get(3) + "/" + segments.get(4);
      return access.with(
          request,
          new Scope(asked),
          (caller, same) -> {
            if (found.filter(caller::sees).isEmpty()) {
              return notFound();
            }
            var repository = found.get();
            if (!repository.isNamed(asked)) {
              return moved(request, repository);
            }
            return (reads ? caller.mayReadActions() : caller.mayWriteActions())
                ? body.reply(repository, caller, now)
                : Reply.rest(403, RestAccess.NOT_GRANTED);
          });
    });
  }

  private Reply moved(Request request, Repositories.Repository repository) {
    boolean reads = request.method().equals("GET");
    var rest = request.segments().subList(5, request.segments().size());
    var location =
        api(repository) + "/" + String.join("/", rest) + query(request, Optional.empty());
    return Reply.json(
            reads ? 301 : 307,
            Json.object()
                .put("message", reads ? "Moved Permanently" : "Temporary Redirect")
                .put("url", location)
                .put("documentation_url", "https://docs.github.com/rest"))
        .withHeader("Location", location);
  }

  private String api(Repositories.Repository repository) {
    return state.front() + MOVED + repository.id;
  }

  /** The parameters of the request, with another page if one is named. */
  private static String query(Request request, Optional<Integer> page) {
    var parameters = new TreeMap<>(request.query());
    page.ifPresent(number -> parameters.put("page", number.toString()));
    var text =
        parameters.entrySet().stream()
            .map(e -> e.getKey() + "=" + e.getValue())
            .collect(Collectors.joining("&"));
    return text.isEmpty() ? "" : "?" + text;
  }

  private ObjectNode json(RunHistory history, Repositories.Repository repository, Instant now) {
    var run = history.run;
    var latest = history.latest();
    var status = latest.status(now, state.faults.plan().runLag());
    var url = api(repository) + "/actions/runs/" + run.id;
    boolean completed = status == RunStatus.COMPLETED;
    var node =
        Json.object()
            .put("id", run.id)
            .put("name", "ci")
            .put("head_branch", "main")
            .put("path", ".github/workflows/ci.yml")
            .put("event", "push")
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
    var reply = Reply.json(200, node);
    var links = links(request, page, page.pages(listed.size()), repository);
    return links.isEmpty() ? reply : reply.withHeader("Link", String.join(", ", links));
  }

  private List<String> links(
      Request request, Paging page, int last, Repositories.Repository repository) {
    var segments = request.segments();
    var path = segments.subList(segments.indexOf("actions"), segments.size());
    var links = new ArrayList<String>();
    var url = api(repository) + "/" + String.join("/", path);
    if (page.number() > 1) {
      links.add(link(url + query(request, Optional.of(page.number() - 1)), "prev"));
    }
    if (page.number() < last) {
      links.add(link(url + query(request, Optional.of(page.number() + 1)), "next"));
      links.add(link(url + query(request, Optional.of(last)), "last"));
    }
    if (page.number() > 1) {
      links.add(link(url + query(request, Optional.of(1)), "first"));
    }
    return links;
  }

  private static String link(String url, String relation) {
    return "<" + url + ">; rel=\"" + relation + "\"";
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
            .put("workflow_name", "ci")
            .put("head_branch", "main")
            .put("status", job.status().word())
            .put("conclusion", job.conclusion())
            .put("created_at", text(job.queued))
            .put("started_at", text(job.started == null ? job.queued : job.started))
            .put("completed_at", text(job.completed))
            .put("runner_id", taken ? job.runnerId : null)
            .put("runner_name", taken ? job.runnerName : null)
            .put("run_url", api(repository) + "/actions/runs/" + run.id)
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
