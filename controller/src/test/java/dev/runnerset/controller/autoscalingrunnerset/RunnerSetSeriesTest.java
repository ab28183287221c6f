package dev.runnerset.controller.autoscalingrunnerset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.history.PruneReason;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.metrics.Meters;
import org.junit.jupiter.api.Test;

/** What Prometheus sees of a set before anything happened to it, and after it is gone. */
class RunnerSetSeriesTest {
  private final Meters meters = new Meters();
  private final RunnerSetSeries series = new RunnerSetSeries(meters);

  @Test
  void allSeriesAreThereFromTheStart() {
    series.show(Sets.set("linux"));
    assertThat(meters.exposition())
        .contains("runnerset_runner_gc_thrash_total{")
        .contains("reason=\"age\"", "reason=\"capacity\"", "reason=\"revision\"")
        .contains("result=\"removed\"", "result=\"busy\"", "result=\"error\"");
  }

  @Test
  void thoseOfPruningAreThereBeforeAnythingIsPruned() {
    series.show(Sets.set("linux"));
    assertThat(meters.exposition().lines().filter(l -> l.contains("history_pruned_total{")))
        .hasSize(PruneReason.values().length)
        .allMatch(line -> line.endsWith(" 0.0"));
  }

  @Test
  void theyGoWithTheSetAndComeWithTheNextOfItsNameFromZero() {
    var set = Sets.set("linux");
    series.show(set);
    var meta = set.getMetadata();
    meters.count(Meter.RUNNER_GC_THRASH, meta.getNamespace(), meta.getName());
    series.show(set);
    assertThat(meters.exposition()).contains("runnerset_runner_gc_thrash_total{").contains(" 1.0");
    series.forget(set);
    assertThat(meters.exposition()).doesNotContain("runnerset_runner_gc_thrash_total{");
    series.show(set);
    assertThat(meters.exposition())
        .contains("runnerset_runner_gc_thrash_total{")
        .doesNotContain(" 1.0");
  }
}
