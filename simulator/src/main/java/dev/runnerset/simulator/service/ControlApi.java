package dev.runnerset.simulator.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.UUID;

/** The {@link Control} over HTTP, under {@code /_control}. */
final class ControlApi {
  private final Control control;

  ControlApi(Control control) {
    this.control = control;
  }

  Reply answer(Request request) {
    var what =
        request.method()
            + " "
            + String.join(
                "/", request.segments().subList(1, Math.min(2, request.segments().size())));
    try {
      return switch (what) {
        case "POST jobs" -> submit(request.json());
        case "GET jobs" -> Reply.json(200, jobs());
        case "DELETE jobs" -> cancel(request);
        case "GET runners" -> Reply.json(200, runners());
        case "POST runners" -> foreign(request.json());
        case "GET state" -> Reply.json(200, state());
        case "GET counters" -> Reply.json(200, counters());
        case "GET violations" -> Reply.json(200, violations(request));
        case "PUT faults" -> faults(request.json());
        default -> Reply.text(404, "no such control: " + what);
      };
    } catch (IllegalArgumentException e) {
      return Reply.rest(422, String.valueOf(e.getMessage()));
    }
  }

  private Reply submit(JsonNode body) {
    var labels = new ArrayList<String>();
    body.path("labels").forEach(l -> labels.add(l.asText()));
    var ids =
        control.submit(
            new JobRequest(
                body.path("count").asInt(1),
                labels,
                seconds(body, "durationSeconds", 1),
                body.hasNonNull("repository")
                    ? Optional.of(body.get("repository").asText())
                    : Optional.empty(),
                body.path("displayName").asText("build"),
                body.path("result").asText("succeeded"),
                seconds(body, "delaySeconds", 0),
                seconds(body, "spreadSeconds", 0)));
    var node = Json.object();
    var array = node.putArray("jobIds");
    ids.forEach(id -> array.add(id.toString()));
    return Reply.json(201, node);
  }

  private Reply cancel(Request request) {
    var id = UUID.fromString(request.segments().getLast());
    return control.cancel(id) ? Reply.empty(204) : Reply.rest(404, "no such job, or it has ended");
  }

  private Reply foreign(JsonNode body) {
    var runner =
        control.registerForeign(body.path("scaleSetId").asInt(), body.path("name").asText());
    return Reply.json(201, json(runner));
  }

  private ObjectNode jobs() {
    var node = Json.object();
    var array = node.putArray("jobs");
    for (var job : control.jobs()) {
      array
          .addObject()
          .put("id", job.id().toString())
          .put("state", job.state())
          .put("result", job.result())
          .put("scaleSetId", job.scaleSetId())
          .put("runnerName", job.runnerName())
          .put("lost", job.lost())
          .put("queued", text(job.queued()))
          .put("assigned", text(job.assigned()))
          .put("started", text(job.started()))
          .put("completed", text(job.completed()))
          .put("podGone", text(job.podGone()));
    }
    return node;
  }

  private ObjectNode runners() {
    var node = Json.object();
    var array = node.putArray("runners");
    control.runners().forEach(r -> array.add(json(r)));
    return node;
  }

  private static ObjectNode json(RunnerView runner) {
    return Json.object()
        .put("id", runner.id())
        .put("name", runner.name())
        .put("scaleSetId", runner.scaleSetId())
        .put("state", runner.state())
        .put("created", runner.created().toString())
        .put("foreign", runner.foreign());
  }

  private ObjectNode state() {
    var node = Json.object();
    var counts = control.jobCounts();
    node.putObject("jobs")
        .put("submitted", counts.submitted())
        .put("queued", counts.queued())
        .put("assigned", counts.assigned())
        .put("running", counts.running())
        .put("completed", counts.completed())
        .put("lost", counts.lost());
    var array = node.putArray("scaleSets");
    for (var set : control.scaleSets()) {
      var item =
          array
              .addObject()
              .put("id", set.id())
              .put("scope", set.scope())
              .put("name", set.name())
              .put("runnerGroupId", set.runnerGroupId())
              .put("capacity", set.capacity())
              .put("sessionId", set.sessionId())
              .put("backlog", set.backlog());
      set.labels().forEach(item.withArray("labels")::add);
      item.set("statistics", set.statistics().json());
    }
    return node;
  }

  private ObjectNode counters() {
    var node = Json.object();
    var calls = node.putObject("calls");
    control.counters().forEach(calls::put);
    var removals = node.putObject("removeRequests");
    control
        .removeRequests()
        .forEach((runner, times) -> {
          var array = removals.putArray(runner);
          times.forEach(at -> array.add(at.toString()));
        });
    return node;
  }

  /** With {@code ?leaks=SECONDS} also the registrations left behind that are at least so old. */
  private ObjectNode violations(Request request) {
    var all = new ArrayList<>(control.violations());
    request
        .parameter("leaks")
        .flatMap(Numbers::parseLong)
        .ifPresent(age -> all.addAll(control.leaks(Duration.ofSeconds(age))));
    var node = Json.object();
    var array = node.putArray("violations");
    for (var violation : all) {
      array
          .addObject()
          .put("at", violation.at().toString())
          .put("kind", violation.kind().name())
          .put("subject", violation.subject())
          .put("detail", violation.detail());
    }
    return node;
  }

  private Reply faults(JsonNode body) {
    control.faults(FaultPlanJson.read(body));
    return Reply.empty(204);
  }

  private static Duration seconds(JsonNode body, String name, double otherwise) {
    return Duration.ofMillis(Math.round(body.path(name).asDouble(otherwise) * 1000));
  }

  private static @org.jspecify.annotations.Nullable String text(
      java.time.@org.jspecify.annotations.Nullable Instant at) {
    return at == null ? null : at.toString();
  }
}
