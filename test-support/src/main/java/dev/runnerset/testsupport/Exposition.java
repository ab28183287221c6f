package dev.runnerset.testsupport;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The series that a program shows, as Prometheus reads them. */
public record Exposition(String text) {
  /** Writes the series. */
  @FunctionalInterface
  public interface Body {
    /** Writes all of them. */
    void writeTo(Writer out) throws IOException;
  }

  /** What is written now. */
  public static Exposition of(Body body) {
    var out = new StringWriter();
    try {
      body.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Exposition(out.toString());
  }

  /**
   * The lines of the series of that name, which a histogram has with a suffix.
   *
   * @throws IllegalArgumentException if no metric has it, also without series
   */
  public List<String> lines(String name) {
    var histogram = name.replaceFirst("^(.+)_(bucket|count|sum)$", "# TYPE $1 histogram");
    var types = Set.of("# TYPE " + name + " counter", "# TYPE " + name + " gauge", histogram);
    if (text.lines().noneMatch(types::contains)) {
      throw new IllegalArgumentException(
          "no metric has a series '%s' in\n%s".formatted(name, text));
    }
    return text.lines().filter(line -> line.startsWith(name + "{")).toList();
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
