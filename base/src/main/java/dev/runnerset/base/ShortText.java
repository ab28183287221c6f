package dev.runnerset.base;

import java.util.function.IntPredicate;
import java.util.regex.Pattern;

/**
 * Texts from outside, as of the service or of a pod, for what people read and a store must hold:
 * short, and without what a terminal or a reader of lines obeys. That is control characters, the
 * line separators of Unicode, marks that turn the direction of writing, and halves of surrogate
 * pairs.
 */
public final class ShortText {
  private static final String CUT = "…";

  /** As for colours: from the escape character to the letter that ends it. */
  private static final Pattern TERMINAL_SEQUENCE =
      Pattern.compile("\u001B\\[[0-?]*[ -/]*[@-~]|\u001B\\][^\u0007\u001B]*(\u0007|\u001B\\\\)?");

  private ShortText() {}

  /**
   * The text in one line, with a space for each character that is obeyed. If it is longer than
   * {@code longest} characters, its beginning and "…", together at most as long, and never half of
   * a surrogate pair.
   *
   * @param longest at least 2
   */
  public static String of(String text, int longest) {
    if (text.length() <= longest) {
      return replaced(text, ShortText::isObeyed, " ");
    }
    int end = longest - CUT.length();
    int whole = Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end;
    return replaced(text.substring(0, whole), ShortText::isObeyed, " ") + CUT;
  }

  /** All of the text with its lines and tabs, without the other characters that are obeyed. */
  public static String lines(String text) {
    return replaced(
        TERMINAL_SEQUENCE.matcher(text).replaceAll(""),
        c -> isObeyed(c) && c != '\n' && c != '\t',
        "");
  }

  private static String replaced(String text, IntPredicate unwanted, String by) {
    if (text.codePoints().noneMatch(unwanted)) {
      return text;
    }
    var clean = new StringBuilder(text.length());
    text.codePoints()
        .forEach(c -> {
          if (unwanted.test(c)) {
            clean.append(by);
          } else {
            clean.appendCodePoint(c);
          }
        });
    return clean.toString();
  }

  private static boolean isObeyed(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          true;
      default -> isOfDirection(c) || c == '\uFEFF';
    };
  }

  private static boolean isOfDirection(int c) {
    return c == '\u061C'
        || c == '\u200E'
        || c == '\u200F'
        || (c >= '\u202A' && c <= '\u202E')
        || (c >= '\u2066' && c <= '\u2069');
  }
}
