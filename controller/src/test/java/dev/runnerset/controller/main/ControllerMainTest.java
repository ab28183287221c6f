package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class ControllerMainTest {
  @ParameterizedTest
  @CsvSource({
    "--unknown, Unknown option",
    "--runner-concurrency=0, from 1 to 512",
    "--runner-concurrency=many, --runner-concurrency",
    "--lease-duration=forever, is no duration",
    "--lease-duration=3s, the lease must last longer",
    "--listener-namespace=Not_One, --listener-namespace",
    "--namespace=Not_One, --namespace",
    "--health-port=70000, --health-port",
    "--feature-gates=Nothing=true, unknown feature gate 'Nothing': there is RunnerMaximumGCAge",
    "--feature-gates=RunnerMaximumGCAge=maybe, write RunnerMaximumGCAge=true",
    "--feature-gates=RunnerMaximumGCAge, write RunnerMaximumGCAge=true",
    "--runner-maximum-gc-age=24h, the feature gate RunnerMaximumGCAge is off",
    "--runner-maximum-gc-age=-1h, must not be negative",
    "--runner-minimum-gc-age=-1s, must not be negative",
    "--runner-maximum-gc-age=1d, is no duration",
    "--runner-maximum-gc-age=2m, must be longer than --runner-minimum-gc-age",
    "--runner-gc-period=0s, --runner-gc-period must be at least 1s",
    "--embedded-status=true, is no form: write full",
  })
  void badFlagsAreOneLineAndExitTwo(String flag, String words) {
    var err = new ByteArrayOutputStream();
    var before = System.err;
    System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
    int code;
    try {
      code = ControllerMain.run(flag);
    } finally {
      System.setErr(before);
    }
    var text = err.toString(StandardCharsets.UTF_8);
    assertThat(code).as(text).isEqualTo(2);
    assertThat(text.strip().lines()).hasSize(1).first().asString().contains(words);
  }

  @ParameterizedTest
  @ValueSource(strings = {"full", "MINIMAL", "Both"})
  void theFormOfTheChildrenIsAWordInAnyCase(String form) {
    assertThat(ControllerMain.run("--embedded-status", form, "--kubeconfig", "/does/not/exist"))
        .isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"full, 1", "both, 1", "minimal, 0"})
  void theDeprecatedFormIsWarnedOf(String form, int warnings) {
    var log = new ListAppender<ILoggingEvent>();
    log.start();
    var logger = (Logger) LoggerFactory.getLogger(EmbeddedStatusOption.class);
    logger.addAppender(log);
    try {
      var _ = ControllerMain.run("--embedded-status", form, "--kubeconfig", "/does/not/exist");
    } finally {
      logger.detachAppender(log);
    }
    assertThat(log.list).hasSize(warnings).allMatch(e -> e.getLevel() == Level.WARN);
  }

  @Test
  void aClusterThatCannotBeFoundIsOneLineAndExitOne() {
    assertThat(ControllerMain.run("--kubeconfig", "/does/not/exist")).isEqualTo(1);
  }
}
