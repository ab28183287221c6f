package dev.runnerset.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runnerset.bench.Row.Side;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The figures of docs/develop/scale.md are those of docs/develop/bench/scale.json, or follow from
 * them. {@code -Drunnerset.write=true} writes the page after a new measurement.
 */
final class ScalePageTest {
  private static final Path FOLDER = Path.of("..", "docs", "develop");
  private static final Path PAGE = FOLDER.resolve("scale.md");

  private static final int SETS = Cell.SETS_1000.size();
  private static final int RUNNERS = 10_000;
  private static final int SECONDS_OF_A_JOB = 600;
  private static final int CORES = 8;

  /**
   * A number of the page.
   *
   * @param line how its line begins
   * @param before what is right before it in that line, as a pattern
   * @param after what is right behind it, as a pattern
   */
  private record Figure(String line, String before, String value, String after) {
    Pattern pattern() {
      return Pattern.compile(
          "(?m)^(" + Pattern.quote(line) + ".*?" + before + ")([\\d.,]+)(?=" + after + ")");
    }

    @Override
    public String toString() {
      return line + " … " + value;
    }
  }

  static Stream<Figure> figures() throws IOException {
    var burst = row(Cell.BURST_300, Side.WARM);
    var idle = row(Cell.SETS_1000, Side.COLD);
    double starts = (double) RUNNERS / SECONDS_OF_A_JOB;
    double server = burst.perRunner(cpu(burst, "kube-apiserver"));
    double controller = burst.perRunner(cpu(burst, "controller"));
    double listener = burst.perRunner(cpu(burst, "listener"));
    double rest = Cell.REST.toSeconds();
    var runner = "| a runner from its creation to its end, with one job ";
    var set = "| a set without runners, for a second ";
    var all = "| idle, for all of them ";
    return Stream.of(
        new Figure(runner, "\\| ", whole(server), " ms of processor time"),
        new Figure(runner, "time, ", whole(burst.get(Row.WRITES)), " writes"),
        new Figure(runner, "writes \\| ", whole(controller), " ms"),
        new Figure(runner, "writes \\| [\\d.]+ ms \\| ", whole(listener), " ms"),
        new Figure(set, "\\| ", hundredths(cpu(idle, "kube-apiserver") / rest / SETS), " ms"),
        new Figure(set, "ms \\| ", hundredths(cpu(idle, "controller") / rest / SETS), " ms"),
        new Figure(set, "ms \\| .*ms \\| ", hundredths(cpu(idle, "listener") / rest / SETS), " ms"),
        new Figure("| kube-apiserver ", "\\| ", tenths(starts * server / 1000), " cores"),
        new Figure(
            "| kube-apiserver ", "cores, ", whole(starts * burst.get(Row.WRITES)), " writes"),
        new Figure("| controller ", "\\| ", tenths(starts * controller / 1000), " cores"),
        new Figure("| listener ", "\\| ", tenths(starts * listener / 1000), " cores"),
        new Figure("A burst of 10,000 ", "times ", whole(server), " ms"),
        new Figure("A burst of 10,000 ", "8 cores ", whole(RUNNERS * server / 1000 / CORES), " s"),
        new Figure(all, "\\| ", whole(idle.get(Row.CPU_ALL) / rest), " ms"),
        new Figure(all, "kube-apiserver ", whole(cpu(idle, "kube-apiserver") / rest), ", "),
        new Figure(all, "controller ", whole(cpu(idle, "controller") / rest), ", "),
        new Figure(all, ", listener ", whole(cpu(idle, "listener") / rest), " \\|"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("figures")
  void aFigureOfThePageIsThatOfTheMeasurement(Figure figure) throws IOException {
    if (Boolean.getBoolean("runnerset.write")) {
      var text = figure.pattern().matcher(Files.readString(PAGE));
      Files.writeString(PAGE, text.replaceFirst(match -> match.group(1) + figure.value()));
    }
    assertThat(figure.pattern().matcher(Files.readString(PAGE)).results())
        .as("docs/develop/scale.md; -Drunnerset.write=true writes it")
        .extracting((MatchResult match) -> match.group(2))
        .containsExactly(figure.value());
  }

  @Test
  void theMeasurementHasOneRowOfEachSide() throws IOException {
    assertThat(report().medians())
        .extracting(Row::cell, Row::side)
        .doesNotHaveDuplicates()
        .hasSizeGreaterThan(3);
  }

  private static Row row(Cell cell, Side side) throws IOException {
    return report().medians().stream()
        .filter(row -> row.cell().equals(cell.word()) && row.side() == side)
        .findFirst()
        .orElseThrow();
  }

  private static BenchMain.Report report() throws IOException {
    return new ObjectMapper()
        .readValue(FOLDER.resolve("bench/scale.json").toFile(), BenchMain.Report.class);
  }

  private static double cpu(Row row, String process) {
    return row.get(Row.CPU + process);
  }

  private static String whole(double value) {
    return String.format(Locale.ROOT, "%.0f", value);
  }

  private static String tenths(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private static String hundredths(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
