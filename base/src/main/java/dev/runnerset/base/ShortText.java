package dev.runnerset.base;

/** Texts cut to a longest length, for what people read and a store must hold. */
public final class ShortText {
  private static final String CUT = "…";

  private ShortText() {}

  /**
   * The text itself if it is short enough; else its beginning and "…", together at most {@code
   * longest} characters, and never half of a surrogate pair.
   *
   * @param longest at least 2
   */
  public static String of(String text, int longest) {
    if (text.length() <= longest) {
      return text;
    }
    int end = longest - CUT.length();
    return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + CUT;
  }
}
