package dev.runnerset.actions.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.actions.JobDescription;
import dev.runnerset.actions.JobEvent;
import dev.runnerset.actions.PollResult;
import dev.runnerset.actions.RunnerId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One message while it is read (protocol 4). */
final class Messages {
  private static final String TYPE = "RunnerScaleSetJobMessages";

  /** How many elements a body has at most; more events come in the next message (protocol 4.1). */
  private static final int MAX_ELEMENTS = 50;

  private final List<JobEvent> events = new ArrayList<>();
  private final List<String> unread = new ArrayList<>();
  private boolean full;

  private Messages() {}

  /**
   * The message. An element that cannot be read is left out and named in {@link
   * PollResult.Message#unread}, so that it does not hold up the queue.
   */
  static PollResult.Message read(Answer answer) {
    var envelope = Fields.of(answer.read(JsonNode.class));
    var id = envelope.number("messageId");
    if (id <= 0) {
      throw answer.malformed("a message without an id");
    }
    var parts = new Messages();
    if (TYPE.equals(envelope.text("messageType"))) {
      parts.readBody(envelope.node("body"));
    } else {
      parts.unread.add("the message is of an unknown type");
    }
    return new PollResult.Message(
        id, envelope.statistics(), parts.events, parts.unread, parts.full);
  }

  private void readBody(JsonNode body) {
    if (body.isMissingNode() || body.isNull() || (body.isTextual() && body.asText().isBlank())) {
      return; // statistics alone (protocol 4.1)
    }
    if (body.isTextual()) {
      if (!body.asText().strip().equals("null")) {
        readElements(Json.read(body.asText(), JsonNode.class).orElse(body));
      }
    } else {
      readElements(body);
    }
  }

  private void readElements(JsonNode elements) {
    if (!elements.isArray()) {
      unread.add("the body is not a list of jobs");
      return;
    }
    full = elements.size() >= MAX_ELEMENTS;
    for (int i = 0; i < elements.size(); i++) {
      if (!elements.get(i).isNull()) {
        readElement(elements.get(i), "element " + (i + 1));
      }
    }
  }

  private void readElement(JsonNode element, String name) {
    var job = Fields.of(element);
    if (!element.isObject() || !job.isTextOrAbsent("messageType")) {
      unread.add(name + " is not a job message");
      return;
    }
    var type = job.text("messageType");
    var runner = new RunnerId(job.number("runnerId"));
    var runnerName = job.text("runnerName");
    switch (type) {
      case "JobAssigned" -> events.add(new JobEvent.JobAssigned(description(job)));
      case "JobAvailable" -> events.add(new JobEvent.JobAvailable(description(job)));
      case "JobStarted", "JobCompleted" -> {
        if (runnerName.isEmpty() && !job.isTextOrAbsent("runnerName")) {
          unread.add(name + " (" + type + ") has a runner name that is not a text");
        } else if (type.equals("JobStarted")) {
          events.add(new JobEvent.JobStarted(description(job), runner, runnerName));
        } else {
          var result = job.text("result");
          events.add(new JobEvent.JobCompleted(description(job), result, runner, runnerName));
        }
      }
      default -> {} // whatever the service will think of
    }
  }

  /** What an element says of its job; also of a job in the list of offers (protocol 3.12). */
  static JobDescription description(Fields job) {
    return new JobDescription(
        job.number("runnerRequestId"),
        job.text("jobId"),
        Stream.of(job.text("ownerName"), job.text("repositoryName"))
            .filter(part -> !part.isEmpty())
            .collect(Collectors.joining("/")),
        job.text("jobWorkflowRef"),
        job.text("jobDisplayName"),
        job.number("workflowRunId"),
        job.text("eventName"),
        job.time("queueTime"),
        job.time("scaleSetAssignTime"),
        job.time("runnerAssignTime"),
        job.time("finishTime"));
  }
}
