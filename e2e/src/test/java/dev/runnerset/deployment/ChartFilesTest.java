package dev.runnerset.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.config.LeavingTaints;
import dev.runnerset.crds.Crds;
import dev.runnerset.e2e.RepositoryFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The files in {@code charts/runnerset/files} are copies. With {@code -Drunnerset.write=true} this
 * test writes them.
 */
final class ChartFilesTest {
  private static final Path FILES = RepositoryFiles.chart("runnerset").resolve("files");

  @Test
  void theChartHasTheKindsThatTheCodeHas() throws IOException {
    var expected = new TreeMap<String, String>();
    for (var document : Crds.documents()) {
      var yaml = document.replaceFirst("^---\n", "");
      var plural = yaml.replaceFirst("(?s).*\n    plural: \"([a-z]+)\"\n.*", "$1");
      expected.put(plural + ".yaml", yaml);
    }
    assertThat(folder(FILES.resolve("crds"), expected)).isEqualTo(expected);
  }

  @Test
  void theChartHasTheRulesForAlertsOfTheDocs() throws IOException {
    Written.is(
        FILES.resolve("runnerset.rules.yaml"),
        Files.readString(RepositoryFiles.ROOT.resolve("docs/alerts/runnerset.rules.yaml")));
  }

  /** A key without a value gets its default from there: a chart cannot read its values.yaml. */
  @ParameterizedTest
  @ValueSource(strings = {"runnerset", "runnerset-set"})
  void theChartCanReadItsDefaults(String chart) throws IOException {
    var folder = RepositoryFiles.chart(chart);
    Written.is(
        folder.resolve("files/values.yaml"), Files.readString(folder.resolve("values.yaml")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"runnerset", "runnerset-set"})
  void everyTemplateBeginsWithDefaultsAndChecks(String chart) throws IOException {
    var begin = "{{- include \"" + chart.replace("runnerset-", "") + ".begin\" . -}}\n";
    try (Stream<Path> files = Files.list(RepositoryFiles.chart(chart).resolve("templates"))) {
      assertThat(files.filter(f -> !f.toString().endsWith(".tpl")).toList())
          .isNotEmpty()
          .allSatisfy(f -> assertThat(read(f)).startsWith(begin));
    }
  }

  @Test
  void theChartRefusesTheTaintsThatTheControllerRefuses() throws IOException {
    var checks =
        Files.readString(RepositoryFiles.chart("runnerset").resolve("templates/_checks.tpl"));
    var line = checks.lines().filter(l -> l.startsWith("{{- $kept := list ")).findFirst();
    assertThat(line.orElseThrow().split("\""))
        .containsAll(LeavingTaints.NEVER)
        .hasSize(2 * LeavingTaints.NEVER.size() + 1);
  }

  private static Map<String, String> folder(Path folder, Map<String, String> written)
      throws IOException {
    if (Boolean.getBoolean("runnerset.write")) {
      for (var file : written.entrySet()) {
        Files.writeString(folder.resolve(file.getKey()), file.getValue());
      }
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.collect(
          Collectors.toMap(
              f -> f.getFileName().toString(), ChartFilesTest::read, (a, b) -> a, TreeMap::new));
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
