package dev.runnerset.simulator.service;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** A {@link FaultPlan} as the control interface takes it; an unknown field is refused. */
final class FaultPlanJson {
  private static final Set<String> FIELDS =
      Set.of(
          "http",
          "drop",
          "duplicate",
          "statistics",
          "lingerSeconds",
          "byteOrderMark",
          "unknownMessages",
          "emptyQueueUrl",
          "noQueueToken",
          "noSessionStatistics",
          "oddElements",
          "brokenBodies",
          "idGap");

  private FaultPlanJson() {}

  static FaultPlan read(JsonNode body) {
    body.fieldNames()
        .forEachRemaining(name -> {
          if (!FIELDS.contains(name)) {
            throw new IllegalArgumentException("no fault is called " + name);
          }
        });
    var http = new ArrayList<HttpFault>();
    body.path("http").forEach(node -> http.add(fault(node)));
    var dropped = new HashMap<String, Double>();
    body.path("drop").properties().forEach(e -> dropped.put(e.getKey(), e.getValue().asDouble()));
    return new FaultPlan(
        http,
        dropped,
        body.path("duplicate").asDouble(0),
        FaultPlan.StatisticsFault.valueOf(
            body.path("statistics").asText("none").toUpperCase(Locale.ROOT)),
        seconds(body.path("lingerSeconds")),
        body.path("byteOrderMark").asBoolean(),
        body.path("unknownMessages").asBoolean(),
        new OddAnswers(
            share(body.path("emptyQueueUrl")),
            share(body.path("noQueueToken")),
            share(body.path("noSessionStatistics")),
            share(body.path("oddElements")),
            share(body.path("brokenBodies"))),
        body.path("idGap").asInt(0));
  }

  /** A share, or {@code true} for all. */
  private static double share(JsonNode node) {
    return node.isBoolean() ? (node.asBoolean() ? 1 : 0) : node.asDouble(0);
  }

  private static HttpFault fault(JsonNode node) {
    var retryAfter = node.path("retryAfterSeconds");
    return new HttpFault(
        node.path("endpoint").asText("*"),
        node.path("status").asInt(0),
        node.path("times").asInt(-1),
        node.path("share").asDouble(1),
        HttpFault.Body.valueOf(node.path("body").asText("message").toUpperCase(Locale.ROOT)),
        node.path("typeName").asText(""),
        retryAfter.isMissingNode() ? Optional.empty() : Optional.of(seconds(retryAfter)),
        node.path("afterEffect").asBoolean(),
        node.path("dropped").asBoolean());
  }

  private static Duration seconds(JsonNode node) {
    return Duration.ofMillis(Math.round(node.asDouble(0) * 1000));
  }
}
