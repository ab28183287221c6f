package dev.runnerset.actions.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.actions.JobDescription;
import dev.runnerset.actions.JobEvent;
import dev.runnerset.actions.PollResult;
import dev.runnerset.actions.RunnerId;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads messages (protocol 4). */
final class Messages {
  private static final String TYPE = "RunnerScaleSetJobMessages";

  /** The service's word for "never" (protocol 4.2). */
  private static final Instant NEVER = Instant.parse("0001-01-01T00:00:00Z");

  /** How many elements a body has at most; more events come in the next message (protocol 4.1). */
  private static final int MAX_ELEMENTS = 50;

  private Messages() {}

  /**
   * The message. An element that cannot be read is left out and named in {@link
   * PollResult.Message#unread}, so that it does not hold up the queue.
   */
  static PollResult.Message read(CallResult outcome) {
    var envelope = outcome.read(Wire.Envelope.class);
    var id = Wire.number(envelope.messageId());
    if (id <= 0) {
      throw outcome.malformed("a message without an id");
    }
    var parts = new Parts();
    if (TYPE.equals(Wire.text(envelope.messageType()))) {
      readBody(envelope.body(), parts);
    } else {
      parts.unread.add("the message is of an unknown type");
    }
    return new PollResult.Message(
        id,
        Wire.statistics(envelope.statistics()),
        parts.events,
        parts.unread,
        parts.offered,
        parts.full);
  }

  /** What was read of a message so far. */
  private static final class Parts {
    final List<JobEvent> events = new ArrayList<>();
    final List<String> unread = new ArrayList<>();
    int offered;
    boolean full;
  }

  private static void readBody(@Nullable JsonNode body, Parts parts) {
    if (body == null || body.isNull() || (body.isTextual() && body.asText().isBlank())) {
      return; // statistics alone (protocol 4.1)
    }
    var elements = body.isTextual() ? Json.tree(body.asText()).orElse(null) : body;
    if (elements != null && elements.isNull()) {
      return;
    }
    if (elements == null || !elements.isArray()) {
      parts.unread.add("the body is not a list of jobs");
      return;
    }
    parts.full = elements.size() >= MAX_ELEMENTS;
    for (int i = 0; i < elements.size(); i++) {
      var element = elements.get(i);
      if (!element.isNull()) {
        readElement(element, "element " + (i + 1), parts);
      }
    }
  }

  private static void readElement(JsonNode element, String name, Parts parts) {
    var job = element.isObject() ? Json.convert(element, Wire.Job.class).orElse(null) : null;
    if (job == null || !Wire.isTextOrAbsent(job.messageType())) {
      parts.unread.add(name + " is not a job message");
      return;
    }
    var type = Wire.text(job.messageType());
    var runnerId = new RunnerId(Wire.number(job.runnerId()));
    var runnerName = Wire.text(job.runnerName());
    if (type.equals("JobAssigned")) {
      parts.events.add(new JobEvent.JobAssigned(description(job)));
    } else if (type.equals("JobStarted") || type.equals("JobCompleted")) {
      if (runnerName.isEmpty() && !Wire.isTextOrAbsent(job.runnerName())) {
        parts.unread.add(name + " (" + type + ") has a runner name that is not a text");
      } else if (type.equals("JobStarted")) {
        parts.events.add(new JobEvent.JobStarted(description(job), runnerId, runnerName));
      } else {
        parts.events.add(
            new JobEvent.JobCompleted(
                description(job), Wire.text(job.result()), runnerId, runnerName));
      }
    } else if (type.equals("JobAvailable")) {
      parts.offered++;
    } // else whatever the service will think of
  }

  private static JobDescription description(Wire.Job job) {
    return new JobDescription(
        Wire.number(job.runnerRequestId()),
        Wire.text(job.jobId()),
        Stream.of(Wire.text(job.ownerName()), Wire.text(job.repositoryName()))
            .filter(part -> !part.isEmpty())
            .collect(Collectors.joining("/")),
        Wire.text(job.jobWorkflowRef()),
        Wire.text(job.jobDisplayName()),
        Wire.number(job.workflowRunId()),
        Wire.text(job.eventName()),
        time(Wire.text(job.queueTime())),
        time(Wire.text(job.scaleSetAssignTime())),
        time(Wire.text(job.runnerAssignTime())),
        time(Wire.text(job.finishTime())));
  }

  /** The time, or null if it cannot be read: an odd time must not hold up the queue. */
  static @Nullable Instant time(String text) {
    if (text.isEmpty()) {
      return null;
    }
    try {
      var time = OffsetDateTime.parse(text).toInstant();
      return time.isAfter(NEVER) ? time : null;
    } catch (DateTimeException e) {
      return null;
    }
  }
}
