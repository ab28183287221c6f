package dev.runnerset.service.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.service.RunnerGroupId;
import dev.runnerset.service.RunnerId;
import dev.runnerset.service.RunnerReference;
import dev.runnerset.service.ScaleSetId;
import dev.runnerset.service.Statistics;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The protocol's JSON objects, with the wire's spelling; nothing of them leaves this package. */
final class Wire {
  private Wire() {}

  /** R1 and R2. */
  record Token(@Nullable String token) {}

  /** R3. */
  record Registration(@Nullable String url, @Nullable String token) {}

  /** The payload of the admin token. */
  record Claims(@Nullable Double exp) {}

  /** The service decides by {@code count}, not by the length of the list (protocol 3.1). */
  record Page<T extends Object>(int count, @Nullable List<T> value) {}

  record Group(int id, @Nullable String name) {}

  record Label(@Nullable String type, @Nullable String name) {}

  record ScaleSet(
      int id,
      @Nullable String name,
      int runnerGroupId,
      @Nullable String runnerGroupName,
      @Nullable List<@Nullable Label> labels,
      @Nullable Counts statistics) {
    dev.runnerset.service.ScaleSet toScaleSet() {
      return new dev.runnerset.service.ScaleSet(
          new ScaleSetId(id),
          text(name),
          new RunnerGroupId(runnerGroupId),
          text(runnerGroupName),
          labels == null
              ? List.of()
              : labels.stream().filter(Objects::nonNull).map(l -> text(l.name())).toList(),
          statistics == null ? null : statistics.toStatistics());
    }
  }

  record Counts(
      int totalAvailableJobs,
      int totalAcquiredJobs,
      int totalAssignedJobs,
      int totalRunningJobs,
      int totalRegisteredRunners,
      int totalBusyRunners,
      int totalIdleRunners) {
    Statistics toStatistics() {
      return new Statistics(
          totalAvailableJobs,
          totalAcquiredJobs,
          totalAssignedJobs,
          totalRunningJobs,
          totalRegisteredRunners,
          totalBusyRunners,
          totalIdleRunners);
    }
  }

  record Runner(long id, @Nullable String name, int runnerScaleSetId) {
    RunnerReference toReference() {
      return new RunnerReference(new RunnerId(id), text(name), new ScaleSetId(runnerScaleSetId));
    }
  }

  record Jit(@Nullable Runner runner, @Nullable String encodedJITConfig) {}

  record Session(
      @Nullable String sessionId,
      @Nullable String messageQueueUrl,
      @Nullable String messageQueueAccessToken,
      @Nullable Counts statistics) {}

  record Envelope(
      long messageId,
      @Nullable String messageType,
      @Nullable String body,
      @Nullable Counts statistics) {}

  /** The fields of all inner messages (protocol 4.2). */
  record Job(
      @Nullable String messageType,
      long runnerRequestId,
      @Nullable String jobId,
      @Nullable String repositoryName,
      @Nullable String ownerName,
      @Nullable String jobWorkflowRef,
      @Nullable String jobDisplayName,
      long workflowRunId,
      @Nullable String eventName,
      @Nullable String queueTime,
      @Nullable String scaleSetAssignTime,
      @Nullable String runnerAssignTime,
      @Nullable String finishTime,
      @Nullable String result,
      long runnerId,
      @Nullable String runnerName) {}

  /** The shapes of 2.4 together; {@code error} and {@code details} are the broker's. */
  record Problem(
      @Nullable String typeName,
      @Nullable String message,
      @Nullable JsonNode error,
      @Nullable JsonNode details) {}

  /** An absent text is an empty one (protocol 2.3). */
  static String text(@Nullable String value) {
    return value == null ? "" : value;
  }
}
