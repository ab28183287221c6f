package dev.runnerset.deployment.pages;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits a command into the simple commands of its pipes and lists, without comments and
 * here-documents. What stands in quotes, or in {@code $(…)}, is not split.
 */
final class SimpleCommands {
  private SimpleCommands() {}

  static List<String> of(String text) {
    var found = new ArrayList<String>();
    var current = new StringBuilder();
    int depth = 0;
    char quote = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quote != 0) {
        quote = c == quote ? 0 : quote;
        current.append(c);
      } else if (c == '\\' && i + 1 < text.length()) {
        current.append(c).append(text.charAt(++i));
      } else if (c == '\'' || c == '"') {
        quote = c;
        current.append(c);
      } else if (c == '#' && (i == 0 || Character.isWhitespace(text.charAt(i - 1)))) {
        i = endOfLine(text, i) - 1;
      } else if (text.startsWith("<<", i) && depth == 0 && !text.startsWith("<<<", i)) {
        break;
      } else if (depth == 0 && "|;&\n".indexOf(c) >= 0) {
        add(found, current);
      } else {
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        current.append(c);
      }
    }
    add(found, current);
    return found;
  }

  /** The program that a simple command starts, behind assignments; empty if there is none. */
  static String program(String command) {
    for (var word : command.split("\\s+")) {
      if (!word.matches("[A-Za-z_]\\w*=.*")) {
        return word;
      }
    }
    return "";
  }

  private static int endOfLine(String text, int from) {
    int end = text.indexOf('\n', from);
    return end < 0 ? text.length() : end;
  }

  private static void add(List<String> found, StringBuilder current) {
    var command = current.toString().strip();
    if (!command.isEmpty()) {
      found.add(command);
    }
    current.setLength(0);
  }
}
