package dev.runnerset.bench;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/** Rows for people: a table for each cell, a column for each side, and the ratios to the bound. */
final class Table {
  /** Requests that come less often than this for a runner are in the JSON only. */
  private static final double OFTEN = 0.05;

  private static final Map<String, String> NAMED = new LinkedHashMap<>();

  static {
    NAMED.put(Row.STARTED_P50, "queued to started p50, s");
    NAMED.put(Row.STARTED_P99, "queued to started p99, s");
    NAMED.put(Row.ALONE_P50, "single jobs before the burst, queued to started p50, s");
    NAMED.put(Row.ALONE_MOST, "single jobs before the burst, queued to started most, s");
    NAMED.put(Row.SINGLES_P50, "single jobs beside the burst, queued to started p50, s");
    NAMED.put(Row.SINGLES_MOST, "single jobs beside the burst, queued to started most, s");
    NAMED.put(Row.DELETED_P50, "container's end to DELETE p50, s");
    NAMED.put(Row.DELETED_P99, "container's end to DELETE p99, s");
    NAMED.put(Row.GONE_P50, "container's end to pod gone p50, s");
    NAMED.put(Row.GONE_P99, "container's end to pod gone p99, s");
    NAMED.put(Row.A_SECOND, "started a second");
    NAMED.put(Row.SECONDS, "all of it, s");
    NAMED.put(Row.RUNNERS, "runners made, or deleted in a scale-down");
    NAMED.put(Row.JOBS_LOST, "jobs lost");
    NAMED.put(Row.PER_JOB, "runners a job");
    NAMED.put(Row.USELESS, "useless removals");
    NAMED.put(Row.WRITES, "writes a runner");
    NAMED.put(Row.SET_WRITES, "the set's writes of them, in all");
    NAMED.put(Row.CALLS, "calls a runner");
  }

  private Table() {}

  /** Prints the medians. */
  static void print(List<Row> medians, PrintStream out) {
    Row.byCell(medians).forEach((cell, rows) -> print(cell, rows, out));
  }

  private static void print(String cell, List<Row> rows, PrintStream out) {
    var columns = new ArrayList<>(List.of(cell + ", " + runs(rows.getFirst().run())));
    var bound = rows.getFirst().bound(rows);
    rows.forEach(row -> columns.add(row.side().words()));
    if (bound.isPresent()) {
      rows.stream()
          .filter(row -> row.side() != Row.Side.BOUND)
          .forEach(row -> columns.add(row.side().name().toLowerCase(Locale.ROOT) + "/bound"));
    }
    out.println();
    line(columns, out);
    NAMED.forEach((name, words) -> line(words, name, rows, 1, out));
    prefixed(Row.DEED, rows).forEach(name -> line("  " + name, name, rows, 1, out));
    for (var name : prefixed(Row.CPU, rows)) {
      line("processor time of " + name.substring(Row.CPU.length()) + ", ms", name, rows, 1, out);
    }
    line("the same of all a runner, ms", Row.CPU_EACH, rows, 1, out);
    line("share of the simulated node and service, %", Row.SHARE, rows, 100, out);
    for (var name : prefixed(Row.MOST_RSS, rows)) {
      line("RSS of " + name.substring(Row.MOST_RSS.length()) + " at most, MiB", name, rows, 1, out);
    }
    out.println("  requests" + (rows.getFirst().hasRunners() ? " a runner" : "") + ", by client:");
    requests(rows, out);
  }

  private static String runs(int count) {
    return count == 1 ? "one run" : "medians of " + count;
  }

  private static Iterable<String> prefixed(String prefix, List<Row> rows) {
    var names = new TreeSet<String>();
    rows.forEach(row ->
        row.figures().keySet().stream().filter(n -> n.startsWith(prefix)).forEach(names::add));
    return names;
  }

  /**
   * One figure of all sides, with its ratios to the bound.
   *
   * @param times what each is multiplied with
   */
  private static void line(String words, String name, List<Row> rows, int times, PrintStream out) {
    if (rows.stream().noneMatch(row -> row.figures().containsKey(name))) {
      return;
    }
    var cells = new ArrayList<>(List.of(words));
    for (var row : rows) {
      cells.add(row.figures().containsKey(name) ? number(times * row.get(name)) : "");
    }
    var bound = rows.getFirst().bound(rows);
    for (var row : rows) {
      if (row.side() != Row.Side.BOUND && bound.isPresent()) {
        var ratio = row.ratios(bound.get()).get(name);
        cells.add(ratio == null ? "" : number(ratio));
      }
    }
    line(cells, out);
  }

  private static void requests(List<Row> rows, PrintStream out) {
    var names = new TreeSet<String>();
    rows.forEach(row -> names.addAll(row.requests().keySet()));
    names.removeIf(name ->
        rows.stream().allMatch(r -> r.perRunner(r.requests().getOrDefault(name, 0L)) < OFTEN));
    for (var name : names) {
      var cells = new ArrayList<>(List.of("  " + name));
      for (var row : rows) {
        var n = row.requests().get(name);
        cells.add(n == null ? "" : number(row.perRunner(n)));
      }
      line(cells, out);
    }
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 100 ? "%.2f" : "%.0f", value);
  }

  private static void line(List<String> cells, PrintStream out) {
    var text = new StringBuilder(String.format("%-62s", cells.getFirst()));
    cells.subList(1, cells.size()).forEach(cell -> text.append(String.format("%13s", cell)));
    out.println(text.toString().stripTrailing());
  }
}
