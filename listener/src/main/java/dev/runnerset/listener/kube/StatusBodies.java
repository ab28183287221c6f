package dev.runnerset.listener.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.crds.AutoScalingListenerStatus;
import dev.runnerset.crds.Demand;
import dev.runnerset.crds.RunnerJob;
import dev.runnerset.kube.MergePatch;
import dev.runnerset.listener.demand.DemandAction.Mark;
import dev.runnerset.listener.demand.DemandAction.WriteDemand;

/** The bodies of the listener's patches: its own fields and no others (WR2). */
final class StatusBodies {
  private StatusBodies() {}

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  /** A merge patch that sets the epoch, if the object still has that version. */
  static ObjectNode epoch(String resourceVersion, long epoch) {
    var body = object();
    body.putObject("metadata").put("resourceVersion", resourceVersion);
    body.putObject("status").putObject("demand").put("epoch", epoch);
    return body;
  }

  /** A JSON patch that replaces the demand, if object and epoch are still these. */
  static ArrayNode demand(
      String uid, long epoch, int scaleSetId, long marksVersion, WriteDemand demand) {
    var counts = demand.counts();
    var value =
        new Demand(
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
    return tested(uid, "/status/demand/epoch", epoch, "/status/demand", MergePatch.tree(value));
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

  /** A merge patch that replaces the listener's status, if the object still has that version. */
  static ObjectNode claim(String resourceVersion, JsonNode status) {
    var body = object();
    body.putObject("metadata").put("resourceVersion", resourceVersion);
    var wanted = body.putObject("status");
    for (var field : AutoScalingListenerStatus.class.getRecordComponents()) {
      var value = status.get(field.getName());
      wanted.set(field.getName(), value == null ? JsonNodeFactory.instance.nullNode() : value);
    }
    return body;
  }

  /** A JSON patch that replaces the listener's status, if object and epoch are still these. */
  static ArrayNode status(String uid, long epoch, JsonNode status) {
    return tested(uid, "/status/epoch", epoch, "/status", status);
  }

  /** Tests the uid too: another object may have the name by now, and its epoch may be the same. */
  private static ArrayNode tested(
      String uid, String epochPath, long epoch, String path, JsonNode value) {
    var operations = JsonNodeFactory.instance.arrayNode();
    operations.addObject().put("op", "test").put("path", "/metadata/uid").put("value", uid);
    operations.addObject().put("op", "test").put("path", epochPath).put("value", epoch);
    operations.addObject().put("op", "add").put("path", path).set("value", value);
    return operations;
  }
}
