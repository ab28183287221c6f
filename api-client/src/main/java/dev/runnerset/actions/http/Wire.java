package dev.runnerset.actions.http;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import dev.runnerset.actions.RepositoryName;
import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.RunnerReference;
import dev.runnerset.actions.RunnerVersion;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.Statistics;
import dev.runnerset.actions.VersionDates;
import dev.runnerset.actions.WorkflowJob;
import dev.runnerset.actions.WorkflowRun;
import dev.runnerset.base.ShortText;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The protocol's JSON objects, in the wire's spelling. They do not leave this package. */
final class Wire {
  private Wire() {}

  /** A registration token (protocol 1.4). */
  record Token(@Nullable String token) {}

  /** The token of an app's installation, and what it may do (protocol 1.4, protocol 3.17). */
  record Installation(
      @Nullable String token,
      @JsonProperty("expires_at") @Nullable Scalar expiresAt,
      @Nullable Permissions permissions) {}

  /** Of an app, as far as they are used. */
  record Permissions(@Nullable Scalar actions) {}

  /** The answer to the runner registration (protocol 1.4). */
  record Registration(@Nullable String url, @Nullable String token) {}

  /** The payload of the admin token. */
  record Claims(@Nullable Double exp) {}

  /**
   * The service decides by {@code count}, not by the length of the list (protocol 3.1).
   *
   * @param value its first elements, without those that are null
   */
  record Page<T extends Object>(int count, @Nullable List<T> value) {}

  /** How a page calls its count and its list. */
  record PageNames(String count, String values) {
    static final PageNames OF_SERVICE = new PageNames("count", "value");

    /** Of GitHub's public list (protocol 3.15). */
    static final PageNames OF_RUNNERS = new PageNames("total_count", "runners");

    /** Of the jobs of a run (protocol 3.17). */
    static final PageNames OF_JOBS = new PageNames("total_count", "jobs");
  }

  /** A text, a number or a truth value as text; empty for what has parts, which are not kept. */
  @JsonDeserialize(using = ScalarReader.class)
  record Scalar(String asText) {
    /** Its first characters; empty if there is none. */
    static String text(@Nullable Scalar value) {
      return value == null ? "" : ShortText.of(value.asText(), Messages.LONGEST_TEXT);
    }

    /** The time that it is; null if there is none. */
    static @Nullable Instant time(@Nullable Scalar value) {
      return value == null ? null : Fields.instant(value.asText());
    }
  }

  static final class ScalarReader extends JsonDeserializer<Scalar> {
    @Override
    public Scalar deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      if (parser.currentToken().isScalarValue()) {
        return new Scalar(parser.getText());
      }
      parser.skipChildren();
      return new Scalar("");
    }
  }

  record Group(int id) {}

  record Label(@Nullable String type, @Nullable String name) {
    Label(String name) {
      this("System", name);
    }
  }

  record RunnerSetting(boolean disableUpdate) {}

  /** What a scale set is to be. Updates are always off; an absent setting would mean on. */
  record WantedSet(
      String name,
      int runnerGroupId,
      List<Label> labels,
      @JsonProperty("RunnerSetting") RunnerSetting setting) {}

  record ScaleSet(
      int id,
      @Nullable String name,
      int runnerGroupId,
      @Nullable List<@Nullable Label> labels,
      @Nullable Statistics statistics,
      @Nullable Scalar createdOn,
      @Nullable Scalar status) {
    dev.runnerset.actions.ScaleSet toScaleSet() {
      return new dev.runnerset.actions.ScaleSet(
          new ScaleSetId(id),
          Fields.orEmpty(name),
          new RunnerGroupId(runnerGroupId),
          labels == null
              ? List.of()
              : labels.stream()
                  .filter(Objects::nonNull)
                  .map(l -> Fields.orEmpty(l.name()))
                  .toList(),
          statistics,
          Scalar.time(createdOn),
          isOnline(status == null ? "" : status.asText()));
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

  record Runner(long id, @Nullable String name, int runnerScaleSetId, @Nullable Scalar version) {
    RunnerReference toReference() {
      return new RunnerReference(
          new RunnerId(id),
          Fields.orEmpty(name),
          new ScaleSetId(runnerScaleSetId),
          version == null ? null : RunnerVersion.parse(version.asText()).orElse(null));
    }
  }

  /** Of GitHub's public list (protocol 3.15). */
  record Listed(long id, @Nullable String name, @Nullable Boolean busy) {}

  /** One runner of the public API (protocol 3.16). */
  record ListedRunner(@Nullable Scalar version) {}

  /** Until when a version is served (protocol 3.16). */
  record Dates(
      @JsonProperty("runtime_deprecates_at") @Nullable Scalar runtime,
      @JsonProperty("registration_deprecates_at") @Nullable Scalar registration) {
    VersionDates toDates() {
      return new VersionDates(Scalar.time(runtime), Scalar.time(registration));
    }
  }

  /** A workflow run (protocol 3.17). */
  record Run(
      @Nullable Scalar status,
      @Nullable Scalar conclusion,
      @JsonProperty("run_attempt") int attempt,
      @Nullable Repository repository) {
    /** A run; one that does not name its repository is of the one that was asked for. */
    WorkflowRun toRun(RepositoryName asked) {
      var named = repository == null ? "" : Scalar.text(repository.fullName());
      return new WorkflowRun(
          RepositoryName.parse(named).orElse(asked),
          Math.max(1, attempt),
          Scalar.text(status).equals("completed"),
          Scalar.text(conclusion));
    }
  }

  record Repository(@JsonProperty("full_name") @Nullable Scalar fullName) {}

  /** One execution of a job of a run (protocol 3.17). */
  record Job(
      long id,
      @Nullable Scalar name,
      @JsonProperty("run_attempt") int attempt,
      @JsonProperty("runner_id") long runnerId,
      @JsonProperty("runner_name") @Nullable Scalar runnerName,
      @Nullable Scalar conclusion,
      @JsonProperty("completed_at") @Nullable Scalar completedAt) {
    WorkflowJob toJob() {
      return new WorkflowJob(
          id,
          Scalar.text(name),
          attempt,
          new WorkflowJob.Runner(new RunnerId(runnerId), Scalar.text(runnerName)),
          Scalar.text(conclusion),
          Scalar.time(completedAt));
    }
  }

  record Jit(@Nullable Runner runner, @Nullable String encodedJITConfig) {}

  /** The shapes of 2.4 and of 1.4 together; {@code error} and {@code details} are the broker's. */
  record Problem(
      @Nullable String typeName,
      @Nullable String message,
      @JsonProperty("documentation_url") @Nullable Scalar documentationUrl,
      @Nullable Scalar details) {}

  /** Asks for the registration of a runner (protocol 3.8). */
  record NewRunner(String name, String workFolder) {}

  /** Asks for a session (protocol 3.10). */
  record NewSession(String sessionId, String ownerName) {}

  /** Asks for an admin connection (protocol 1.4). */
  record Register(String url, @JsonProperty("runner_event") String event) {}
}
