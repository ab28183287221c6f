package dev.runnerset.e2e.repository;

import static dev.runnerset.e2e.RepositoryFiles.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A user who reads a warning finds it on the page of logs, and the page has no other ones. */
final class LogsPageTest {
  private static final Path PAGE = ROOT.resolve("docs/operate/logs.md");
  private static final List<String> PROGRAMS =
      List.of("base", "kube", "api-client", "controller", "listener");
  private static final String TEXT =
      "\"(?:[^\"\\\\]|\\\\.)*\"(?:\\s*\\+\\s*\"(?:[^\"\\\\]|\\\\.)*\")*";

  /** A statement at these levels, up to its message; the message of some is an argument. */
  private static final Pattern STATEMENT =
      Pattern.compile("\\bat(?:Warn|Error)\\(\\)[^;]*?\\.log\\(\\s*(" + TEXT + ")", Pattern.DOTALL);

  /** Where the caller of such a statement names its message. */
  private static final Pattern ARGUMENT =
      Pattern.compile(
          "(?:new RefusedList\\([^;]*?,\\s*LOG,|\\bwarn\\(set, e,)\\s*(" + TEXT + ")",
          Pattern.DOTALL);

  /** Statements of these begin in one line and end in another one. */
  private static final Pattern LATER =
      Pattern.compile(
          "(?:LOG\\.atDebug\\(\\)|var line =\\s+LOG\\.atWarn\\(\\)[^;]*);.*?\\.log\\(\\s*("
              + TEXT
              + ")",
          Pattern.DOTALL);

  private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]+)` \\| \\S.{9,} \\|$");

  @Test
  void thePageHasEachMessageOfAWarning() throws IOException {
    var page = Files.readString(PAGE);
    var warnings = page.substring(page.indexOf("### Warnings"), page.indexOf("### INFO"));
    assertThat(ROW.matcher(warnings).results().map(row -> row.group(1)))
        .doesNotHaveDuplicates()
        .containsExactlyInAnyOrderElementsOf(messages());
  }

  private static TreeSet<String> messages() throws IOException {
    var found = new TreeSet<String>();
    for (var module : PROGRAMS) {
      try (var files = Files.walk(ROOT.resolve(module + "/src/main/java"))) {
        files
            .filter(file -> file.toString().endsWith(".java"))
            .map(LogsPageTest::text)
            .flatMap(text ->
                Stream.of(STATEMENT, ARGUMENT, LATER)
                    .flatMap(pattern -> pattern.matcher(text).results()))
            .map(LogsPageTest::message)
            .forEach(found::add);
      }
    }
    return found;
  }

  private static String message(MatchResult found) {
    return found.group(1).replaceAll("\"\\s*\\+\\s*\"", "").replaceAll("^\"|\"$", "");
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
