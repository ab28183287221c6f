package dev.runnerset.bench;

import dev.runnerset.demo.figures.Check;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;

/**
 * What a small burst may cost at most: counts, and ratios to the bound, and no times.
 *
 * @param mostByFigure each key is a figure of a {@link Row}, or one of the two constants below
 */
record Budgets(Map<String, Double> mostByFigure) {
  /** By how many writes a runner ours differ from the bound's. */
  static final String OTHER_WRITES = "writesThatDifferFromTheBound";

  /** All processor time but that of the simulators, by that of the bound's. */
  static final String CPU_RATIO = "cpuRatioToTheBound";

  Budgets {
    mostByFigure = Map.copyOf(mostByFigure);
  }

  /** Reads {@code name = most} lines. */
  static Budgets read(Path file) throws IOException {
    var lines = new Properties();
    try (var in = Files.newBufferedReader(file)) {
      lines.load(in);
    }
    return new Budgets(
        lines.stringPropertyNames().stream()
            .collect(Collectors.toMap(n -> n, n -> Double.valueOf(lines.getProperty(n)))));
  }

  /**
   * A check for each budget.
   *
   * @throws IllegalArgumentException if a budget names no figure, so that it would hold nothing
   */
  List<Check> check(Row ours, Row bound) {
    return mostByFigure.entrySet().stream()
        .sorted(Comparator.comparing(Map.Entry::getKey))
        .map(e -> Check.atMost(e.getKey(), e.getValue(), figure(e.getKey(), ours, bound)))
        .toList();
  }

  private static double figure(String name, Row ours, Row bound) {
    return switch (name) {
      case OTHER_WRITES -> ours.otherWrites(bound);
      case CPU_RATIO -> ours.get(Row.CPU_ALL) / Math.max(1, bound.get(Row.CPU_ALL));
      default ->
          Optional.ofNullable(ours.figures().get(name))
              .orElseThrow(() ->
                  new IllegalArgumentException("no figure has the name of the budget " + name));
    };
  }
}
