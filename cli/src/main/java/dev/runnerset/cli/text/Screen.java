package dev.runnerset.cli.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What the output goes to.
 *
 * @param columns how wide it is; at least 20
 * @param isTerminal false for a pipe or a file: nothing is cut, nothing has a colour
 * @param hasColour whether escape sequences of colours are understood and wanted
 */
public record Screen(int columns, boolean isTerminal, boolean hasColour) {
  private static final int NARROWEST = 20;
  private static final int USUAL = 80;
  private static final String ESCAPE = "\u001B[";

  /** The narrowest screen is still usable. */
  public Screen {
    columns = Math.max(NARROWEST, columns);
  }

  /**
   * The screen that an environment describes.
   *
   * @param environment COLUMNS, NO_COLOR and TERM are read
   * @param isTerminal whether standard output is one
   */
  public static Screen of(Map<String, String> environment, boolean isTerminal) {
    boolean plain =
        !environment.getOrDefault("NO_COLOR", "").isEmpty()
            || environment.getOrDefault("TERM", "").equals("dumb");
    return new Screen(columns(environment), isTerminal, isTerminal && !plain);
  }

  private static int columns(Map<String, String> environment) {
    try {
      return Integer.parseInt(environment.getOrDefault("COLUMNS", String.valueOf(USUAL)).strip());
    } catch (NumberFormatException e) {
      return USUAL;
    }
  }

  /**
   * The text in the colour of a tone.
   *
   * @param tone good, busy, warn, bad or dim; any other has no colour
   */
  public String coloured(String text, String tone) {
    var code =
        switch (tone) {
          case "good" -> "32";
          case "busy" -> "36";
          case "warn" -> "33";
          case "bad" -> "31";
          case "dim" -> "2";
          default -> "";
        };
    return hasColour && !code.isEmpty() && !text.isEmpty()
        ? ESCAPE + code + "m" + text + ESCAPE + "0m"
        : text;
  }

  /** This screen without a limit of its width. */
  public Screen unbounded() {
    return new Screen(Integer.MAX_VALUE, isTerminal, hasColour);
  }

  /**
   * The text in lines that fit behind an indentation; in one line where the output is no terminal.
   *
   * @param indent in characters
   */
  public List<String> wrapped(String text, int indent) {
    return isTerminal ? wrap(text, columns - indent) : List.of(text);
  }

  /** In lines of at most that many characters, between words where that is possible. */
  private static List<String> wrap(String text, int width) {
    var lines = new ArrayList<String>();
    var rest = text.strip();
    while (rest.length() > width) {
      int at = rest.lastIndexOf(' ', width);
      int end = at <= 0 ? width : at;
      lines.add(rest.substring(0, end).stripTrailing());
      rest = rest.substring(end).strip();
    }
    if (!rest.isEmpty()) {
      lines.add(rest);
    }
    return lines;
  }
}
