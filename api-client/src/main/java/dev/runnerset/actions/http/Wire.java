package dev.runnerset.actions.http;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.RunnerReference;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.Statistics;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The protocol's JSON objects, in the wire's spelling. They do not leave this package. */
final class Wire {
  private Wire() {}

  /** An installation token or a registration token (protocol 1.4). */
  record Token(@Nullable String token) {}

  /** The answer to the runner registration (protocol 1.4). */
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
      @Nullable List<@Nullable Label> labels,
      @Nullable Counts statistics,
      @Nullable JsonNode createdOn,
      @Nullable JsonNode status) {
    dev.runnerset.actions.ScaleSet toScaleSet() {
      return new dev.runnerset.actions.ScaleSet(
          new ScaleSetId(id),
          text(name),
          new RunnerGroupId(runnerGroupId),
          labels == null
              ? List.of()
              : labels.stream().filter(Objects::nonNull).map(l -> text(l.name())).toList(),
          statistics == null ? null : statistics.toStatistics(),
          Messages.time(text(createdOn)),
          isOnline(text(status)));
    }

    /** Not in the public client's types, so that any other word means nothing. */
    private static @Nullable Boolean isOnline(String status) {
      return switch (status.toLowerCase(Locale.ROOT)) {
        case "online" -> true;
        case "offline" -> false;
        default -> null;
      };
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

  /** Fields of any type: the id must be known even if another field is odd. */
  record Session(
      @Nullable JsonNode sessionId,
      @Nullable JsonNode messageQueueUrl,
      @Nullable JsonNode messageQueueAccessToken,
      @Nullable JsonNode statistics) {}

  /** Fields of any type: one odd field must not hold up the queue. */
  record Envelope(
      @Nullable JsonNode messageId,
      @Nullable JsonNode messageType,
      @Nullable JsonNode body,
      @Nullable JsonNode statistics) {}

  /** The fields of all inner messages (protocol 4.2), of any type each. */
  record Job(
      @Nullable JsonNode messageType,
      @Nullable JsonNode runnerRequestId,
      @Nullable JsonNode jobId,
      @Nullable JsonNode repositoryName,
      @Nullable JsonNode ownerName,
      @Nullable JsonNode jobWorkflowRef,
      @Nullable JsonNode jobDisplayName,
      @Nullable JsonNode workflowRunId,
      @Nullable JsonNode eventName,
      @Nullable JsonNode queueTime,
      @Nullable JsonNode scaleSetAssignTime,
      @Nullable JsonNode runnerAssignTime,
      @Nullable JsonNode finishTime,
      @Nullable JsonNode result,
      @Nullable JsonNode runnerId,
      @Nullable JsonNode runnerName) {}

  /** The shapes of 2.4 and of 1.4 together; {@code error} and {@code details} are the broker's. */
  record Problem(
      @Nullable String typeName,
      @Nullable String message,
      @JsonProperty("documentation_url") @Nullable JsonNode documentationUrl,
      @Nullable JsonNode error,
      @Nullable JsonNode details) {}

  /** An absent text is an empty one (protocol 2.3). */
  static String text(@Nullable String value) {
    return value == null ? "" : value;
  }

  /** A text, or a number as text; anything else is as an absent one. */
  static String text(@Nullable JsonNode value) {
    return value != null && (value.isTextual() || value.isNumber()) ? value.asText() : "";
  }

  /** A whole number, also where it stands as text; anything else is as an absent one, 0. */
  static long number(@Nullable JsonNode value) {
    return value == null ? 0 : value.asLong(0);
  }

  /** Whether the value can stand where a text is expected. */
  static boolean isTextOrAbsent(@Nullable JsonNode value) {
    return value == null || value.isNull() || value.isTextual();
  }

  /** The counts, or null (unknown) if they are absent or cannot be read. */
  static @Nullable Statistics statistics(@Nullable JsonNode value) {
    return value == null || !value.isObject()
        ? null
        : Json.convert(value, Counts.class).map(Counts::toStatistics).orElse(null);
  }
}
