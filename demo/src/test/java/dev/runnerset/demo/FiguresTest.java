package dev.runnerset.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runnerset.demo.figures.Check;
import dev.runnerset.demo.figures.Figures;
import dev.runnerset.demo.figures.Findings;
import dev.runnerset.demo.figures.Percentiles;
import dev.runnerset.demo.scenario.Checks;
import dev.runnerset.demo.scenario.Scenario;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The JSON of a rehearsal is for programs: its fields keep their names, types and order. */
final class FiguresTest {
  private static Figures figures(Findings findings, boolean countsWrites) {
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
        new Figures.Extra(findings, 9),
        List.of("one"),
        1234);
  }

  private static JsonNode json(Findings findings, boolean countsWrites) throws IOException {
    var report =
        new Figures.Report(
            figures(findings, countsWrites), List.of(Check.equal("a-check", 1, 1)), true);
    return new ObjectMapper().readTree(Rehearsal.json(report));
  }

  private static List<String> names(JsonNode node) {
    var names = new ArrayList<String>();
    node.fieldNames().forEachRemaining(names::add);
    return names;
  }

  @Test
  void theFieldsOfTheReport() throws IOException {
    var json = json(new Findings.None(), true);
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
            "ok");
    assertThat(json.path("jobs").path("completed").asInt()).isEqualTo(2);
    assertThat(json.path("cpuMs").path("controller").asInt()).isEqualTo(7);
    assertThat(names(json.path("checks").path(0)))
        .containsExactly("id", "ok", "expected", "actual");
    assertThat(json.path("ok").isBoolean()).isTrue();
  }

  @Test
  void writesThatCannotBeCountedAreLeftOut() throws IOException {
    assertThat(json(new Findings.None(), false).has("kubernetes")).isFalse();
    assertThat(names(json(new Findings.Idle(null, 1), false).path("extra")))
        .containsExactly("idleCalls", "slowStarts");
  }

  record Row(Findings findings, String extra) {}

  static Stream<Row> findings() {
    return Stream.of(
        new Row(new Findings.None(), "{'slowStarts':9}"),
        new Row(
            new Findings.Restart(1, 2),
            "{'pollsBeforeRestart':1,'restartToAllDoneMs':2,'slowStarts':9}"),
        new Row(new Findings.Steady(1), "{'removedWarm':1,'slowStarts':9}"),
        new Row(new Findings.Idle(1L, 2), "{'idleWrites':1,'idleCalls':2,'slowStarts':9}"),
        new Row(
            new Findings.IdleAge(
                new Findings.Pool(1, 2, 3),
                new Findings.Ages(4, 5, 6, 7, false),
                new Findings.Collected(8, 9, 10),
                true),
            "{'leastIdle':1,'poolFilledAgain':2,'leastReplicas':3,'firstMs':4,'afterRestartMs':5,"
                + "'sinceRestartMs':6,'whileNever':7,'annotatedStays':0,'removedBeforeTheEnd':8,"
                + "'collectedForAge':9,'collectedForCapacity':10,'toldByConfigz':1,"
                + "'slowStarts':9}"),
        new Row(
            new Findings.References(1, 2, 3, 4, 5, 6L, 7L),
            "{'wrongLists':1,'wrongListsOfTheSet':2,'staleFields':3,'unexplained':4,'forDemand':5,"
                + "'bytesAReference':6,'parentWritesInQuiet':7,'slowStarts':9}"),
        new Row(
            new Findings.Retention(
                1,
                new Findings.AtCompletion(2, 3, 4, 5, 6, 7),
                new Findings.AfterChanges(8, 9, 23, 10),
                new Findings.Failures(11, 12, 13, 14),
                new Findings.Annotation(15, 16),
                new Findings.Traces(17, 18, 19),
                new Findings.Times(20, 21, 22)),
            "{'jobsAtFirst':1,'kept':2,'halfTold':3,'secrets':4,'pods':5,'registrations':6,"
                + "'counted':7,'wrongOnes':8,'takenByTime':9,'takenWithItsRule':23,"
                + "'wrongByDefault':10,'wrongFailed':11,'lostGood':12,'podsOfFailed':13,"
                + "'failedByJob':14,'held':15,'leftWithout':16,"
                + "'revisions':17,'historyEntries':18,'events':19,'shortestGoodMs':20,"
                + "'shortestFailedMs':21,'longestMs':22,'slowStarts':9}"),
        new Row(
            new Findings.History(1, 2, false, 3, 4, new Findings.FullHistory(5, true, false)),
            "{'busyOnTheOldImage':1,'leastWarm':2,'historyAsExpected':0,'idleOfAnOlderImage':3,"
                + "'imagesOfIdlePods':4,'entries':5,'leastWorthGone':1,'initialStays':0,'slowStarts':9}"),
        new Row(
            new Findings.Schedule(1, 2, 3, 4, 5, 6, 7),
            "{'changes':1,'toldBefore':2,'rightAfter':3,'worstLagMs':4,'sessions':5,'rollouts':6,"
                + "'modesTold':7,'slowStarts':9}"));
  }

  @ParameterizedTest
  @MethodSource("findings")
  void theFieldsOfWhatAScenarioFound(Row row) throws IOException {
    assertThat(json(row.findings(), true).path("extra"))
        .hasToString(row.extra().replace('\'', '"'));
  }

  @Test
  void anEarlyStatusIsOneWriteMoreAndTheSetHasOne() {
    var allowed =
        Checks.of(Scenario.BURST, figures(new Findings.None(), true)).stream()
            .filter(c -> c.id().equals("writes-per-runner"))
            .toList();
    assertThat(allowed).containsExactly(new Check("writes-per-runner", true, "<= 10.50", "8"));
  }
}
