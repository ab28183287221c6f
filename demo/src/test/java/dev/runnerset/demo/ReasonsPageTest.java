package dev.runnerset.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Whatever reason a user may read, the page of conditions says what to do about it. */
final class ReasonsPageTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /** Where reasons begin in the code: of conditions, of failures and of events. */
  private static final List<Pattern> GIVEN =
      List.of(
          Pattern.compile("[Ff]inding\\(\\s*\"([A-Z]\\w+)\""),
          Pattern.compile("Finding\\.of\\(\\s*\"([A-Z]\\w+)\""),
          Pattern.compile("Verdict\\s*\\.(?:no|yes)\\(\\s*\"([A-Z]\\w+)\""),
          Pattern.compile("InvalidConnectionException\\(\\s*\"([A-Z]\\w+)\""),
          Pattern.compile("warn\\(\\s*[\\w.()]+,\\s*\"([A-Z]\\w+)\""),
          Pattern.compile("failure\\(\\s*\"([A-Z]\\w+)\""),
          Pattern.compile("condition\\(\\s*\"(?:True|False)\",\\s*\"([A-Z]\\w+)\""));

  @Test
  void everyReasonStandsOnThePageOfConditions() throws IOException {
    var page = Files.readString(ROOT.resolve("docs/conditions.md"));
    var given = new TreeSet<String>();
    for (var module : List.of("controller", "listener")) {
      try (var files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
        for (var file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
          var source = Files.readString(file);
          for (var pattern : GIVEN) {
            pattern.matcher(source).results().forEach(found -> given.add(found.group(1)));
          }
        }
      }
    }
    assertThat(given).as("reasons in the code").hasSizeGreaterThan(30);
    assertThat(given.stream().filter(reason -> !page.contains("`" + reason + "`"))).isEmpty();
  }
}
