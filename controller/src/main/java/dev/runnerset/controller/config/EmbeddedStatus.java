package dev.runnerset.controller.config;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** In which form a parent's status names its children (RF5). */
public enum EmbeddedStatus {
  /** Only the whole statuses of the runners; deprecated. */
  FULL(false, true),
  /** Only references. */
  MINIMAL(true, false),
  /** Both, for clients that are moving from one to the other. */
  BOTH(true, true);

  private final boolean references;
  private final boolean fullForm;

  EmbeddedStatus(boolean references, boolean fullForm) {
    this.references = references;
    this.fullForm = fullForm;
  }

  /** Whether {@code status.childReferences} is written. */
  public boolean hasReferences() {
    return references;
  }

  /** Whether {@code status.runnerStatuses} is written. */
  public boolean hasFullForm() {
    return fullForm;
  }

  /** The word of the flag. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The form of that word in any case; empty for any other text. */
  public static Optional<EmbeddedStatus> of(String word) {
    return Arrays.stream(values()).filter(each -> each.name().equalsIgnoreCase(word)).findFirst();
  }
}
