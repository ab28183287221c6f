package dev.runnerset.controller.ephemeralrunner.lifecycle;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Where the container named runner stands. */
public sealed interface RunnerContainer {
  /** Not started; reason and message as the kubelet says, or empty. */
  record Waiting(String reason, String message) implements RunnerContainer {}

  /** Started. */
  record Running(@Nullable Instant startedAt) implements RunnerContainer {}

  /** Ended. */
  record Terminated(
      int exitCode,
      String reason,
      String message,
      @Nullable Instant startedAt,
      @Nullable Instant finishedAt)
      implements RunnerContainer {}
}
