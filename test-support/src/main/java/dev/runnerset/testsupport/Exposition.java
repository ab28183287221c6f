package dev.runnerset.testsupport;

import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/** The series that a program shows, as Prometheus reads them. */
public record Exposition(String text, Set<String> types) {
  private static final PrometheusTextFormatWriter WRITER =
      PrometheusTextFormatWriter.builder().build();

  /** The series that are written now. */
  public static Exposition of(Supplier<MetricSnapshots> series) {
    var out = new ByteArrayOutputStream();
    var now = series.get();
    try {
      WRITER.write(out, now);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Exposition(
        out.toString(StandardCharsets.UTF_8),
        now.stream().map(Exposition::type).collect(Collectors.toSet()));
  }

  /** How many bytes a page takes on its way to a scraper that accepts gzip. */
  public static int gzipped(String page) {
    var out = new ByteArrayOutputStream();
    try (var zip = new GZIPOutputStream(out)) {
      zip.write(page.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.size();
  }

  /** As in the text, also for a metric without series. */
  private static String type(MetricSnapshot metric) {
    var name = metric.getMetadata().getName();
    return switch (metric) {
      case CounterSnapshot _ -> name + "_total counter";
      case HistogramSnapshot _ -> name + " histogram";
      case SummarySnapshot _ -> name + " summary";
      default -> name + " gauge";
    };
  }

  /**
   * The lines of the series of that name, which a histogram has with a suffix.
   *
   * @throws IllegalArgumentException if no metric has it, also without series
   */
  public List<String> lines(String name) {
    var wanted =
        List.of(
            name + " counter",
            name + " gauge",
            name.replaceFirst("^(.+)_(bucket|count|sum)$", "$1 histogram"),
            name.replaceFirst("^(.+)_(count|sum)$", "$1 summary"));
    if (wanted.stream().noneMatch(types::contains)) {
      throw new IllegalArgumentException(
          "no metric has a series '%s' in\n%s".formatted(name, text));
    }
    return text.lines()
        .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
        .toList();
  }

  /** The sum of the series of that name that have all these values of labels; 0 if none has. */
  public double value(String name, String... labelValues) {
    return lines(name).stream()
        .filter(
            line -> Stream.of(labelValues).allMatch(value -> line.contains("=\"" + value + "\"")))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }
}
