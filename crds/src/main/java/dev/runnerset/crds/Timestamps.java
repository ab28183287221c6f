package dev.runnerset.crds;

import dev.runnerset.base.Pure;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** Times as Kubernetes spells them. */
@Pure
public final class Timestamps {
  /** How the API server writes its own times; a 0 stands for any digit. */
  private static final String USUAL = "0000-00-00T00:00:00Z";

  private Timestamps() {}

  /** The instant; null for an absent text and for a text that is no timestamp. */
  public static @Nullable Instant parse(@Nullable String written) {
    try {
      if (written == null) {
        return null;
      }
      return isUsual(written) ? ofUsual(written) : OffsetDateTime.parse(written).toInstant();
    } catch (DateTimeException e) {
      return null;
    }
  }

  private static boolean isUsual(String written) {
    if (written.length() != USUAL.length()) {
      return false;
    }
    for (int i = 0; i < USUAL.length(); i++) {
      char found = written.charAt(i);
      char wanted = USUAL.charAt(i);
      if (wanted == '0' ? found < '0' || found > '9' : found != wanted) {
        return false;
      }
    }
    return true;
  }

  /** At a small part of the cost of the library's parser: each event of a pod has six of them. */
  private static Instant ofUsual(String written) {
    return LocalDateTime.of(
            number(written, 0, 4),
            number(written, 5, 7),
            number(written, 8, 10),
            number(written, 11, 13),
            number(written, 14, 16),
            number(written, 17, 19))
        .toInstant(ZoneOffset.UTC);
  }

  private static int number(String written, int from, int to) {
    return Integer.parseInt(written, from, to, 10);
  }
}
