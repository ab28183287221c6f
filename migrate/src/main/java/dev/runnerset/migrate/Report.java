package dev.runnerset.migrate;

import java.util.List;
import java.util.stream.Collectors;

/** How outcomes are printed. */
public final class Report {
  private Report() {}

  /** The converted sets, each with its notes as comments on top. */
  public static String yaml(List<Conversion.Converted> sets) {
    return sets.stream()
        .map(set -> comments(set) + Yaml.print(set.output()))
        .collect(Collectors.joining("---\n"));
  }

  private static String comments(Conversion.Converted set) {
    var lines = new StringBuilder("# From " + set.title() + ", by runnerset migrate.\n");
    set.notes().forEach(note -> lines.append("# ").append(oneLine(note)).append('\n'));
    return lines.toString();
  }

  /** The notes of an outcome, a line each, with its title in front. */
  public static List<String> lines(Conversion outcome) {
    return switch (outcome) {
      case Conversion.Converted(String title, var _, var notes, var _) ->
          notes.stream().map(note -> title + ": " + oneLine(note)).toList();
      case Conversion.Skipped(String title, String why) -> List.of(title + ": left out: " + why);
    };
  }

  private static String oneLine(Note note) {
    return note.toString().replaceAll("\\R", " ");
  }
}
