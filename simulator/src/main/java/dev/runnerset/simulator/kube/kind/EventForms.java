package dev.runnerset.simulator.kube.kind;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** Events are stored as {@code v1} and shown as {@code events.k8s.io/v1} too: the same objects. */
public final class EventForms {
  /** New name by old name. */
  private static final Map<String, String> RENAMED =
      Map.of(
          "involvedObject", "regarding",
          "message", "note",
          "source", "deprecatedSource",
          "firstTimestamp", "deprecatedFirstTimestamp",
          "lastTimestamp", "deprecatedLastTimestamp",
          "count", "deprecatedCount",
          "reportingComponent", "reportingController");

  private EventForms() {}

  public static boolean isNewForm(ResourceType type) {
    return type.group().equals("events.k8s.io");
  }

  public static ObjectNode toNew(ObjectNode stored) {
    ObjectNode event = stored.deepCopy();
    event.put("apiVersion", "events.k8s.io/v1");
    RENAMED.forEach((old, name) -> rename(event, old, name));
    return event;
  }

  public static ObjectNode toStored(ObjectNode event) {
    event.put("apiVersion", "v1");
    RENAMED.forEach((old, name) -> rename(event, name, old));
    return event;
  }

  private static void rename(ObjectNode event, String from, String to) {
    JsonNode value = event.remove(from);
    if (value != null) {
      event.set(to, value);
    }
  }
}
