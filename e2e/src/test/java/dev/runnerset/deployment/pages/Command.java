package dev.runnerset.deployment.pages;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A command of a page, as a user would paste it: with its here-document and its further lines.
 *
 * @param place page and line
 */
record Command(String place, String text) {
  private static final Set<String> SHELLS = Set.of("console", "sh", "bash", "shell");
  private static final String PROMPT = "$ ";
  private static final Pattern HERE =
      Pattern.compile("(?<!<)<<-?\\s*(['\"]?)([A-Za-z_]\\w*)\\1(?![\\w<])");

  /**
   * The commands of a block. In a {@code console} each begins with a prompt, and what stands
   * between is output; in {@code sh} and its like every line is a command or a part of one. Blocks
   * of other languages have none.
   */
  static List<Command> of(Fence fence) {
    var commands = new ArrayList<Command>();
    if (!SHELLS.contains(fence.language())) {
      return commands;
    }
    boolean prompts = fence.language().equals("console");
    var lines = fence.text().lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      var first = lines.get(i);
      if (prompts ? !first.startsWith(PROMPT) : first.isBlank() || first.startsWith("#")) {
        continue;
      }
      int begin = i;
      var text = new StringBuilder(prompts ? first.substring(PROMPT.length()) : first);
      while (!isWhole(text.toString())) {
        if (++i == lines.size()) {
          throw new IllegalArgumentException(
              fence.page() + ":" + (fence.line() + begin) + ": a command that does not end");
        }
        text.append('\n').append(lines.get(i));
      }
      commands.add(
          new Command(fence.page() + ":" + (fence.line() + begin), text.toString().strip()));
    }
    return commands;
  }

  /** The text of the here-document, if the command has one. */
  Optional<String> hereDocument() {
    var here = HERE.matcher(text.lines().findFirst().orElse(""));
    if (!here.find()) {
      return Optional.empty();
    }
    var body = text.lines().skip(1).takeWhile(line -> !line.equals(here.group(2))).toList();
    return Optional.of(String.join("\n", body) + "\n");
  }

  private static boolean isWhole(String text) {
    var here = HERE.matcher(text.lines().findFirst().orElse(""));
    if (here.find()) {
      return text.lines().skip(1).anyMatch(line -> line.equals(here.group(2)));
    }
    return !text.endsWith("\\") && !hasOpenQuote(text);
  }

  private static boolean hasOpenQuote(String text) {
    char quote = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quote == '\'') {
        quote = c == '\'' ? 0 : quote;
      } else if (c == '\\') {
        i++;
      } else if (quote == '"') {
        quote = c == '"' ? 0 : quote;
      } else if (c == '#' && (i == 0 || Character.isWhitespace(text.charAt(i - 1)))) {
        int end = text.indexOf('\n', i);
        i = end < 0 ? text.length() : end;
      } else if (c == '\'' || c == '"') {
        quote = c;
      }
    }
    return quote != 0;
  }
}
