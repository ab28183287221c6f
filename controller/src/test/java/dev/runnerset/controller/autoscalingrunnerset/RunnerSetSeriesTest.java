package dev.runnerset.controller.autoscalingrunnerset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.base.metrics.Meters;
import dev.runnerset.base.metrics.Metric.Kind;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.metrics.PruneReason;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.AutoScalingRunnerSetStatus;
import dev.runnerset.testsupport.Exposition;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What Prometheus sees of a set before anything happened to it, over its life, and after it. */
class RunnerSetSeriesTest {
  /** The kinds whose series have suffixes. */
  private static final Set<Kind> COUNTED = Set.of(Kind.HISTOGRAM, Kind.SUMMARY);

  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");

  private final Meters meters = Meter.series();
  private final RunnerSetSeries series = new RunnerSetSeries(meters);

  private static AutoScalingRunnerSet set(String status) {
    var set = Sets.set("linux", "minRunners: 2", "maxRunners: 9");
    set.setStatus(
        Serialization.unmarshal("---\n{" + status + "}", AutoScalingRunnerSetStatus.class));
    return set;
  }

  private List<String> lines(String metric) {
    return Exposition.of(meters::snapshots).lines(metric);
  }

  @ParameterizedTest
  @EnumSource
  void everySeriesOfASetIsThereFromTheStart(Meter meter) {
    series.show(set("conditions: [{type: Ready, status: 'False', reason: NotHeld}]"), NOW);
    var definition = meter.definition();
    var name = definition.name() + (COUNTED.contains(definition.kind()) ? "_count" : "");
    assertThat(lines(name).isEmpty()).as("of the process").isEqualTo(definition.ofProcess());
    if (definition.kind() != Kind.GAUGE) {
      assertThat(lines(name)).allMatch(line -> line.matches(".* 0(\\.0)?"));
    }
  }

  /** Row 10: the default of the kind is nothing that a controller found. */
  @Test
  void aSetThatNobodyHasLookedAtHasNoSeriesOfItsCondition() {
    series.show(set("conditions: [{type: Ready, status: Unknown, reason: Pending}]"), NOW);
    assertThat(lines("runnerset_set_condition")).isEmpty();
  }

  @Test
  void thoseOfPruningAreThereBeforeAnythingIsPruned() {
    series.show(Sets.set("linux"), NOW);
    assertThat(lines("runnerset_rollout_history_pruned_total"))
        .hasSize(PruneReason.values().length);
  }

  @Test
  void gaugesFollowTheStatus() {
    series.show(
        set(
            "jobs: {assigned: 5, running: 3, waiting: 4}, runners: {desired: 7, live: 6,"
                + " pending: 2, idle: 1, busy: 3, finished: 8, stuck: 1}"),
        NOW);
    assertThat(
            Stream.of(
                    "gha_assigned_jobs",
                    "gha_running_jobs",
                    "runnerset_waiting_jobs",
                    "gha_desired_runners",
                    "gha_min_runners",
                    "gha_max_runners",
                    "gha_controller_pending_ephemeral_runners",
                    "gha_controller_running_ephemeral_runners",
                    "runnerset_stuck_runners",
                    "runnerset_idle_runners",
                    "runnerset_busy_runners",
                    "runnerset_finished_runners")
                .flatMap(metric -> lines(metric).stream())
                .map(line -> line.replace("name=\"linux\",namespace=\"ns\"", "")))
        .containsExactly(
            "gha_assigned_jobs{} 5.0",
            "gha_running_jobs{} 3.0",
            "runnerset_waiting_jobs{} 4.0",
            "gha_desired_runners{} 7.0",
            "gha_min_runners{} 2.0",
            "gha_max_runners{} 9.0",
            "gha_controller_pending_ephemeral_runners{} 2.0",
            "gha_controller_running_ephemeral_runners{} 4.0",
            "runnerset_stuck_runners{} 1.0",
            "runnerset_idle_runners{} 1.0",
            "runnerset_busy_runners{} 3.0",
            "runnerset_finished_runners{} 8.0");
    series.show(set(""), NOW);
    assertThat(lines("gha_assigned_jobs")).singleElement().asString().endsWith(" 0.0");
  }

