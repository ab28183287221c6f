package dev.runnerset.cli.view;

import dev.runnerset.base.Pure;
import dev.runnerset.base.ShortText;
import dev.runnerset.crds.condition.StatusConditions;
import org.jspecify.annotations.Nullable;

/** Texts of objects, which anybody may have written, for a terminal or a page. */
@Pure
public final class Texts {
  private Texts() {}

  /** The text in one line without what a terminal obeys; empty for null. */
  public static String line(@Nullable String text) {
    return text == null ? "" : ShortText.of(text, StatusConditions.LONGEST_MESSAGE);
  }
}
