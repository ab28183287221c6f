package dev.runnerset.deployment.pages;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A fenced block of a page.
 *
 * @param page the path of the page, from the root of the repository
 * @param line the line of the page on which the text begins, from 1
 * @param language as {@code yaml}; empty if the block names none
 * @param text what is between the fences, without the indentation of the fence
 */
record Fence(String page, int line, String language, String text) {
  private static final Pattern FENCE = Pattern.compile("^( *)```+ *(\\S*).*$");

  /** The fenced blocks of a page, in their order. */
  static List<Fence> of(String page, String markdown) {
    var fences = new ArrayList<Fence>();
    var lines = markdown.lines().toList();
    int begin = -1;
    for (int i = 0; i < lines.size(); i++) {
      var fence = FENCE.matcher(lines.get(i));
      if (!fence.matches()) {
        continue;
      }
      if (begin < 0) {
        begin = i;
        continue;
      }
      var opening = FENCE.matcher(lines.get(begin));
      if (!opening.matches()) {
        throw new IllegalStateException("no fence: " + lines.get(begin));
      }
      var indent = opening.group(1).length();
      var text = new StringBuilder();
      for (var line : lines.subList(begin + 1, i)) {
        text.append(line, Math.min(indent, line.length()), line.length()).append('\n');
      }
      fences.add(new Fence(page, begin + 2, opening.group(2), text.toString()));
      begin = -1;
    }
    if (begin >= 0) {
      throw new IllegalArgumentException(page + ":" + (begin + 1) + ": a fence that is not closed");
    }
    return fences;
  }

  String place() {
    return page + ":" + line;
  }
}
