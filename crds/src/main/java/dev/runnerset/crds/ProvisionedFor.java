package dev.runnerset.crds;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a runner was made for; decided once, when it is made (RF9). */
public enum ProvisionedFor {
  /** An assigned job had no runner yet. */
  DEMAND("Demand"),
  /** A warm runner, kept beside those of the assigned jobs. */
  MIN_RUNNERS("MinRunners");

  private final String word;

  ProvisionedFor(String word) {
    this.word = word;
  }

  /** As annotations and references spell it. */
  public String word() {
    return word;
  }

  /** The one of that word, or empty for any other text. */
  public static Optional<ProvisionedFor> of(@Nullable String word) {
    return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
  }
}
