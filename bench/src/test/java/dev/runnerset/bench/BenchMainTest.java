package dev.runnerset.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.base.CommandLines;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What cannot be measured is refused before anything is started. */
final class BenchMainTest {
  @ParameterizedTest
  @CsvSource({
    "--cell burst-7, there is no 'burst-7'; there are burst-30",
    "--json /dev/null/rows.json, --json: cannot write /dev/null/rows.json",
    "--plot /dev/null/plots, --plot: cannot make the folder /dev/null/plots",
    "--jfr /dev/null/jfr, --jfr: cannot make the folder /dev/null/jfr",
    "--repeat 10, --repeat: 10 is not in 1..9",
  })
  void aWrongOptionIsOneLineAndExitCode2(String arguments, String line) {
    var errors = new StringWriter();
    var command = CommandLines.withoutStackTraces(new BenchMain());
    command.setErr(new PrintWriter(errors, true));
    assertThat(command.execute(arguments.split(" "))).isEqualTo(2);
    assertThat(errors.toString().lines()).hasSize(1).first().asString().contains(line);
  }

  @Test
  void anOldResultStaysUntilThereIsANewOne(@TempDir Path folder) throws IOException {
    var old = Files.writeString(folder.resolve("rows.json"), "old");
    aWrongOptionIsOneLineAndExitCode2("--plot /dev/null/plots --json " + old, "--plot");
    assertThat(old).hasContent("old");
  }
}
