package dev.runnerset.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.cli.text.Screen;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** 42.1: flags, exit codes, completion, and clusters that cannot be used. */
final class CommandLineIT {
  private static Fleet fleet;

  @BeforeAll
  static void start() {
    fleet = new Fleet().set("ci", "linux", "", "").set("ci", "linux-arm", "", "");
  }

  @AfterAll
  static void stop() {
    fleet.close();
  }

  private static Terminal.Outcome run(String line) {
    return Terminal.of(fleet.config()).run(line.isEmpty() ? new String[0] : line.split(" "));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          statsu           | 2 | did you mean status?
          status --wacht   | 2 | did you mean --watch?
          status a b       | 2 | Unmatched argument
          status -o xml    | 2 | JSON, YAML, WIDE, NAME
          pause            | 2 | Missing required parameter: 'SET'
          pause linus -y   | 3 | did you mean linux?
          runners windows  | 3 | there are linux, linux-arm
          migrate --adopt --beside -x gone.yaml | 2 | exclude each other
          drain linux --wait --yes --timeout soon | 2 | write 30m or 2h
          """)
  void wrongWordsAreNamed(String line, int exitCode, String words) {
    var outcome = run(line);
    assertThat(outcome.err()).contains(words);
    assertThat(outcome.exitCode()).isEqualTo(exitCode);
    assertThat(outcome.out()).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          __complete -- st          | status
          __complete -- drain --wa | --wait
          __complete -- status linux-| linux-arm
          """)
  void theLastWordIsCompletedForKubectl(String line, String word) {
    assertThat(run(line).out().lines()).containsExactly(word, ":4");
  }

  @Test
  void everyCommandHasHelpThatFitsEightyColumns() {
    for (var command : new String[] {"status", "runners", "jobs", "capacity", "drain", "force"}) {
      var help = run(command + " --help");
      assertThat(help.exitCode()).isZero();
      assertThat(help.out().lines()).allMatch(line -> line.length() <= 80).hasSizeGreaterThan(5);
    }
  }

  @Test
  void aNarrowTerminalKeepsTheColumnsThatMatter() {
    var narrow = Terminal.of(fleet.config()).with(new Screen(40, true, false)).run("status");
    assertThat(narrow.out().lines().findFirst().orElseThrow())
        .contains("SET", "STATE", "BUSY", "WAITING")
        .doesNotContain("TAKES");
    assertThat(narrow.out().lines()).allMatch(line -> line.length() <= 40);
  }
}
