package dev.runnerset.controller.retention;

import dev.runnerset.base.ShortText;
import dev.runnerset.crds.GoDuration;
import dev.runnerset.crds.Retention;
import dev.runnerset.crds.RunnerRetention;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What of a retention block is no rule: the schema refuses such values, but an object may be older
 * than the schema. Each sentence names the field and what to write. Pure.
 */
public final class RetentionCheck {
  private static final int LONGEST_QUOTE = 40;

  private RetentionCheck() {}

  /** Why fields of a set's block hold for nothing; empty when all do. */
  public static Optional<String> problem(@Nullable Retention block) {
    if (block == null) {
      return Optional.empty();
    }
    var problems = new ArrayList<String>();
    duration("ttlAfterFailed", block.ttlAfterFailed(), problems);
    duration("ttlAfterSucceeded", block.ttlAfterSucceeded(), problems);
    limit("failedLimit", block.failedLimit(), problems);
    limit("succeededLimit", block.succeededLimit(), problems);
    return sentence(problems);
  }

  /** The same of a runner's own times. */
  public static Optional<String> problem(@Nullable RunnerRetention block) {
    if (block == null) {
      return Optional.empty();
    }
    var problems = new ArrayList<String>();
    duration("ttlAfterFailed", block.ttlAfterFailed(), problems);
    duration("ttlAfterSucceeded", block.ttlAfterSucceeded(), problems);
    return sentence(problems);
  }

  private static void duration(String field, @Nullable String text, List<String> problems) {
    if (text != null && GoDuration.parse(text).isEmpty()) {
      problems.add(
          "spec.retention."
              + field
              + " '"
              + ShortText.of(text, LONGEST_QUOTE)
              + "' is no duration: write one such as 30m or 6h");
    }
  }

  private static void limit(String field, @Nullable Integer limit, List<String> problems) {
    if (limit != null && !RetentionRules.isLimit(limit)) {
      problems.add(
          "spec.retention."
              + field
              + " "
              + limit
              + " is not within 1 to "
              + RetentionRules.LARGEST_LIMIT);
    }
  }

  private static Optional<String> sentence(List<String> problems) {
    return problems.isEmpty()
        ? Optional.empty()
        : Optional.of(String.join("; ", problems) + "; it counts as absent");
  }
}
