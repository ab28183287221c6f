package dev.runnerset.actions;

import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The version of a runner: digits and dots, as {@code 2.338.1}. Nothing else is taken from what a
 * server or an image says, since it becomes part of a URL (protocol 3.16).
 */
public record RunnerVersion(String text) {
  private static final Pattern FORM = Pattern.compile("\\d{1,5}(\\.\\d{1,5}){1,3}");

  /**
   * A version.
   *
   * @throws IllegalArgumentException if it is not of digits and dots
   */
  public RunnerVersion {
    if (!FORM.matcher(text).matches()) {
      throw new IllegalArgumentException("a runner version has digits and dots");
    }
  }

  /** Reads a version, with or without a leading v. Empty if the text is no version. */
  public static Optional<RunnerVersion> parse(@Nullable String text) {
    var plain = text == null ? "" : text.strip().replaceFirst("^v", "");
    return FORM.matcher(plain).matches() ? Optional.of(new RunnerVersion(plain)) : Optional.empty();
  }

  @Override
  public String toString() {
    return text;
  }
}
