package dev.runnerset.e2e.repository;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The tables of a page. */
final class Tables {
  /** One table: its cells without the bars, the head apart. */
  record Table(List<String> head, List<List<String>> rows) {}

  private Tables() {}

  static List<Table> of(List<String> page) {
    var tables = new ArrayList<Table>();
    for (int i = 0; i + 1 < page.size(); i++) {
      if (page.get(i + 1).matches("\\|[-|]+\\|")) {
        var rows = page.stream().skip(i + 2L).takeWhile(line -> line.startsWith("|"));
        tables.add(new Table(cells(page.get(i)), rows.map(Tables::cells).toList()));
      }
    }
    return tables;
  }

  private static List<String> cells(String line) {
    return Arrays.stream(line.substring(1).split("\\|", -1))
        .map(String::strip)
        .toList()
        .reversed()
        .stream()
        .skip(1)
        .toList()
        .reversed();
  }
}
