package dev.runnerset.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.demo.figures.Check;
import dev.runnerset.demo.progress.Progress;
import dev.runnerset.testcluster.TestCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a small burst costs on a real control plane, held against {@code budgets.properties}. */
final class RealBenchIT {
  @BeforeAll
  static void needsTheRealServer() {
    TestCluster.unavailableReason().ifPresent(Assumptions::abort);
  }

  @Test
  void aSmallBurstCostsNoMoreThanItsBudgets(@TempDir Path folder) throws IOException {
    var progress = new Progress(System.err, false, Clock.systemUTC());
    List<Row> rows;
    try (var sitting = new Sitting(folder, Profiles.NONE, progress, Clock.systemUTC())) {
      rows = sitting.run(Cell.BURST_30, 1, false);
    }
    Table.print(rows, System.out);
    var ours = rows.getFirst();
    var bound = ours.bound(rows).orElseThrow();
    var budgets = Budgets.read(Path.of("budgets.properties"));
    assertThat(List.of(Processes.CONTROLLER, Processes.LISTENER, Processes.API_SERVER))
        .allMatch(name -> ours.get(Row.CPU + name) > 0);
    assertThat(budgets.check(ours, bound)).isNotEmpty().allMatch(Check::ok);

    // each budget can fail: nothing may cost what it costs
    var lower = new HashMap<String, Double>();
    budgets.mostByFigure().keySet().forEach(name -> lower.put(name, -1.0));
    assertThat(new Budgets(lower).check(ours, bound)).noneMatch(Check::ok);
    Plots.write(rows, folder);
    assertThat(folder.resolve("burst-30-times.png")).isNotEmptyFile();
    assertThat(folder.resolve("burst-30-cpu.png")).isNotEmptyFile();
    assertThat(bound.figures()).containsAllEntriesOf(Map.of(Row.PER_JOB, 1.0, Row.CALLS, 1.0));
  }
}
