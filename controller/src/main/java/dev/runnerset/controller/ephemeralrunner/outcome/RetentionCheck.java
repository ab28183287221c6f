package dev.runnerset.controller.ephemeralrunner.outcome;

import dev.runnerset.base.ShortText;
import dev.runnerset.crds.GoDuration;
import dev.runnerset.crds.Retention;
import dev.runnerset.crds.RunnerRetention;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which fields of a retention block are invalid: the schema refuses such values, but an object may
 * be older than the schema. Each sentence names the field and says what to write.
 */
public final class RetentionCheck {
  private static final int LONGEST_QUOTE = 40;

  private RetentionCheck() {}

  /** What to correct in a set's block; empty if all fields are valid. */
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

  /** What to correct in a runner's own block; empty if all fields are valid. */
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
              + "' is not a duration: write one like 30m or 6h");
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
        : Optional.of(String.join("; ", problems) + "; an invalid field is ignored");
  }
}
