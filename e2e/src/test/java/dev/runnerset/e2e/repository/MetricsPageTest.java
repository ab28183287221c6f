package dev.runnerset.e2e.repository;

import static dev.runnerset.e2e.RepositoryFiles.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.ephemeralrunner.outcome.RunnerOutcome;
import dev.runnerset.controller.metrics.DeletedFor;
import dev.runnerset.controller.metrics.LeftOver;
import dev.runnerset.controller.metrics.LostBy;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.metrics.PruneReason;
import dev.runnerset.controller.metrics.RemovalAnswer;
import dev.runnerset.controller.metrics.RunnerStep;
import dev.runnerset.controller.metrics.ServiceOperation;
import dev.runnerset.controller.metrics.ServiceOutcome;
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
import org.junit.jupiter.params.provider.EnumSource;

/** The page of metrics has each series and each value of a label, and no others. */
final class MetricsPageTest {
  private static final Path PAGE = ROOT.resolve("docs/reference/metrics.md");
  private static final String HEAD =
      """
      # Metrics

      At `/metrics` of the controller's `--health-port` (8080 by default). Every series has the labels
      `namespace` and `name` of the runner set, but those of the service, which are of the process; none has a runner, a
      job or a repository. A set has its series from its first pass to its end; counters begin with 0. Metrics that begin
      with `gha_` mean what dashboards for other controllers take them for. [Rules for
      alerts](../alerts/runnerset.rules.yaml) use them. Generated from `Meter.java` and the enums of the label values: `MetricsPageTest` writes this page when it
      is run with `-Drunnerset.write=true`.

      | metric | type | further labels and their values | meaning |
      |---|---|---|---|
      """;

  private static final String OF_LISTENER =
      """

      ## Of the listener

      At `/metrics` of the listener's `--health-port` (8081 by default), beside `/healthz` (false if loops hang
      again and again: restart it) and `/readyz`. The process that listens for a set has its series, with the labels
      `namespace` and `name`; counters begin with 0. What the service says of jobs and runners comes with messages, so that
      a set without news keeps its numbers. Generated from `ListenerMeter.java`.

      | metric | type | further labels and their values | meaning |
      |---|---|---|---|
      """;

  /** A label and all its values. */
  private record Label(String name, List<String> values, String page) {
    /** A label with so many values that another page has them. */
    static Label manyOf(String name, String page) {
      return new Label(name, List.of(), page);
    }

    static <T> Label of(String name, T[] values, Function<T, String> word) {
      return new Label(name, Arrays.stream(values).map(word).toList(), "");
    }

    String cell() {
      if (values.isEmpty()) {
        return name + ": see " + page;
      }
      return values.stream()
          .map("`%s`"::formatted)
          .collect(Collectors.joining(", ", name + ": ", ""));
    }
  }

  /** The labels of a meter, each with the enum that its values come from. */
  private static List<Label> labels(Meter meter) {
    return switch (meter) {
      case SCALE_DOWN_REQUESTS ->
          List.of(Label.of("result", RemovalAnswer.values(), RemovalAnswer::word));
      case RUNNERS_GARBAGE_COLLECTED ->
          List.of(
              Label.of(
                  "reason",
                  RemovalReason.counted().toArray(RemovalReason[]::new),
                  RemovalReason::word));
      case RUNNER_GC_THRASH -> List.of();
      case FINISHED_RUNNERS_DELETED, FINISHED_RUNNERS_REFUSED ->
          List.of(
              Label.of("reason", DeletedFor.values(), DeletedFor::word),
              Label.of("outcome", RunnerOutcome.values(), RunnerOutcome::word));
      case JOBS_LOST -> List.of(Label.of("cause", LostBy.values(), LostBy::word));
      case LEFT_OVERS ->
          List.of(
              Label.of("kind", LeftOver.values(), LeftOver::word),
              Label.of("result", LeftOver.Result.values(), LeftOver.Result::word));
      case ROLLOUT_HISTORY_PRUNED ->
          List.of(Label.of("reason", PruneReason.values(), PruneReason::word));
      case SET_CONDITION ->
          List.of(
              Label.manyOf("type", "[conditions.md](conditions.md)"),
              Label.of("status", StatusConditions.Value.values(), StatusConditions.Value::word),
              Label.manyOf("reason", "[conditions.md](conditions.md)"));
      case RUNNER_PHASE -> List.of(Label.of("phase", RunnerStep.values(), RunnerStep::word));
      case SERVICE_REQUESTS ->
          List.of(
              Label.of("operation", ServiceOperation.values(), ServiceOperation::word),
              Label.of("outcome", ServiceOutcome.values(), ServiceOutcome::word));
      case ASSIGNED_JOBS,
          RUNNING_JOBS,
          WAITING_JOBS,
          DESIRED_RUNNERS,
          MIN_RUNNERS,
          MAX_RUNNERS,
          PENDING_RUNNERS,
          RUNNING_RUNNERS,
          FAILED_RUNNERS,
          STUCK_RUNNERS,
          IDLE_RUNNERS,
          BUSY_RUNNERS,
          FINISHED_RUNNERS ->
          List.of();
    };
  }

  @Test
  void thePageHasEachMetricWithItsLabelsAndTheirValues() throws IOException {
    var wanted =
        Stream.of(Meter.values())
                .map(MetricsPageTest::row)
                .collect(Collectors.joining("", HEAD, ""))
            + Stream.of(ListenerMeter.values())
                .map(MetricsPageTest::row)
                .collect(Collectors.joining("", OF_LISTENER, ""));
    if (Boolean.getBoolean("runnerset.write")) {
      Files.writeString(PAGE, wanted);
    }
    assertThat(PAGE).content().isEqualTo(wanted);
  }

  private static String row(Meter meter) {
    var labels = labels(meter).stream().map(Label::cell).collect(Collectors.joining("; "));
    return "| `%s` | %s | %s | %s |\n"
        .formatted(meter.metric(), meter.kind().word(), labels, meter.help());
  }

  private static String row(ListenerMeter meter) {
    var labels = labels(meter).stream().map(Label::cell).collect(Collectors.joining("; "));
    return "| `%s` | %s | %s | %s |\n"
        .formatted(meter.metric(), meter.kind().word(), labels, meter.help());
  }

  private static List<Label> labels(ListenerMeter meter) {
    return meter.labels().stream()
        .map(label -> new Label(label.name(), label.values(), ""))
        .toList();
  }

  @ParameterizedTest
  @EnumSource
  void theHelpOfAMetricOfTheListenerExplainsEachValue(ListenerMeter meter) {
    var words = List.of(meter.help().split("[^\\w-]+"));
    for (var label : labels(meter)) {
      assertThat(words).as(label.name()).containsAll(label.values());
    }
  }

  @ParameterizedTest
  @EnumSource
  void theLabelsOfAMetricAreThoseThatItIsCountedWith(Meter meter) {
    assertThat(labels(meter)).extracting(Label::name).isEqualTo(meter.labels());
  }

  /** The help goes to Prometheus too; a reader must find there what a value means. */
  @ParameterizedTest
  @EnumSource
  void theHelpOfAMetricExplainsEachValue(Meter meter) {
    var words = List.of(meter.help().split("[^\\w-]+"));
    for (var label : labels(meter)) {
      assertThat(words).as(label.name()).containsAll(label.values());
    }
  }
}
