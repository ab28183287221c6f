package dev.runnerset.listener.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.crds.AutoScalingListenerStatus;
import dev.runnerset.crds.RunnerJob;
import dev.runnerset.listener.demand.DemandAction.Mark;
import dev.runnerset.listener.demand.DemandAction.MarkCompleted;
import dev.runnerset.listener.demand.DemandAction.MarkStarted;
import dev.runnerset.listener.demand.DemandAction.WriteDemand;
import dev.runnerset.listener.demand.JobMark;

/** The bodies of the listener's patches: its own fields and no others (WR2). */
final class StatusBodies {
  private StatusBodies() {}

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  /** A merge patch that changes nothing: its answer is the object. */
  static ObjectNode nothing() {
    return object();
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
        object()
            .put("epoch", epoch)
            .put("messageId", demand.messageId())
            .put("observedAt", demand.observedAt().toString())
            .put("assigned", counts.assigned())
            .put("running", counts.running())
            .put("registered", counts.registered())
            .put("busy", counts.busy())
            .put("idle", counts.idle())
            .put("available", counts.available() + counts.acquired())
            .put("scaleSetId", scaleSetId);
    if (marksVersion > 0) {
      value.put("marksVersion", marksVersion);
    }
    return tested(uid, "/status/demand/epoch", epoch, "/status/demand", value);
  }

  /**
   * The status part of a merge patch that marks a runner. The request id is what the service sent,
   * 0 too (DM3); a text that the service did not send is left as it is.
   */
  static ObjectNode mark(Mark mark) {
    var status = object();
    var job = mark.job();
    status.put("requestId", job.requestId());
    putText(status, "jobId", job.jobId());
    var inner = status.putObject("job");
    putDetails(inner, job.details());
    switch (mark) {
      case MarkStarted _ -> {}
      case MarkCompleted completed -> {
        status.put("jobResult", completed.result());
        inner.put("completedIn", completed.completedIn());
      }
    }
    return status;
  }

  private static void putDetails(ObjectNode inner, JobMark.Details job) {
    putText(inner, "repository", job.repository());
    putText(inner, "workflowRef", job.workflowRef());
    if (job.workflowRunId() > 0) {
      inner.put("workflowRunId", job.workflowRunId());
    }
    putText(inner, "displayName", job.displayName());
    putText(inner, "eventName", job.eventName());
    if (job.startedAt() != null) {
      inner.put("startedAt", job.startedAt().toString());
    }
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

  private static void putText(ObjectNode node, String field, String text) {
    if (!text.isEmpty()) {
      node.put(field, text);
    }
  }
}
