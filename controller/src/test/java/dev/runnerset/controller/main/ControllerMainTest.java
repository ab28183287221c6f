package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
    "--lease-duration=3s, --lease-duration must be longer",
    "--listener-namespace=Not_One, --listener-namespace",
    "--namespace=Not_One, --namespace",
    "--health-port=70000, --health-port",
    "--feature-gates=Nothing=true, unknown feature gate 'Nothing': there is RunnerMaximumGCAge",
    "--feature-gates=RunnerMaximumGcAge=true, did you mean RunnerMaximumGCAge?",
    "--helth-port=1, did you mean --health-port?; there are --allowed-hosts",
    "--feature-gates=RunnerMaximumGCAge=maybe, write RunnerMaximumGCAge=true",
    "--feature-gates=RunnerMaximumGCAge, write RunnerMaximumGCAge=true",
    "--runner-maximum-gc-age=24h, the feature gate RunnerMaximumGCAge is off",
    "--runner-maximum-gc-age=-1h, must not be negative",
    "--runner-minimum-gc-age=-1s, must not be negative",
    "--runner-maximum-gc-age=1d, is no duration",
    "--runner-maximum-gc-age=2m, must be longer than --runner-minimum-gc-age",
    "--runner-gc-period=0s, --runner-gc-period must be at least 1s",
    "--embedded-status=true, is no form: write full",
    "--node-taints=maybe, --node-taints",
    "--leaving-node-taints=, '' is no key of a taint",
    "--leaving-node-taints=kubernetes.azure.com/*, does not announce the end of a node",
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
    var logger = (Logger) LoggerFactory.getLogger(ControllerMain.class);
    logger.addAppender(log);
    try {
      var _ = ControllerMain.run("--embedded-status", form, "--kubeconfig", "/does/not/exist");
    } finally {
      logger.detachAppender(log);
    }
    assertThat(log.list).filteredOn(e -> e.getLevel() == Level.WARN).hasSize(warnings);
  }

  /** What the line of the settings says of a start that fails for want of a cluster. */
  private static Map<String, String> reported(String... flags) {
    var log = new ListAppender<ILoggingEvent>();
    log.start();
    var logger = (Logger) LoggerFactory.getLogger(ControllerMain.class);
    var before = logger.getLevel();
    logger.setLevel(Level.INFO);
    logger.addAppender(log);
    try {
      var all = Stream.concat(Stream.of("--kubeconfig", "/does/not/exist"), Stream.of(flags));
      assertThat(ControllerMain.run(all.toArray(String[]::new))).isEqualTo(1);
    } finally {
      logger.detachAppender(log);
      logger.setLevel(before);
    }
    return log.list.stream()
        .filter(event -> event.getMessage().equals("the settings are these"))
        .flatMap(event -> event.getKeyValuePairs().stream())
        .collect(Collectors.toMap(pair -> pair.key, pair -> String.valueOf(pair.value)));
  }

  @Test
  void aStartThatFailsHasReportedItsSettings() {
    assertThat(reported())
        .containsEntry("feature-gates", "{RunnerMaximumGCAge=false}")
        .containsEntry("runner-maximum-gc-age", "0s")
        .containsEntry("runner-minimum-gc-age", "2m")
        .containsEntry("runner-gc-period", "5m")
        .containsEntry("embedded-status", "minimal");
  }

  @Test
  void eachFlagOfAgeCollectionChangesItsSetting() {
    assertThat(
            reported(
                "--feature-gates=RunnerMaximumGCAge=true",
                "--runner-maximum-gc-age=24h",
                "--runner-minimum-gc-age=3m",
                "--runner-gc-period=7m"))
        .containsEntry("feature-gates", "{RunnerMaximumGCAge=true}")
        .containsEntry("runner-maximum-gc-age", "24h")
        .containsEntry("runner-minimum-gc-age", "3m")
        .containsEntry("runner-gc-period", "7m");
  }

  @Test
  void aClusterThatCannotBeFoundIsOneLineAndExitOne() {
    assertThat(ControllerMain.run("--kubeconfig", "/does/not/exist")).isEqualTo(1);
  }
}
