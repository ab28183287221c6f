package dev.runnerset.listener.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.crds.Demand;
import dev.runnerset.crds.RunnerJob;
import dev.runnerset.kube.MergePatch;
import dev.runnerset.listener.demand.DemandAction.Mark;
import dev.runnerset.listener.demand.DemandAction.WriteDemand;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The bodies of the listener's patches: its own fields and no others (WR2). */
final class StatusBodies {
  /** The fields of the status that are written together; the epoch is tested with them. */
  private static final List<String> SESSION =
      List.of("holder", "sessionId", "connection", "conditions", "protocolLevel");

  private StatusBodies() {}

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  /** A merge patch that sets epoch and demand, if the object still has that version. */
  static ObjectNode epoch(String resourceVersion, long epoch, @Nullable Demand demand) {
    var body = ifUnchanged(resourceVersion);
    var status = body.putObject("status").put("epoch", epoch);
    status.set("demand", demand == null ? null : MergePatch.tree(demand));
    return body;
  }

  /** A merge patch that sets the epoch of the former place, if the object has that version. */
  static ObjectNode formerEpoch(String resourceVersion, long epoch) {
    var body = ifUnchanged(resourceVersion);
    body.putObject("status").putObject("demand").put("epoch", epoch);
    return body;
  }

  /** A merge patch that sets the demand of the former place, if the object has that version. */
  static ObjectNode formerDemand(String resourceVersion, Demand demand) {
    var body = ifUnchanged(resourceVersion);
    body.putObject("status").set("demand", MergePatch.tree(demand));
    return body;
  }

  private static ObjectNode ifUnchanged(String resourceVersion) {
    var body = object();
    body.putObject("metadata").put("resourceVersion", resourceVersion);
    return body;
  }

  /** The demand as it is in a status. */
  static Demand demand(long epoch, int scaleSetId, long marksVersion, WriteDemand demand) {
    var counts = demand.counts();
    return new Demand(
        epoch,
        demand.messageId(),
        demand.observedAt(),
        counts.assigned(),
        counts.running(),
        counts.registered(),
        counts.busy(),
        counts.idle(),
        counts.available() + counts.acquired(),
        scaleSetId,
        marksVersion > 0 ? marksVersion : null);
  }

  /** A JSON patch that replaces the demand, if object and epoch are still these. */
  static ArrayNode writeDemand(String uid, long epoch, Demand demand) {
    return add(tested(uid, "/status/epoch", epoch), "demand", MergePatch.tree(demand));
  }

  /** The same for the former place of the demand. */
  static ArrayNode writeFormerDemand(String uid, Demand demand) {
    var operations = tested(uid, "/status/demand/epoch", demand.epoch());
    return add(operations, "demand", MergePatch.tree(demand));
  }

  /** The status part of a merge patch that marks a runner. */
  static ObjectNode mark(Mark mark) {
    var status = MergePatch.tree(mark.status());
    var result = mark.status().jobResult();
    return result == null ? status : status.put("jobResult", result); // also an empty one
  }

  /** The status part of a merge patch that takes a mark back. */
  static ObjectNode noMark() {
    return object().putNull("requestId").putNull("jobId").putNull("job").putNull("jobResult");
  }

  /** The status part of a merge patch that replaces a mark, whatever it was, by this one. */
  static ObjectNode markInstead(Mark mark) {
    var status = noMark();
    var inner = object();
    for (var field : RunnerJob.class.getRecordComponents()) {
      inner.putNull(field.getName());
    }
    var wanted = mark(mark);
    inner.setAll((ObjectNode) wanted.get("job"));
    status.setAll(wanted);
    status.set("job", inner);
    return status;
  }

  /** A JSON patch of what a status says of the session, if object and epoch are still these. */
  static ArrayNode status(String uid, long epoch, JsonNode status) {
    var operations = tested(uid, "/status/epoch", epoch);
    for (var field : SESSION) {
      var value = status.get(field);
      var _ = add(operations, field, value == null ? NullNode.instance : value);
      if (value == null) {
        // what is not there cannot be removed
        operations.addObject().put("op", "remove").put("path", "/status/" + field);
      }
    }
    return operations;
  }

  /** Tests the uid too: another object may have the name by now, and its epoch may be the same. */
  private static ArrayNode tested(String uid, String epochPath, long epoch) {
    var operations = JsonNodeFactory.instance.arrayNode();
    operations.addObject().put("op", "test").put("path", "/metadata/uid").put("value", uid);
    operations.addObject().put("op", "test").put("path", epochPath).put("value", epoch);
    return operations;
  }

  private static ArrayNode add(ArrayNode operations, String field, JsonNode value) {
    operations.addObject().put("op", "add").put("path", "/status/" + field).set("value", value);
    return operations;
  }
}
