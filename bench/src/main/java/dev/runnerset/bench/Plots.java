package dev.runnerset.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.ChartEncoder;

/** Charts of the medians as PNG: for each cell the times, and who used the processor. */
final class Plots {
  private static final Map<String, String> TIMES = new LinkedHashMap<>();

  static {
    System.setProperty("java.awt.headless", "true"); // charts need no screen
    TIMES.put(Row.STARTED_P50, "started p50");
    TIMES.put(Row.STARTED_P99, "started p99");
    TIMES.put(Row.DELETED_P50, "DELETE p50");
    TIMES.put(Row.DELETED_P99, "DELETE p99");
    TIMES.put(Row.GONE_P50, "gone p50");
    TIMES.put(Row.GONE_P99, "gone p99");
  }

  private Plots() {}

  /** Writes {@code CELL-times.png} and {@code CELL-cpu.png} into the folder. */
  static void write(List<Row> medians, Path folder) {
    Row.byCell(medians)
        .forEach((cell, rows) -> {
          if (rows.getFirst().figures().containsKey(Row.STARTED_P50)) {
            save(times(cell, rows), folder.resolve(cell + "-times.png"));
          }
          save(cpu(cell, rows), folder.resolve(cell + "-cpu.png"));
        });
  }

  private static CategoryChart times(String cell, List<Row> rows) {
    var chart = chart(cell + ": queued to started, container's end to DELETE and to pod gone", "s");
    for (var row : rows) {
      var values = TIMES.keySet().stream().map(row::get).toList();
      chart.addSeries(row.side().words(), List.copyOf(TIMES.values()), values);
    }
    return chart;
  }

  private static CategoryChart cpu(String cell, List<Row> rows) {
    var each = rows.getFirst().hasRunners() ? " a runner" : "";
    var chart = chart(cell + ": processor time" + each, "ms");
    chart.getStyler().setStacked(true);
    var names = new TreeSet<String>();
    rows.forEach(row -> names.addAll(row.figures().keySet()));
    var sides = rows.stream().map(row -> row.side().words()).toList();
    for (var name : names) {
      if (name.startsWith(Row.CPU) && !name.equals(Row.CPU_ALL)) {
        var values = rows.stream().map(row -> row.perRunner(row.get(name))).toList();
        chart.addSeries(name.substring(Row.CPU.length()), sides, values);
      }
    }
    return chart;
  }

  private static CategoryChart chart(String title, String unit) {
    return new CategoryChartBuilder().width(1000).height(500).title(title).yAxisTitle(unit).build();
  }

  private static void save(CategoryChart chart, Path file) {
    try (var out = Files.newOutputStream(file)) {
      ChartEncoder.saveChart(chart, out, "png");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
