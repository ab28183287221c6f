package dev.runnerset.controller.autoscalingrunnerset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.testsupport.Exposition;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the series of 1,000 sets cost a scraper. The test prints the figures. */
final class ScrapeSizeTest {
  private static final int SETS = 1_000;
  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");

  @Test
  void theInfoOfASetAndItsIdleSecondsAreTwoSeriesAndFewBytes() {
    var meters = Meter.series();
    var series = new RunnerSetSeries(meters);
    for (int i = 0; i < SETS; i++) {
      var set = Sets.set("linux-" + i, "minRunners: 2", "maxRunners: 9");
      var status =
          "{jobs: {assigned: 5, running: 3, waiting: %d}, runners: {desired: 7, live: 6, pending: 2,"
              + " idle: 1, busy: 3, finished: 8, stuck: 0}, conditions: [{type: Ready, status: 'True',"
              + " reason: Ready}, {type: Registered, status: 'True', reason: Registered},"
              + " {type: ListenerReady, status: 'True', reason: Connected}]}";
      series.show(Sets.withStatus(set, status.formatted(i % 50)), NOW);
    }
    var page = Exposition.of(meters::snapshots);
    var now = page.text();
    var before =
        now.lines()
            .filter(line -> !line.contains("runnerset_set_info"))
            .filter(line -> !line.contains("runnerset_runner_idle_seconds"))
            .collect(Collectors.joining("\n"));
    long ofASet = series(now);
    System.out.printf(
        "controller: %d series a set, %d before; %d sets: %d bytes, gzipped %d; before %d, %d%n",
        ofASet,
        series(before),
        SETS,
        now.length(),
        Exposition.gzipped(now),
        before.length(),
        Exposition.gzipped(before));
    assertThat(ofASet - series(before)).isEqualTo(2);
    assertThat(Exposition.gzipped(now)).isLessThan(Exposition.gzipped(before) * 21 / 20);
  }

  private static long series(String text) {
    return List.of(text.split("\n")).stream()
        .filter(line -> line.contains("name=\"linux-7\""))
        .count();
  }
}
