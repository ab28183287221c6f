package dev.runnerset.listener.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.JobDescription;
import dev.runnerset.actions.JobEvent;
import dev.runnerset.actions.PollResult.Message;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.base.metrics.Meters;
import dev.runnerset.listener.config.UsageRepositories;
import dev.runnerset.testsupport.Exposition;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who uses the runners of a set, by names from outside. */
final class UsageTest {
  private static final Instant T = Instant.parse("2026-11-22T08:00:00Z");
  private static final String REF = "o/r/.github/workflows/ci.yml@refs/heads/main";
  private static final String SERIES = "runnerset_usage_";
  private final Meters meters = ListenerMeter.series();

  private ListenerSeries series(String... repositories) {
    return new ListenerSeries(meters, "team", "linux", new UsageRepositories(Set.of(repositories)));
  }

  private List<String> lines(String name) {
    return Exposition.of(meters::snapshots).lines(SERIES + name);
  }

  private int allSeries() {
    return lines("jobs_total").size()
        + lines("runner_seconds_total").size()
        + lines("queue_seconds_total").size();
  }

  /** Queued at T, assigned a second later, with a runner after 5 s, finished after 65 s. */
  private static JobDescription job(String repository, String ref, @Nullable Instant queued) {
    return new JobDescription(
        0,
        "j",
        repository,
        ref,
        "b",
        1,
        "push",
        queued,
        T.plusSeconds(1),
        T.plusSeconds(5),
        T.plusSeconds(65));
  }

  private static Message started(JobDescription job) {
    var event = new JobEvent.JobStarted(job, new RunnerId(1), "r");
    return new Message(1, null, List.of(event), List.of(), false);
  }

  private static Message completed(JobDescription job, String result, String runner) {
    var event = new JobEvent.JobCompleted(job, result, new RunnerId(1), runner);
    return new Message(2, null, List.of(event), List.of(), false);
  }

  @Test
  void offByDefaultNothingIsCounted() {
    var series = series();
    series.received(started(job("o/r", REF, T)), T);
    series.received(completed(job("o/r", REF, T), "succeeded", "r"), T);
    assertThat(allSeries()).isZero();
  }

  @Test
  void aJobIsCountedAtItsEndAndItsSeriesBeginWithZeroAtItsStart() {
    var series = series("o/*");
    series.received(started(job("o/r", REF, T)), T);
    assertThat(lines("jobs_total")).hasSize(4).allMatch(line -> line.endsWith(" 0.0"));
    series.received(completed(job("o/r", REF, T), "Failed", "r"), T);
    assertThat(lines("jobs_total"))
        .hasSize(4)
        .contains(
            "runnerset_usage_jobs_total{name=\"linux\",namespace=\"team\",repository=\"o/r\","
                + "result=\"failed\",workflow=\"ci.yml\"} 1.0");
    var labels = "{name=\"linux\",namespace=\"team\",repository=\"o/r\",workflow=\"ci.yml\"} ";
    assertThat(lines("runner_seconds_total"))
        .containsExactly("runnerset_usage_runner_seconds_total" + labels + "60.0");
    assertThat(lines("queue_seconds_total"))
        .containsExactly("runnerset_usage_queue_seconds_total" + labels + "5.0");
    series.received(completed(job("o/r", REF, null), "Failed", "r"), T);
    assertThat(lines("queue_seconds_total").getFirst())
        .as("since its assignment, where no time of the queue is known")
        .endsWith(" 9.0");
  }

  @Test
  void aJobThatNeverHadARunnerUsedNone() {
    var series = series("*");
    series.received(completed(job("o/r", REF, T), "canceled", ""), T);
    assertThat(allSeries()).isZero();
  }

  @ParameterizedTest(name = "{0} {1}: {2} {3}")
  @CsvSource({
    "o/r,  o/r/.github/workflows/ci.yml@refs/heads/main,       o/r,   ci.yml",
    "o/r,  o/r/.github/workflows/ci.yml@refs/heads/a/b@c.yml,  o/r,   ci.yml",
    "o/r,  o/shared/.github/workflows/build.yaml@v1,           o/r,   build.yaml",
    "o/r,  o/r/.github/workflows/a@b.yml@refs/tags/v1,         o/r,   a@b.yml",
    "o/r,  ci.yml,                                             o/r,   ci.yml",
    "o/r,  '',                                                 other, other",
    "p/q,  p/q/.github/workflows/ci.yml@refs/heads/main,       other, other",
    "'',   o/r/.github/workflows/ci.yml@refs/heads/main,       other, other",
  })
  void aWorkflowIsItsFileAndWhatIsNotInTheListIsOther(
      String repository, String ref, String name, String workflow) {
    assertThat(new UsageNames(new UsageRepositories(Set.of("o/*"))).of(job(repository, ref, T)))
        .isEqualTo(new UsageNames.Name(name, workflow));
  }

  @Test
  void aNameIsCutAndHasNothingThatATerminalObeys() {
    var name =
        new UsageNames(new UsageRepositories(Set.of("*")))
            .of(job("o/" + "r".repeat(200), "a\n\u001b\"b.yml@refs/heads/x", T));
    assertThat(name.repository()).hasSize(UsageNames.LONGEST).startsWith("o/rr").endsWith("r…");
    assertThat(name.workflow()).isEqualTo("a  \"b.yml");
    series("*").received(started(job("o/r", "a\n\"\\b.yml@refs/heads/x", T)), T);
    assertThat(lines("runner_seconds_total"))
        .singleElement()
        .asString()
        .contains("workflow=\"a \\\"\\\\b.yml\"");
  }

  @Test
  void aSetHasAtMostFiveHundredSeriesAndTheirSumIsEachJob() {
    var series = series("*");
    for (int i = 0; i < 700; i++) {
      var job = job("o/r" + i, REF, T);
      series.received(started(job), T);
      series.received(completed(job, "succeeded", "r"), T);
    }
    assertThat(allSeries()).isBetween(UsageNames.MOST_SERIES - 6, UsageNames.MOST_SERIES);
    assertThat(lines("jobs_total").stream().mapToDouble(UsageTest::value).sum()).isEqualTo(700);
    assertThat(lines("jobs_total"))
        .anyMatch(line -> line.contains("repository=\"other\"") && value(line) > 500)
        .anyMatch(line -> line.contains("repository=\"o/r0\"") && value(line) == 1);
    var late = job("o/r0", REF, T);
    series.received(completed(late, "succeeded", "r"), T);
    assertThat(lines("jobs_total"))
        .as("who has series keeps them")
        .anyMatch(line -> line.contains("repository=\"o/r0\"") && value(line) == 2);
  }

  @Test
  void theSeriesGoWithTheSet() {
    var series = series("*");
    series.received(started(job("o/r", REF, T)), T);
    series.end();
    series.received(completed(job("o/r", REF, T), "succeeded", "r"), T);
    assertThat(allSeries()).isZero();
  }

  private static double value(String line) {
    return Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
  }
}
