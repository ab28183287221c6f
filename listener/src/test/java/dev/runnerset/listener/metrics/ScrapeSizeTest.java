package dev.runnerset.listener.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.JobDescription;
import dev.runnerset.actions.JobEvent;
import dev.runnerset.actions.PollResult.Message;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.Statistics;
import dev.runnerset.listener.config.UsageRepositories;
import dev.runnerset.testsupport.Exposition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What series by repository cost a scraper of 1,000 sets. The test prints the figures. */
final class ScrapeSizeTest {
  private static final int SETS = 1_000;
  private static final int WORKFLOWS = 10;
  private static final Instant T = Instant.parse("2026-11-22T08:00:00Z");

  /** The page of sets, each of which ran so many workflows of a repository of its own. */
  private static String page(UsageRepositories usage, int sets, int workflows) {
    var meters = ListenerMeter.series();
    for (int i = 0; i < sets; i++) {
      var series = new ListenerSeries(meters, "team", "linux-" + i, usage);
      series.believed(new Statistics(0, 0, 3, 2, 5, 2, 3), T);
      Stream.of("poll", "acknowledge", "open_session")
          .forEach(call -> series.asked(call, "ok", Duration.ofSeconds(1)));
      for (int w = 0; w < workflows; w++) {
        series.received(message("my-org/app-" + i, "ci-" + w + ".yml@refs/heads/main"), T);
      }
    }
    return Exposition.of(meters::snapshots).text();
  }

  private static Message message(String repository, String ref) {
    var job =
        new JobDescription(
            0, "j", repository, ref, "b", 1, "push", T, T, T.plusSeconds(9), T.plusSeconds(99));
    var event = new JobEvent.JobCompleted(job, "succeeded", new RunnerId(1), "r");
    var started = new JobEvent.JobStarted(job, new RunnerId(1), "r");
    return new Message(1, null, List.of(started, event), List.of(), false);
  }

  private static long series(String page) {
    return page.lines().filter(line -> line.contains("name=\"linux-0\"")).count();
  }

  @Test
  void aSetHasSixSeriesForEachWorkflow() {
    var all = new UsageRepositories(Set.of("*"));
    var off = page(UsageRepositories.NONE, SETS, WORKFLOWS);
    var on = page(all, SETS, WORKFLOWS);
    var most = page(all, 1, 600);
    System.out.printf(
        "listener: %d series a set, %d with usage of %d workflows, %d at most;"
            + " %d sets: %d bytes, gzipped %d; with usage %d, %d%n",
        series(off),
        series(on),
        WORKFLOWS,
        series(most),
        SETS,
        off.length(),
        Exposition.gzipped(off),
        on.length(),
        Exposition.gzipped(on));
    assertThat(series(on) - series(off)).isEqualTo(6L * WORKFLOWS);
    assertThat(series(most) - series(off)).isEqualTo(498);
  }
}
