package dev.runnerset.demo;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What was a scenario before it became a suite of the module e2e: its name tells the command. */
final class DemoMainTest {
  @ParameterizedTest
  @ValueSource(strings = {"stalls", "deletion", "drain", "chaos", "upgrade"})
  void aFormerScenarioNamesTheCommandOfItsSuite(String suite) {
    var demo = new DemoMain();
    var _ = new CommandLine(demo).parseArgs("--scenario", suite);
    assertThatThrownBy(demo::call)
        .isInstanceOf(CommandLine.ParameterException.class)
        .hasMessageStartingWith("'" + suite + "' is a suite of tests")
        .hasMessageMatching("(?i).* -Psuite -Dit.test=(Embedded|Real)" + suite + "IT");
  }

  /** The file was written after a run of a minute only. */
  @ParameterizedTest
  @ValueSource(strings = {"/nonexistent/x.json", "/"})
  void aFileThatCannotBeWrittenIsRefusedBeforeTheRun(String file) {
    var demo = new DemoMain();
    var _ = new CommandLine(demo).parseArgs("--json", file);
    assertThatThrownBy(demo::call)
        .isInstanceOf(CommandLine.ParameterException.class)
        .hasMessageStartingWith("--json: cannot write " + file);
  }
}
