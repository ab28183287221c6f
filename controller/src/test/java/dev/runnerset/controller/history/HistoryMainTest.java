package dev.runnerset.controller.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a user is told whose weights or sizes make no sense. */
final class HistoryMainTest {
  @ParameterizedTest
  @CsvSource({
    "--rollouts=0, --rollouts must be from 1 to 10000",
    "--rollouts=ten, 'ten' is not an int",
    "--size=0, 'entries'",
    "--place=-1.001, a weight has at most two decimals",
    "--weight=1, Unknown option",
  })
  void badFlagsAreOneLineAndExitTwo(String flag, String words) {
    var err = new ByteArrayOutputStream();
    var before = System.err;
    System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
    int code;
    try {
      code = HistoryMain.run(flag);
    } finally {
      System.setErr(before);
    }
    var text = err.toString(StandardCharsets.UTF_8);
    assertThat(code).as(text).isEqualTo(2);
    assertThat(text.strip().lines())
        .hasSize(1)
        .first()
        .asString()
        .startsWith("runnerset history: ")
        .contains(words)
        .endsWith("(see --help)");
  }
}