  @Test
  void aConditionThatChangedOrWentLeavesNoSeriesBehind() {
    series.show(
        set(
            "conditions: [{type: Ready, status: 'False', reason: BackOff},"
                + " {type: RunnersFailing, status: 'True', reason: BackOff}]"),
        NOW);
    assertThat(lines("runnerset_set_condition"))
        .containsExactlyInAnyOrder(
            "runnerset_set_condition{name=\"linux\",namespace=\"ns\","
                + "reason=\"BackOff\",status=\"False\",type=\"Ready\"} 1.0",
            "runnerset_set_condition{name=\"linux\",namespace=\"ns\","
                + "reason=\"BackOff\",status=\"True\",type=\"RunnersFailing\"} 1.0");
    series.show(set("conditions: [{type: Ready, status: 'True', reason: Ready}]"), NOW);
    assertThat(lines("runnerset_set_condition"))
        .containsExactly(
            "runnerset_set_condition{name=\"linux\",namespace=\"ns\","
                + "reason=\"Ready\",status=\"True\",type=\"Ready\"} 1.0");
    series.show(set("conditions: [{type: Ready, status: 'False', reason: BackOff}]"), NOW);
    assertThat(lines("runnerset_set_condition"))
        .singleElement()
        .asString()
        .contains("status=\"False\"")
        .endsWith(" 1.0");
  }

  @Test
  void theyGoWithTheSetAndComeWithTheNextOfItsNameFromZero() {
    var set = set("conditions: [{type: Ready, status: 'True', reason: Ready}]");
    series.show(set, NOW);
    var meta = set.getMetadata();
    meters.of(meta.getNamespace(), meta.getName()).count(Meter.RUNNER_GC_THRASH);
    series.show(set, NOW);
    assertThat(lines("runnerset_runner_gc_thrash_total").getFirst()).endsWith(" 1.0");
    series.forget(set);
    assertThat(Exposition.of(meters::snapshots).text()).doesNotContain("linux");
    series.show(set, NOW);
    assertThat(lines("runnerset_runner_gc_thrash_total").getFirst()).endsWith(" 0.0");
    assertThat(lines("runnerset_set_condition")).hasSize(1);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "https://github.com/org        | org   | ''  | ''",
        "https://github.com/o/r        | o     | o/r | ''",
        "https://ghes.corp/enterprises/e | ''  | ''  | e",
        "nonsense                      | ''    | ''  | ''",
        "https://github.com/a%0A%22b   | a \\\"b | '' | ''",
      })
  void theInfoOfASetSaysWhoseJobsItServes(
      String url, String organization, String repository, String enterprise) {
    var yaml = Serialization.asYaml(set(""));
    series.show(Sets.of(yaml.replace("https://github.com/my-org", url)), NOW);
    assertThat(lines("runnerset_set_info"))
        .containsExactly(
            "runnerset_set_info{enterprise=\"%s\",name=\"linux\",namespace=\"ns\",organization=\"%s\",repository=\"%s\"} 1.0"
                .formatted(enterprise, organization, repository));
  }

  @ParameterizedTest(name = "until {0}: {1}")
  @CsvSource({
    "'', NaN",
    "2026-11-20T11:59:59Z, -1.0",
    "2026-11-20T12:00:00Z, 0.0",
    "2026-12-04T11:59:59Z, 13.0",
    "2026-12-04T12:00:00Z, 14.0"
  })
  void theDaysThatAreLeftOfAVersionAreWhole(String until, String days) {
    series.show(
        set(
            until.isEmpty()
                ? ""
                : "runnerVersion: {version: 2.336.0, from: Runner, receivesJobsUntil: '"
                    + until
                    + "'}"),
        NOW);
    assertThat(lines("runnerset_runner_version_days_left"))
        .containsExactly(
            "runnerset_runner_version_days_left{name=\"linux\",namespace=\"ns\"} " + days);
  }
}
