package dev.runnerset.cli.view;

import dev.runnerset.base.Pure;
import dev.runnerset.base.ShortText;
import dev.runnerset.crds.condition.StatusConditions;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Texts of objects, which anybody may have written, for a terminal or a page. */
@Pure
public final class Texts {
  private Texts() {}

  /** The text in one line without what a terminal obeys; empty for null. */
  public static String line(@Nullable String text) {
    return text == null ? "" : ShortText.of(text, StatusConditions.LONGEST_MESSAGE);
  }

  /** {@code Reason: message} in one line, without what is absent; empty if both are. */
  public static String reasoned(@Nullable String reason, @Nullable String message) {
    return line(
        Stream.of(reason, message)
            .filter(part -> part != null && !part.isEmpty())
            .collect(Collectors.joining(": ")));
  }
}
