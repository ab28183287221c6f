package dev.runnerset.service.http;

import dev.runnerset.service.JobDescription;
import dev.runnerset.service.JobEvent;
import dev.runnerset.service.PollResult;
import dev.runnerset.service.RunnerId;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads messages (protocol 4). */
final class Messages {
  private static final String TYPE = "RunnerScaleSetJobMessages";

  /** The service's word for "never" (protocol 4.2). */
  private static final Instant NEVER = Instant.parse("0001-01-01T00:00:00Z");

  private Messages() {}

  static PollResult.Message read(Outcome outcome) {
    var envelope = outcome.read(Wire.Envelope.class);
    if (!TYPE.equals(envelope.messageType())) {
      throw outcome.malformed("a message of an unknown type");
    }
    if (envelope.messageId() <= 0) {
      throw outcome.malformed("a message without an id");
    }
    var counts = envelope.statistics();
    return new PollResult.Message(
        envelope.messageId(),
        counts == null ? null : counts.toStatistics(),
        events(outcome, Wire.text(envelope.body())));
  }

  private static List<JobEvent> events(Outcome outcome, String body) {
    if (body.isBlank()) {
      return List.of(); // statistics alone (protocol 4.1)
    }
    var jobs =
        Json.readList(body, Wire.Job.class)
            .orElseThrow(() -> outcome.malformed("a message whose body is not a list of jobs"));
    if (jobs.stream().anyMatch(Objects::isNull)) {
      throw outcome.malformed("a message with an empty element");
    }
    return jobs.stream().map(Messages::event).flatMap(Optional::stream).toList();
  }

  private static Optional<JobEvent> event(Wire.Job job) {
    var runnerId = new RunnerId(job.runnerId());
    var runnerName = Wire.text(job.runnerName());
    return switch (Wire.text(job.messageType())) {
      case "JobAssigned" -> Optional.of(new JobEvent.JobAssigned(description(job)));
      case "JobStarted" ->
          Optional.of(new JobEvent.JobStarted(description(job), runnerId, runnerName));
      case "JobCompleted" ->
          Optional.of(
              new JobEvent.JobCompleted(
                  description(job), Wire.text(job.result()), runnerId, runnerName));
      default -> Optional.empty(); // JobAvailable and whatever the service will think of
    };
  }

  private static JobDescription description(Wire.Job job) {
    return new JobDescription(
        job.runnerRequestId(),
        Wire.text(job.jobId()),
        Stream.of(Wire.text(job.ownerName()), Wire.text(job.repositoryName()))
            .filter(part -> !part.isEmpty())
            .collect(Collectors.joining("/")),
        Wire.text(job.jobWorkflowRef()),
        Wire.text(job.jobDisplayName()),
        job.workflowRunId(),
        Wire.text(job.eventName()),
        time(job.queueTime()),
        time(job.scaleSetAssignTime()),
        time(job.runnerAssignTime()),
        time(job.finishTime()));
  }

  /** A time that cannot be read is an absent one: it must not hold up the queue. */
  private static @Nullable Instant time(@Nullable String text) {
    if (text == null || text.isEmpty()) {
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
