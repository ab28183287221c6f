package dev.runnerset.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import dev.runnerset.bench.Requests.Request;
import dev.runnerset.bench.Row.Side;
import dev.runnerset.demo.figures.Check;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is made of rows: medians, ratios to the bound, a table, checks of budgets. */
final class RowTest {
  private static final String POD = Row.DEED + "create pods";

  private static Row row(Side side, int run, double p99, double pods) {
    var figures =
        Map.of(Row.STARTED_P99, p99, POD, pods, Row.CPU_ALL, 100 * p99, Row.CPU_EACH, 10 * p99);
    return new Row("burst-30", side, run, figures, Map.of("runnerset-bound create pods", 10L));
  }

  private final Row ours = row(Side.COLD, 1, 6, 1.5);
  private final Row bound = row(Side.BOUND, 1, 2, 1);

  @Test
  void theMedianOfThreeIsTheMiddleOneOfEachFigure() {
    var rows =
        List.of(row(Side.COLD, 1, 9, 1), row(Side.COLD, 2, 4, 3), row(Side.COLD, 3, 5, 2), bound);
    assertThat(Row.medians(rows))
        .extracting(Row::side, Row::run, r -> r.get(Row.STARTED_P99), r -> r.get(POD))
        .containsExactly(tuple(Side.COLD, 3, 5.0, 2.0), tuple(Side.BOUND, 1, 2.0, 1.0));
  }

  @Test
  void ratiosAreThoseToTheBoundOfTheSameCell() {
    var report = BenchMain.Report.of(List.of(ours, bound));
    assertThat(report.ratios()).containsOnlyKeys("burst-30 COLD");
    assertThat(report.ratios().get("burst-30 COLD"))
        .containsEntry(Row.STARTED_P99, 3.0)
        .containsEntry(POD, 1.5);
  }

  private static String table(Row... rows) {
    var text = new ByteArrayOutputStream();
    Table.print(List.of(rows), new PrintStream(text, true, StandardCharsets.UTF_8));
    return text.toString(StandardCharsets.UTF_8);
  }

  @Test
  void theTableHasAColumnForEachSideAndTheRatioLast() {
    assertThat(table(ours, bound).lines())
        .anyMatch(l -> l.matches("burst-30, one run +ours, cold +bound +cold/bound"))
        .anyMatch(l -> l.matches("queued to started p99, s +6.00 +2.00 +3.00"))
        .anyMatch(l -> l.matches("the same of all a runner, ms +60.00 +20.00 +3.00"));
  }

  @Test
  void withoutRunnersNothingIsOfARunner() {
    var idle = new Row("idle", Side.COLD, 1, Map.of(Row.RUNNERS, 0.0), ours.requests());
    assertThat(table(idle)).doesNotContain("a runner").contains("requests, by client:");
  }

  @Test
  void aRefusedRequestIsAWriteAndMakesNoRunner() {
    var counts =
        Map.of(
            new Request("runnerset-controller", "create", "ephemeralrunners", true, true), 3L,
            new Request("runnerset-controller", "create", "ephemeralrunners", true, false), 2L,
            new Request("runnerset-controller", "update", "leases", true, true), 7L,
            new Request("runnerset-node", "delete", "pods", true, true), 9L);
    var requests = new Requests(counts, Map.of());
    assertThat(requests.runnersMade()).isEqualTo(3);
    assertThat(requests.writesOnRunners()).isEqualTo(5);
    assertThat(requests.writesOnSets()).isZero();
  }

  @Test
  void aBudgetFailsAboveItsMostAndHoldsAtIt() {
    var budgets =
        new Budgets(
            Map.of(Row.STARTED_P99, 5.9, Budgets.CPU_RATIO, 3.0, Budgets.OTHER_WRITES, 0.4));
    assertThat(budgets.check(ours, bound))
        .extracting(Check::id, Check::ok)
        .containsExactly(
            tuple(Budgets.CPU_RATIO, true),
            tuple(Row.STARTED_P99, false),
            tuple(Budgets.OTHER_WRITES, false));
  }

  @Test
  void aBudgetOfNoFigureIsRefused() {
    assertThatThrownBy(() -> new Budgets(Map.of("writes", 1.0)).check(ours, bound))
        .hasMessageContaining("no figure has the name of the budget writes");
  }

  @Test
  void aProcessIsKnownByItsProgramOrMainClassAndReadFromItsFiles() {
    assertThat(Processes.name(List.of("/x/kube-apiserver", "--v"))).contains("kube-apiserver");
    assertThat(Processes.name(List.of("/j/bin/java", "-cp", "a", Bound.class.getName())))
        .contains("bound");
    assertThat(Processes.name(List.of("sh", "-c", "etcd"))).isEmpty();
    var stat = "7 (a b) c) S 1 1 1 0 -1 0 0 0 0 0 120 30 0 0";
    assertThat(Processes.use(stat, List.of("VmHWM:\t 4096 kB", "VmRSS:\t 2048 kB")))
        .isEqualTo(new Processes.Use(1500, 2, 4));
  }
}
