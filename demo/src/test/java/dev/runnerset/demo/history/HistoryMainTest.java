package dev.runnerset.demo.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.features.history.HistoryPolicy;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What weights and sizes do, and what a user reads where they make no sense. */
final class HistoryMainTest {
  /** Each weight goes to its own rule: what it makes heavy or light is kept or dropped. */
  @ParameterizedTest
  @CsvSource({
    "--bookend=900, first or last completed in its minor",
    "--transition=900, partial in a minor transition",
    "--z-stream=900, partial within a z-stream",
  })
  void aWeightDecidesWhatStays(String flag, String phrase) {
    assertThat(kept(output(flag), phrase)).isGreaterThan(kept(output(), phrase));
  }

  @Test
  void theDefaultsAreTheProductsOwn() {
    var life = RolloutLife.of(new SplittableRandom(1), 400, HistoryPolicy.DEFAULT);
    var expected = new ByteArrayOutputStream();
    HistoryMain.print(life, new PrintStream(expected, true, StandardCharsets.UTF_8));
    assertThat(output()).isEqualTo(expected.toString(StandardCharsets.UTF_8));
  }

  private static long kept(String output, String phrase) {
    return output
        .lines()
        .dropWhile(line -> !line.startsWith("kept"))
        .filter(line -> line.endsWith(phrase))
        .count();
  }

  private static String output(String... flags) {
    var out = new ByteArrayOutputStream();
    var before = System.out;
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    try {
      assertThat(HistoryMain.run(flags)).isZero();
    } finally {
      System.setOut(before);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

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

  /** The rehearsal for users is a function of its seed, and obeys the same rules. */
  @Test
  void theRehearsedLifeKeepsWhatItMust() {
    var life = RolloutLife.of(new SplittableRandom(1), 400, HistoryPolicy.DEFAULT);
    assertThat(life.kept()).hasSize(100);
    assertThat(life.kept().getFirst().number()).isEqualTo(400);
    assertThat(life.kept().getLast().number()).isEqualTo(1);
    assertThat(life.droppedByReason().values().stream().mapToInt(i -> i).sum()).isEqualTo(300);
    var out = new ByteArrayOutputStream();
    HistoryMain.print(life, new PrintStream(out, true, StandardCharsets.UTF_8));
    assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("400 rollouts, 100 kept");
  }
}
