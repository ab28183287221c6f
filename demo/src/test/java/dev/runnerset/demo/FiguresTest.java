package dev.runnerset.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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

  private static Findings.UnderFault underFault(
      String id,
      boolean mustTell,
      List<String> untrue,
      @Nullable Double toldSeconds,
      @Nullable Double wellSeconds) {
    return new Findings.UnderFault(
        id,
        30,
        60,
        new Findings.FaultTimes(1.0, toldSeconds, wellSeconds),
        new Findings.TruthOfStatus(mustTell, "why", untrue, 3, 4, 5),
        6,
        7);
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
            new Findings.Upgrade(
                List.of(change(new Findings.Handover(4, List.of("b"), 5, List.of("c")), "d")),
                new Findings.Kinds(6, 7, 8),
                new Findings.Stayed(9, 10, 11, 12)),
            "{'changes':[{'goes':'a','pair':'new-old','reads':'new-after-old','longestWaitMs':1,"
                + "'takenOverMs':2,'capacitySeconds':3.5,'carriedOver':4,'earlyUntold':['b'],"
                + "'keptWrongly':5,'lostFields':['c'],'untold':['d']}],'olderKindsToldMs':6,"
                + "'healedMs':7,'protocolLevel':8,'objectsGone':9,'laterFieldsGone':10,"
                + "'historyEntries':11,'runnersRemoved':12,'slowStarts':9}"),
        new Row(
            new Findings.Stalls(
                List.of(
                    new Findings.Told(
                        "a-warm",
                        new Findings.Delays(30, 1.5, null, 2.0, 3.0),
                        "why",
                        List.of(),
                        2,
                        false)),
                1,
                2,
                3,
                4,
                5),
            "{'stalls':[{'set':'a-warm','barSeconds':30,'toldSeconds':1.5,'eventSeconds':null,"
                + "'metricSeconds':2.0,'healedSeconds':3.0,'said':'why','left':[],'registrations':2,'touched':0}],"
                + "'bystanderTroubles':1,'jobsLeft':2,'jobsLost':3,'violations':4,'setsLeft':5,"
                + "'slowStarts':9}"),
        new Row(
            new Findings.Drains(List.of(new Findings.Drain("a", null, 1, 2, 3.5, 4, 5)), 6),
            "{'drains':[{'node':'a','idleLeftSeconds':null,'busyMet':1,'idleMet':2,"
                + "'drainedSeconds':3.5,'refusals':4,'evictions':5}],'retired':6,'slowStarts':9}"),
        new Row(
            new Findings.Deletions(
                List.of(
                    new Findings.Deleted(
                        "a", 2, null, 1.5, "why", new Findings.Killed(3, 4), List.of("Pod a")))),
            "{'deletions':[{'set':'a','barSeconds':2.0,'toldSeconds':null,'goneSeconds':1.5,"
                + "'said':'why','jobsKilled':3,'jobsForced':4,'left':['Pod a']}],'slowStarts':9}"),
        new Row(
            new Findings.Schedule(1, 2, 3, 4, 5, 6, 7),
            "{'changes':1,'toldBefore':2,'rightAfter':3,'worstLagMs':4,'sessions':5,'rollouts':6,"
                + "'modesTold':7,'slowStarts':9}"),
        new Row(
            new Findings.Chaos(
                1,
                List.of(underFault("a", true, List.of("not so"), null, 2.5)),
                List.of("b"),
                new Findings.Convergence(3, 4.5, 5.5, 6, 7)),
            "{'seed':1,'faults':[{'fault':'a','barSeconds':30,'wellWithinSeconds':60,"
                + "'heldSeconds':1.0,'toldSeconds':null,'wellSeconds':2.5,'mustTell':true,'said':'why',"
                + "'untrue':['not so'],'oldestNumbersSeconds':3.0,'longestWaitSeconds':4.0,"
                + "'unreadableSeconds':5.0,'jobsDone':6,'restarts':7}],'leftOut':['b'],'jobs':3,"
                + "'doneSeconds':4.5,'clearSeconds':5.5,'lost':6,'killedAtNode':7,'slowStarts':9}"));
  }

  @ParameterizedTest
  @MethodSource("findings")
  void theFieldsOfWhatAScenarioFound(Row row) throws IOException {
    assertThat(json(row.findings(), true).path("extra"))
        .hasToString(row.extra().replace('\'', '"'));
  }

  private static Findings.Change change(Findings.Handover handover, String... untold) {
    var stage = new Findings.Stage("a", "new-old", "new-after-old");
    return new Findings.Change(stage, 1, 2, 3.5, handover, List.of(untold));
  }

  @Test
  void whatAVersionDoesNotReadOfTheOtherIsAFailedCheck() {
    var bad = change(new Findings.Handover(0, List.of("b"), 1, List.of("c")), "d");
    var upgrade =
        new Findings.Upgrade(
            List.of(bad), new Findings.Kinds(6, 7, 8), new Findings.Stayed(0, 1, 1, 0));
    assertThat(
            Checks.of(Scenario.UPGRADE, figures(upgrade, false)).stream()
                .filter(check -> !check.ok())
                .map(Check::id))
        .contains(
            "jobs-are-told-new-old",
            "jobs-go-on-new-after-old",
            "their-ends-are-told-new-after-old",
            "finished-runners-count-new-after-old",
            "fields-stay-new-after-old",
            "fields-that-neither-knows-stay")
        .doesNotContain("capacity-follows-new-old", "no-object-made-anew", "no-rollout");
  }

  @Test
  void aDrainThatMeetsIdleRunnersOrDoesNotEndIsAFailedCheck() {
    var good = new Findings.Drain("a", 1.0, 2, 0, 8.0, 1, 3);
    var late = new Findings.Drain("b", 21.0, 2, 0, 26.0, 0, 3);
    var met = new Findings.Drain("c", 1.0, 2, 1, 8.0, 0, 3);
    var never = new Findings.Drain("d", null, 2, 1, null, 0, 3);
    assertThat(failed(new Findings.Drains(List.of(good, late, met, never), 1)))
        .containsExactlyInAnyOrder(
            "idle-left-b", "drained-b", "no-idle-runner-met-the-drain-of-c", "drained-d");
    assertThat(failed(new Findings.Drains(List.of(late), 0)))
        .contains("evictions-of-busy-runners-refused", "idle-runners-retired");
  }

  private static List<String> failed(Findings.Drains drains) {
    return Checks.of(Scenario.DRAIN, figures(drains, false)).stream()
        .filter(check -> !check.ok())
        .map(Check::id)
        .filter(id -> id.contains("idle") || id.contains("drained") || id.contains("refused"))
        .toList();
  }

  @Test
  void whatIsNeverToldOrToldLateIsAFailedCheck() {
    var told =
        new Findings.Told(
            "a", new Findings.Delays(30, null, null, null, 30.0), "", List.of(), 0, false);
    var late =
        new Findings.Told(
            "b", new Findings.Delays(30, 30.0, null, null, 30.1), "why", List.of(), 0, true);
    var stalls = new Findings.Stalls(List.of(told, late), 0, 0, 0, 0, 0);
    var failed =
        Checks.of(Scenario.STALLS, figures(stalls, false)).stream()
            .filter(c -> !c.ok())
            .map(Check::id)
            .filter(id -> id.endsWith("-a") || id.endsWith("-b") || id.contains("touched"))
            .toList();
    assertThat(failed).containsExactly("told-a", "healed-b", "no-set-was-touched");
  }

  @Test
  void aFaultThatIsUntrueUntoldOrNeverOverIsAFailedCheck() {
    var faults =
        List.of(
            underFault("good", true, List.of(), 30.0, 60.0),
            underFault("quiet", false, List.of(), null, 0.0),
            underFault("untrue", false, List.of("not so"), null, 1.0),
            underFault("untold", true, List.of(), null, 1.0),
            underFault("late", true, List.of(), 30.1, 60.1),
            underFault("ill", false, List.of(), null, null));
    var bad = new Findings.Chaos(1, faults, List.of(), new Findings.Convergence(9, 41, 61, 1, 1));
    assertThat(failedOf(bad))
        .containsExactly(
            "all-was-true-untrue",
            "told-untold",
            "told-late",
            "well-after-late",
            "well-after-ill",
            "no-job-lost-of-any-set",
            "no-pod-gone-before-its-job",
            "jobs-done-within-seconds",
            "nothing-left-within-seconds");
    var none =
        new Findings.Chaos(1, List.of(), List.of(), new Findings.Convergence(9, 40, 60, 0, 0));
    assertThat(failedOf(none)).containsExactly("faults-came");
  }

  private static List<String> failedOf(Findings.Chaos chaos) {
    var common = Checks.of(Scenario.CHAOS, figures(new Findings.None(), false)).stream();
    var ids = common.map(Check::id).toList();
    return Checks.of(Scenario.CHAOS, figures(chaos, false)).stream()
        .filter(check -> !check.ok())
        .map(Check::id)
        .filter(id -> !ids.contains(id))
        .toList();
  }

  @Test
  void aDeletionThatKillsLeavesHangsOrIsSilentIsAFailedCheck() {
    var good =
        new Findings.Deleted("set-busy", 2, 1.0, 2.0, "why", new Findings.Killed(0, 0), List.of());
    var late =
        new Findings.Deleted(
            "set-rollout", 2, null, 2.1, "", new Findings.Killed(1, 0), List.of("Pod a"));
    var never =
        new Findings.Deleted("set-idle", 2, null, null, "", new Findings.Killed(0, 1), List.of());
    var deletions = new Findings.Deletions(List.of(good, late, never));
    var failed =
        Checks.of(Scenario.DELETION, figures(deletions, false)).stream()
            .filter(c -> !c.ok())
            .map(Check::id)
            .filter(id -> id.contains("-set-"))
            .toList();
    assertThat(failed)
        .containsExactly(
            "gone-set-rollout",
            "told-set-rollout",
            "jobs-killed-set-rollout",
            "left-set-rollout",
            "gone-set-idle",
            "jobs-killed-set-idle");
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
