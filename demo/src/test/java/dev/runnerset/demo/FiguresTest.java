package dev.runnerset.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runnerset.demo.figures.Check;
import dev.runnerset.demo.figures.Figures;
import dev.runnerset.demo.figures.Found;
import dev.runnerset.demo.figures.Percentiles;
import dev.runnerset.demo.progress.Progress.Moment;
import dev.runnerset.demo.scenario.Checks;
import dev.runnerset.demo.scenario.Scenario;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The JSON of a rehearsal is for programs: its fields keep their names, types and order. */
final class FiguresTest {
  private static Figures figures(Found found, boolean countsWrites) {
    var times = new Percentiles(1, 2, 3, 4);
    return new Figures(
        new Figures.Place("default", "a cluster"),
        new Figures.Work(new Figures.Jobs(3, 2, 1), times, times, times),
        new Figures.Cost(
            new Figures.Runners(4, 1, 0, 1.5),
            new Figures.Service(Map.of("getRunner", 1L), 1, 2, 3, 4, 5, 6),
            countsWrites
                ? new Figures.Kubernetes(Map.of("w", 5L), 8, 2, Map.of("w create", 5L))
                : null,
            Map.of("controller", 7L)),
        found.values(),
        List.of("one"),
        1234);
  }

  private static JsonNode json(Found found, boolean countsWrites) throws IOException {
    var report =
        new Figures.Report(
            figures(found, countsWrites),
            List.of(Check.equal("a-check", 1, 1)),
            true,
            List.of(new Moment(500, 1, 2, 3, 4, 5)));
    return new ObjectMapper().readTree(Rehearsal.json(report));
  }

  private static List<String> names(JsonNode node) {
    var names = new ArrayList<String>();
    node.fieldNames().forEachRemaining(names::add);
    return names;
  }

  @Test
  void theFieldsOfTheReport() throws IOException {
    var json = json(new Found(), true);
    assertThat(names(json))
        .containsExactly(
            "scenario",
            "cluster",
            "jobs",
            "queuedToStartedMs",
            "completedToRemovedMs",
            "podStartMs",
            "runners",
            "service",
            "kubernetes",
            "cpuMs",
            "extra",
            "violations",
            "elapsedMs",
            "checks",
            "ok",
            "timeline");
    assertThat(json.path("jobs").path("completed").asInt()).isEqualTo(2);
    assertThat(json.path("cpuMs").path("controller").asInt()).isEqualTo(7);
    assertThat(names(json.path("checks").path(0)))
        .containsExactly("id", "ok", "expected", "actual");
    assertThat(json.path("ok").isBoolean()).isTrue();
    assertThat(json.path("timeline").path(0).toString()).isEqualTo("[500,1,2,3,4,5]");
  }

  @Test
  void writesThatCannotBeCountedAreLeftOut() throws IOException {
    assertThat(json(new Found(), false).has("kubernetes")).isFalse();
  }

  @Test
  void whatAScenarioFoundIsNumbersInItsOrder() throws IOException {
    var found =
        new Found()
            .note("polls", 3L)
            .note("notCounted", null)
            .isTrue("reported", "a-check", true)
            .atMost("lagMs", "another", 10, 11);
    assertThat(json(found, true).path("extra"))
        .hasToString("{\"polls\":3,\"reported\":1,\"lagMs\":11}");
    assertThat(found.checks())
        .containsExactly(
            new Check("a-check", true, "1", "1"), new Check("another", false, "<= 10", "11"));
  }

  @Test
  void theSetHasOneWriteBesideThoseOfItsRunners() {
    var allowed =
        Checks.of(Scenario.BURST, figures(new Found(), true)).stream()
            .filter(c -> c.id().equals("writes-per-runner"))
            .toList();
    assertThat(allowed).containsExactly(new Check("writes-per-runner", true, "<= 8.25", "8"));
  }
}
