package dev.runnerset.simulator.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The {@link Control} over HTTP, under {@code /_control}. */
final class ControlApi {
  private final Control control;
  private final RunControlApi runs;

  ControlApi(Control control) {
    this.control = control;
    this.runs = new RunControlApi(control.runs());
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
        case "GET jobs" -> list("jobs", control.jobs());
        case "DELETE jobs" -> cancel(request);
        case "GET runners" -> list("runners", control.runners());
        case "POST runners" -> foreign(request.json());
        case "GET state" -> Reply.json(200, state());
        case "GET counters" -> Reply.json(200, counters());
        case "GET violations" -> list("violations", violations(request));
        case "PUT faults" -> faults(request.json());
        case "PUT versions" -> version(request.json());
        case "PUT flavour" -> flavour(request.json());
        case "PUT assign-order" -> assignOrder(request.json());
        default ->
            runs.answer(what, request).orElseGet(() -> Reply.text(404, "no such control: " + what));
      };
    } catch (IllegalArgumentException e) {
      return Reply.rest(422, String.valueOf(e.getMessage()));
    }
  }

  private Reply submit(JsonNode body) {
    var ids = control.submit(request(body));
    var node = Json.object();
    var array = node.putArray("jobIds");
    ids.forEach(id -> array.add(id.toString()));
    return Reply.json(201, node);
  }

  /** What is asked for by the names of the components, times in seconds. */
  static JobRequest request(JsonNode body) {
    var labels = new ArrayList<String>();
    body.path("labels").forEach(l -> labels.add(l.asText()));
    return new JobRequest(
        body.path("count").asInt(1),
        labels,
        seconds(body, "durationSeconds", 1),
        body.hasNonNull("repository")
            ? Optional.of(body.get("repository").asText())
            : Optional.empty(),
        body.path("displayName").asText("build"),
        body.path("result").asText("succeeded"),
        seconds(body, "delaySeconds", 0),
        seconds(body, "spreadSeconds", 0));
  }

  private Reply cancel(Request request) {
    var id = UUID.fromString(request.segments().getLast());
    return control.cancel(id) ? Reply.empty(204) : Reply.rest(404, "no such job, or it has ended");
  }

  private Reply foreign(JsonNode body) {
    var runner =
        control.registerForeign(body.path("scaleSetId").asInt(), body.path("name").asText());
    return Reply.json(201, Json.tree(runner));
  }

  static Reply list(String name, List<?> values) {
    return Reply.json(200, Json.object().set(name, Json.tree(values)));
  }

  private ObjectNode state() {
    var node = Json.object();
    node.set("jobs", Json.tree(control.jobCounts()));
    node.set("scaleSets", Json.tree(control.scaleSets()));
    return node;
  }

  private ObjectNode counters() {
    var node = Json.object();
    node.set("calls", Json.tree(control.counters()));
    node.set("removeRequests", Json.tree(control.removeRequests()));
    return node;
  }

  /** With {@code ?leaks=SECONDS} also the registrations left behind that are at least so old. */
  private List<Violation> violations(Request request) {
    var all = new ArrayList<>(control.violations());
    request
        .parameter("leaks")
        .flatMap(Numbers::parseLong)
        .ifPresent(age -> all.addAll(control.leaks(Duration.ofSeconds(age))));
    return all;
  }

  private Reply faults(JsonNode body) {
    control.faults(FaultPlan.of(body));
    return Reply.empty(204);
  }

  private Reply version(JsonNode body) {
    control.runnerVersion(
        body.path("version").asText(), time(body, "jobsUntil"), time(body, "registersUntil"));
    return Reply.empty(204);
  }

  private static @Nullable Instant time(JsonNode body, String field) {
    try {
      return body.hasNonNull(field) ? Instant.parse(body.get(field).asText()) : null;
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(field + " must be a time, as 2026-11-05T00:00:00Z", e);
    }
  }

  private Reply flavour(JsonNode body) {
    control.flavour(named(Flavour.class, body, "flavour"));
    return Reply.empty(204);
  }

  private Reply assignOrder(JsonNode body) {
    control.assignOrder(named(AssignOrder.class, body, "order"));
    return Reply.empty(204);
  }

  private static <E extends Enum<E>> E named(Class<E> type, JsonNode body, String field) {
    var name = body.path(field).asText();
    var all = List.of(type.getEnumConstants());
    return all.stream()
        .filter(one -> one.name().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                field
                    + " must be one of "
                    + String.join(", ", all.stream().map(ControlApi::word).toList())
                    + ", not '"
                    + name
                    + "'"));
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static Duration seconds(JsonNode body, String name, double otherwise) {
    return Duration.ofMillis(Math.round(body.path(name).asDouble(otherwise) * 1000));
  }
}
