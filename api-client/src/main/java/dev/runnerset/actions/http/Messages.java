package dev.runnerset.actions.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.runnerset.actions.JobDescription;
import dev.runnerset.actions.JobEvent;
import dev.runnerset.actions.PollResult;
import dev.runnerset.actions.RunnerId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One message while it is read (protocol 4), element by element. */
final class Messages {
  private static final String TYPE = "RunnerScaleSetJobMessages";

  /** How many elements a body has at most; more events come in the next message (protocol 4.1). */
  private static final int MAX_ELEMENTS = 50;

  /** So many are read, in case that a service sends more some day; the others are counted. */
  static final int MOST_READ = 2 * MAX_ELEMENTS;

  /** The longest text that is kept of a job, in characters: no mark has more of it. */
  static final int LONGEST_TEXT = 256;

  private final List<JobEvent> events = new ArrayList<>();
  private final List<String> unread = new ArrayList<>();
  private int elements;

  private Messages() {}

  /**
   * The message; its id is 0 if it has none. Empty if the text is no JSON. An element that cannot
   * be read is left out and named in {@link PollResult.Message#unread}, so that it does not hold up
   * the queue.
   */
  static Optional<PollResult.Message> read(String text) {
    return Json.stream(text, parser -> new Messages().message(parser));
  }

  private PollResult.Message message(JsonParser parser) throws IOException {
    var envelope = Fields.read(parser, LONGEST_TEXT, this::takesBody);
    if (!TYPE.equals(envelope.text("messageType"))) {
      clear();
      unread.add("the message is of an unknown type");
    }
    return new PollResult.Message(
        envelope.number("messageId"),
        envelope.statistics(),
        events,
        unread,
        elements >= MAX_ELEMENTS);
  }

  private void clear() {
    events.clear();
    unread.clear();
    elements = 0;
  }

  private boolean takesBody(String name, JsonParser parser) throws IOException {
    if (!name.equalsIgnoreCase("body")) {
      return false;
    }
    clear(); // of two bodies the last one counts
    if (parser.currentToken() == JsonToken.VALUE_STRING) {
      var body = parser.getText().strip();
      if (!body.isEmpty() && !body.equals("null") && !isReadWhole(body)) {
        unread.add(
            elements == 0
                ? "the body is not a list of jobs"
                : "the body is not a list of jobs from element " + elements + " on");
      }
    } else if (parser.currentToken() != JsonToken.VALUE_NULL) { // else statistics alone
      readElements(parser);
    }
    return true;
  }

  private boolean isReadWhole(String body) {
    return Json.stream(
            body,
            parser -> {
              readElements(parser);
              return true;
            })
        .isPresent();
  }

  private void readElements(JsonParser parser) throws IOException {
    if (!parser.isExpectedStartArrayToken()) {
      parser.skipChildren(); // of a text that ends within it, the caller says so
      unread.add("the body is not a list of jobs");
      return;
    }
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      elements++;
      if (elements > MOST_READ) {
        parser.skipChildren();
      } else if (parser.currentToken() != JsonToken.VALUE_NULL) {
        boolean isObject = parser.isExpectedStartObjectToken();
        var job = Fields.read(parser, LONGEST_TEXT, (_, _) -> false);
        readElement(isObject, job, "element " + elements);
      }
    }
    if (elements > MOST_READ) {
      unread.add("%d elements beyond the first %d".formatted(elements - MOST_READ, MOST_READ));
    }
  }

  private void readElement(boolean isObject, Fields job, String name) {
    if (!isObject || !job.isTextOrAbsent("messageType")) {
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

  /** A job in the list of offers (protocol 3.12). */
  static JobDescription offer(JsonParser parser) throws IOException {
    return description(Fields.read(parser, LONGEST_TEXT, (_, _) -> false));
  }

  /** What an element says of its job. */
  private static JobDescription description(Fields job) {
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
