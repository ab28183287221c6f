package dev.runnerset.e2e.repository;

import static dev.runnerset.e2e.RepositoryFiles.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The times of the page are those of the code, and the rules are there. */
final class TimesPageTest {
  private static final Pattern ROW =
      Pattern.compile("\\| (\\w+) \\| .+ \\| (\\d+) (s|min) \\| `(\\w+)\\.(\\w+)` \\|");
  private static final Map<String, String> FACTORY = Map.of("s", "ofSeconds", "min", "ofMinutes");

  private record Row(String rule, String number, String unit, String type, String constant) {}

  private static Stream<Row> rows() throws IOException {
    return Files.readString(ROOT.resolve("docs/reference/times.md"))
        .lines()
        .map(ROW::matcher)
        .filter(row -> row.matches())
        .map(row -> new Row(row.group(1), row.group(2), row.group(3), row.group(4), row.group(5)));
  }

  @Test
  void everyRowIsReadAndNoConstantHasTwo() throws IOException {
    long lines =
        Files.readString(ROOT.resolve("docs/reference/times.md"))
            .lines()
            .filter(line -> line.startsWith("| "))
            .count();
    assertThat(rows().map(row -> row.type() + "." + row.constant()))
        .hasSize((int) lines - 1)
        .doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @MethodSource("rows")
  void theConstantHasTheTimeAndTheRuleIsThere(Row row) throws IOException {
    assertThat(Files.readString(ROOT.resolve("docs/rules.md"))).contains("### " + row.rule() + " ");
    var declared = row.constant() + " = Duration." + FACTORY.get(row.unit());
    assertThat(sources(row.type() + ".java"))
        .singleElement()
        .extracting(text -> text.replaceAll("\\s+", " "))
        .asString()
        .contains("Duration " + declared + "(" + row.number() + ");");
  }

  private static List<String> sources(String name) throws IOException {
    try (var files = Files.walk(ROOT.resolve("controller/src/main/java"))) {
      return files.filter(file -> file.endsWith(name)).map(TimesPageTest::read).toList();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
