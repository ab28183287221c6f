package dev.runnerset.crds;

import dev.runnerset.base.Pure;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/** Times as Kubernetes spells them. */
@Pure
public final class Timestamps {
  private Timestamps() {}

  /** The instant; null for an absent text and for a text that is no timestamp. */
  public static @Nullable Instant parse(@Nullable String written) {
    try {
      return written == null ? null : OffsetDateTime.parse(written).toInstant();
    } catch (DateTimeException e) {
      return null;
    }
  }
}
