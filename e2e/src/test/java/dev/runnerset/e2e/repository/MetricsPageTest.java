package dev.runnerset.e2e.repository;

import static dev.runnerset.e2e.RepositoryFiles.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.base.metrics.Metric;
import dev.runnerset.base.metrics.Metric.Kind;
import dev.runnerset.base.metrics.Metric.Label;
import dev.runnerset.base.metrics.ProcessMeter;
import dev.runnerset.controller.ephemeralrunner.outcome.RunnerOutcome;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.listener.metrics.ListenerMeter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The page of metrics has each series and each value of a label, and no others. */
final class MetricsPageTest {
  private static final Path PAGE = ROOT.resolve("docs/reference/metrics.md");
  private static final String HEAD =
      """
      # Metrics

      The controller serves these metrics at `/metrics` on its `--health-port` (8080 by default). Each series has the labels
      `namespace` and `name` of its set; the series of calls, passes and the lease belong to the process and have neither. No
      series has a label for a runner or a job; [series by repository](../operate/usage.md) are off by default. A set has all its series from the first time the controller reconciles
      it until it is deleted; counters begin with 0. A count before or after that has a series, too, until a set of that name or
      the process ends. Metrics that begin with `gha_` have the same meaning as in dashboards for other controllers.
      The [alert rules](../alerts/runnerset.rules.yaml) use these metrics. A test generates this page from `Meter.java` and the
      enums of the label values; run it with `-Drunnerset.write=true` to write the page.

      | metric | type | further labels and their values | meaning |
      |---|---|---|---|
      """;

  private static final String OF_LISTENER =
      """

      ## Of the listener

      The listener serves these metrics at `/metrics` on its `--health-port` (8081 by default), beside `/readyz` and `/healthz`
      (which fails if loops hang again and again: restart the listener). The process that listens for a set has the series of the
      set, with the labels `namespace` and `name`; counters begin with 0. The service reports jobs and runners in messages, so a
      set without a new message keeps its numbers. `runnerset_listener_leader` belongs to the process. Generated from
      `ListenerMeter.java`.

      | metric | type | further labels and their values | meaning |
      |---|---|---|---|
      """;

  private static final String OF_PROCESS =
      """

      ## Of each process

      Both programs serve these series of their process, also on standby. The official Prometheus client names them so,
      and its dashboards for a JVM work. The page is sent as OpenMetrics or as text, and gzipped, as the scraper asks.

      | metric | type | further labels and their values | meaning |
      |---|---|---|---|
      """;

  /** The labels, also those whose values are too many to be shown with 0 by each set. */
  private static List<Label> labels(Metric metric) {
    return metric == Meter.SET_CONDITION
        ? List.of(
            new Label("type"),
            label("status", StatusConditions.Value.values(), StatusConditions.Value::word),
            new Label("reason"))
        : metric.definition().labels();
  }

  private static <T> Label label(String name, T[] values, Function<T, String> word) {
    return new Label(name, Arrays.stream(values).map(word).toList());
  }

  private static String cell(Label label) {
    if (label.values().isEmpty() && !List.of("type", "reason").contains(label.name())) {
      return label.name();
    }
    return label.name()
        + ": "
        + (label.values().isEmpty()
            ? "see [conditions](conditions.md)"
            : label.values().stream().map("`%s`"::formatted).collect(Collectors.joining(", ")));
  }

  private static String rows(Metric... metrics) {
    return Arrays.stream(metrics)
        .map(metric -> {
          var definition = metric.definition();
          var labels =
              labels(metric).stream().map(MetricsPageTest::cell).collect(Collectors.joining("; "));
          return "| `%s` | %s | %s | %s |\n"
              .formatted(definition.name(), definition.kind().word(), labels, definition.help());
        })
        .collect(Collectors.joining());
  }

  static Stream<Metric> metrics() {
    return Stream.of(Meter.values(), ListenerMeter.values()).flatMap(Arrays::stream);
  }

  @Test
  void thePageHasEachMetricWithItsLabelsAndTheirValues() throws IOException {
    var wanted =
        HEAD
            + rows(Meter.values())
            + OF_LISTENER
            + rows(ListenerMeter.values())
            + OF_PROCESS
            + rows(ProcessMeter.values());
    if (Boolean.getBoolean("runnerset.write")) {
      Files.writeString(PAGE, wanted);
    }
    assertThat(PAGE).content().isEqualTo(wanted);
  }

  /** {@code Meter} may not know these enums. */
  @Test
  void theValuesOfALabelAreTheWordsOfItsEnum() {
    var outcome = label("outcome", RunnerOutcome.values(), RunnerOutcome::word);
    assertThat(labels(Meter.FINISHED_RUNNERS_DELETED)).last().isEqualTo(outcome);
    assertThat(labels(Meter.FINISHED_RUNNERS_REFUSED)).last().isEqualTo(outcome);
    assertThat(labels(Meter.RUNNERS_GARBAGE_COLLECTED))
        .containsExactly(
            new Label(
                "reason",
                Arrays.stream(RemovalReason.values())
                    .filter(RemovalReason::isCounted)
                    .map(RemovalReason::word)
                    .toList()));
  }

  @ParameterizedTest
  @MethodSource("metrics")
  void theLabelsOfAMetricAreThoseThatItIsCountedWith(Metric metric) {
    assertThat(labels(metric))
        .extracting(Label::name)
        .isEqualTo(metric.definition().labels().stream().map(Label::name).toList());
  }

  /** The help goes to Prometheus too; a reader must find there what a value means. */
  @ParameterizedTest
  @MethodSource("metrics")
  void theHelpOfAMetricExplainsEachValue(Metric metric) {
    var words = List.of(metric.definition().help().split("[^\\w-]+"));
    for (var label : labels(metric)) {
      assertThat(words).as(label.name()).containsAll(label.values());
    }
  }

  /** What Prometheus and its users expect of a name. */
  @ParameterizedTest
  @MethodSource("metrics")
  void aNameSaysItsKind(Metric metric) {
    var definition = metric.definition();
    assertThat(definition.name().endsWith("_total")).isEqualTo(definition.kind() == Kind.COUNTER);
    boolean isTime = definition.name().endsWith("_timestamp_seconds");
    assertThat(definition.name().endsWith("_seconds"))
        .isEqualTo(
            isTime || definition.kind() == Kind.HISTOGRAM || definition.kind() == Kind.SUMMARY);
    assertThat(definition.help()).doesNotContain("\n", "\\");
  }
}
