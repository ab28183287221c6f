package dev.runnerset.simulator.kube.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.simulator.kube.table.Columns.Column;
import java.util.ArrayList;
import java.util.List;

/** What kubectl shows of the built-in kinds. */
public final class BuiltInColumns {
  private BuiltInColumns() {}

  public static Columns of(String kind) {
    List<Column> columns = new ArrayList<>();
    if (!kind.equals("Event")) {
      columns.add(Columns.NAME);
    }
    columns.addAll(own(kind));
    if (!kind.equals("Event")) {
      int wide = firstWide(columns);
      columns.add(wide, Columns.AGE);
    }
    return new Columns(List.copyOf(columns));
  }

  private static int firstWide(List<Column> columns) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).priority() > 0) {
        return i;
      }
    }
    return columns.size();
  }

  private static List<Column> own(String kind) {
    return switch (kind) {
      case "Pod" ->
          List.of(
              Column.text("Ready", (pod, now) -> ready(pod)),
              Column.text("Status", (pod, now) -> podStatus(pod)),
              Column.text("Restarts", (pod, now) -> restarts(pod)),
              Column.wide("IP", (pod, now) -> at(pod, "/status/podIP", "<none>")),
              Column.wide("Node", (pod, now) -> at(pod, "/spec/nodeName", "<none>")));
      case "Node" -> List.of(Column.text("Status", (node, now) -> nodeStatus(node)));
      case "Namespace" -> List.of(Column.text("Status", (ns, now) -> at(ns, "/status/phase", "")));
      case "Secret" ->
          List.of(
              Column.text("Type", (secret, now) -> at(secret, "/type", "")),
              Column.text("Data", (secret, now) -> Integer.toString(secret.path("data").size())));
      case "ConfigMap" ->
          List.of(Column.text("Data", (map, now) -> Integer.toString(map.path("data").size())));
      case "Lease" ->
          List.of(Column.text("Holder", (lease, now) -> at(lease, "/spec/holderIdentity", "")));
      case "PodDisruptionBudget" ->
          List.of(
              Column.text("Min Available", (pdb, now) -> at(pdb, "/spec/minAvailable", "N/A")),
              Column.text("Max Unavailable", (pdb, now) -> at(pdb, "/spec/maxUnavailable", "N/A")),
              Column.text(
                  "Allowed Disruptions", (pdb, now) -> at(pdb, "/status/disruptionsAllowed", "0")));
      case "CustomResourceDefinition" ->
          List.of(
              Column.text("Created At", (crd, now) -> at(crd, "/metadata/creationTimestamp", "")));
      case "Event" ->
          List.of(
              Column.text("Last Seen", (event, now) -> Age.since(lastSeen(event), now)),
              Column.text("Type", (event, now) -> at(event, "/type", "")),
              Column.text("Reason", (event, now) -> at(event, "/reason", "")),
              Column.text("Object", (event, now) -> involved(event)),
              Column.text("Message", (event, now) -> message(event)));
      default -> List.of();
    };
  }

  private static String at(ObjectNode object, String pointer, String absent) {
    return object.at(pointer).asText(absent);
  }

  private static String ready(ObjectNode pod) {
    JsonNode statuses = pod.at("/status/containerStatuses");
    long ready = statuses.valueStream().filter(s -> s.path("ready").asBoolean()).count();
    return ready + "/" + pod.at("/spec/containers").size();
  }

  private static String restarts(ObjectNode pod) {
    return Integer.toString(
        pod.at("/status/containerStatuses")
            .valueStream()
            .mapToInt(s -> s.path("restartCount").asInt())
            .sum());
  }

  private static String podStatus(ObjectNode pod) {
    if (pod.at("/metadata").has("deletionTimestamp")) {
      return "Terminating";
    }
    String status = at(pod, "/status/reason", at(pod, "/status/phase", ""));
    for (JsonNode container : pod.at("/status/containerStatuses")) {
      String waiting = container.at("/state/waiting/reason").asText();
      JsonNode ended = container.at("/state/terminated");
      if (!waiting.isEmpty()) {
        status = waiting;
      } else if (ended.isObject()) {
        status = ended.path("reason").asText("ExitCode:" + ended.path("exitCode").asText());
      }
    }
    return status;
  }

  private static String nodeStatus(ObjectNode node) {
    String status = "Unknown";
    for (JsonNode condition : node.at("/status/conditions")) {
      if (condition.path("type").asText().equals("Ready")) {
        status = condition.path("status").asText().equals("True") ? "Ready" : "NotReady";
      }
    }
    return node.at("/spec/unschedulable").asBoolean() ? status + ",SchedulingDisabled" : status;
  }

  private static String lastSeen(ObjectNode event) {
    for (String field : List.of("lastTimestamp", "eventTime", "firstTimestamp")) {
      if (!event.path(field).asText("").isEmpty()) {
        return event.path(field).asText();
      }
    }
    return at(event, "/metadata/creationTimestamp", "");
  }

  private static String involved(ObjectNode event) {
    JsonNode object =
        event.path("involvedObject").isObject()
            ? event.path("involvedObject")
            : event.path("regarding");
    return object.path("kind").asText().toLowerCase(java.util.Locale.ROOT)
        + "/"
        + object.path("name").asText();
  }

  private static String message(ObjectNode event) {
    return event.path("message").asText(event.path("note").asText()).strip();
  }
}
