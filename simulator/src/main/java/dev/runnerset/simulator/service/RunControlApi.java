package dev.runnerset.simulator.service;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The {@link RunControl} over HTTP, under {@code /_control}. */
final class RunControlApi {
  private final RunControl runs;

  RunControlApi(RunControl runs) {
    this.runs = runs;
  }

  /**
   * The answer, or empty if the call is none of these:
   *
   * <ul>
   *   <li>{@code POST runs}: {@code repository}, {@code jobs} as of {@code POST jobs}
   *   <li>{@code GET runs}, {@code GET reruns}
   *   <li>{@code POST runs/ID/ACT}: cancel, rerun, rerun-failed-jobs, delete, delete-workflow, age
   *       with {@code days}, or fork with {@code repository}
   *   <li>{@code PUT workflows}: {@code repository} and {@code file} of one that can be dispatched
   *   <li>{@code PUT repositories}: {@code repository}, and {@code movedTo} or else it is deleted
   *   <li>{@code PUT rights}: {@code permissions} and {@code repositories} of apps, {@code scopes}
   *       of users' tokens; what is absent stays
   * </ul>
   */
  Optional<Reply> answer(String what, Request request) {
    return switch (what) {
      case "POST runs" ->
          Optional.of(request.segments().size() == 2 ? queue(request.json()) : act(request));
      case "GET runs" -> Optional.of(ControlApi.list("runs", runs.all()));
      case "GET reruns" -> Optional.of(ControlApi.list("reruns", runs.reruns()));
      case "PUT workflows" -> {
        var body = request.json();
        yield Optional.of(
            done(
                () -> runs.workflow(body.path("repository").asText(), body.path("file").asText())));
      }
      case "PUT repositories" -> Optional.of(repository(request.json()));
      case "PUT rights" -> Optional.of(rights(request.json()));
      default -> Optional.empty();
    };
  }

  private Reply queue(JsonNode body) {
    var jobs = body.path("jobs").valueStream().map(ControlApi::request).toList();
    var id = runs.queue(body.path("repository").asText(), jobs);
    return Reply.json(201, Json.tree(runs.get(id)));
  }

  private Reply act(Request request) {
    var segments = request.segments();
    long run = Numbers.parseLong(segments.get(2)).orElse(0L);
    return switch (segments.getLast()) {
      case "cancel" -> runs.cancel(run) ? done() : Reply.rest(409, "the run has ended");
      case "rerun" -> done(runs.rerun(run));
      case "rerun-failed-jobs" -> done(runs.rerunFailedJobs(run));
      case "delete" -> done(() -> runs.delete(run));
      case "delete-workflow" -> done(() -> runs.deleteWorkflow(run));
      case "fork" -> {
        var fork = request.json().path("repository").asText();
        yield done(() -> runs.fork(run, fork));
      }
      case "age" -> {
        var age = Duration.ofDays(request.json().path("days").asLong());
        yield done(() -> runs.age(run, age));
      }
      default -> Reply.text(404, "no such act of a run: " + segments.getLast());
    };
  }

  private Reply repository(JsonNode body) {
    var name = body.path("repository").asText();
    return done(() -> {
      if (body.hasNonNull("movedTo")) {
        runs.moveRepository(name, body.get("movedTo").asText());
      } else {
        runs.deleteRepository(name);
      }
    });
  }

  private Reply rights(JsonNode body) {
    return done(() -> {
      if (body.has("permissions")) {
        runs.appPermissions(map(body.get("permissions")));
      }
      if (body.has("repositories")) {
        runs.appRepositories(new LinkedHashSet<>(texts(body.get("repositories"))));
      }
      if (body.has("scopes")) {
        runs.tokenScopes(new LinkedHashSet<>(texts(body.get("scopes"))));
      }
    });
  }

  private static Map<String, String> map(JsonNode node) {
    var texts = new LinkedHashMap<String, String>();
    node.properties().forEach(e -> texts.put(e.getKey(), e.getValue().asText()));
    return texts;
  }

  private static List<String> texts(JsonNode node) {
    var texts = new ArrayList<String>();
    node.forEach(e -> texts.add(e.asText()));
    return texts;
  }

  private static Reply done() {
    return Reply.empty(204);
  }

  private static Reply done(Runnable act) {
    act.run();
    return done();
  }

  private static Reply done(Optional<String> refusal) {
    return refusal.map(message -> Reply.rest(403, message)).orElseGet(RunControlApi::done);
  }
}
