package dev.runnerset.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

final class CommandLinesTest {
  @Command(name = "thing")
  private static final class Thing implements Callable<Integer> {
    @Option(names = "--count")
    private int count;

    @Override
    public Integer call() {
      if (count < 0) {
        throw new IllegalArgumentException("--count must not be negative\nnever");
      }
      if (count > 9) {
        throw new IllegalStateException("too many");
      }
      return 0;
    }
  }

  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    return CommandLines.withoutStackTraces(new Thing()).setErr(new PrintWriter(err)).execute(args);
  }

  @Test
  void whatTheParserRefusesEndsInOneLineAndTwo() {
    assertThat(run("--count", "x")).isEqualTo(2);
    assertThat(err.toString().lines()).hasSize(1).first().asString().startsWith("thing: ");
  }

  @Test
  void anUnknownFlagIsAnsweredWithTheNearestOneAndAllThereAre() {
    assertThat(run("--cuont=3")).isEqualTo(2);
    assertThat(err)
        .hasToString(
            "thing: Unknown option: '--cuont=3'; did you mean --count?; there are --count (see --help)\n");
  }

  @Test
  void whatTheCommandRefusesEndsInOneLineAndTwo() {
    assertThat(run("--count", "-1")).isEqualTo(2);
    assertThat(err).hasToString("thing: --count must not be negative (see --help)\n");
  }

  @Test
  void anyOtherFailureEndsInOneLineAndOne() {
    assertThat(run("--count", "10")).isEqualTo(1);
    assertThat(err).hasToString("thing: too many\n");
  }

  @Test
  void goodFlagsRunTheCommand() {
    assertThat(run("--count", "1")).isZero();
    assertThat(err).hasToString("");
  }
}
