package dev.runnerset.controller.timing;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Times that several decisions share, and helpers for instants. */
public final class Times {
  /** How long an end waits for the message that tells of it (LV3). */
  public static final Duration SETTLE = Duration.ofSeconds(30);

  /**
   * The first wait after a registration that was refused, and the pause of a set's tries (RN13).
   */
  public static final Duration REGISTRATION_RETRY = Duration.ofSeconds(5);

  /** The longest wait between two tries to register one runner (RN13). */
  public static final Duration LONGEST_REGISTRATION_RETRY = Duration.ofSeconds(10);

  private Times() {}

  /** The time in whole seconds, for people and for fields of the API that hold no more. */
  public static String seconds(Instant at) {
    return at.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** The latest of the instants; null if all of them are null. */
  public static @Nullable Instant latest(@Nullable Instant... instants) {
    return Stream.of(instants).filter(Objects::nonNull).max(Comparator.naturalOrder()).orElse(null);
  }
}
