package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.simulator.service.JobRequest;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** RR3: two clusters that lost jobs of one run ask at once. */
final class RerunTwoClustersIT {
  private static final Duration LASTS = Duration.ofHours(1);

  @AutoClose private final ControllerWorld world = new ControllerWorld();
  @AutoClose private final ControllerWorld other = world.anotherCluster();

  private final List<RerunPlay> plays =
      List.of(new RerunPlay(world, "linux"), new RerunPlay(other, "arm"));

  /** Both read the run before one of them asks, since what changes something takes a while. */
  @ParameterizedTest
  @CsvSource({
    // withOthers, jobs that run again, clusters that report it
    "true, 2, 2",
    "false, 1, 1"
  })
  void oneAsksFirstAndTheOtherIsRefused(boolean withOthers, int again, int reports) {
    plays.forEach(play -> play.create("{lostJobs: true, withOthers: " + withOthers + "}"));
    long run;
    try (var _ = new PlayedListener(world, "linux");
        var _ = new PlayedListener(other, "arm")) {
      var jobs =
          Stream.of("linux", "arm")
              .map(label -> JobRequest.of(1, label, LASTS).withDisplayName(label));
      run = world.control.runs().queue("my-org/app", jobs.toList());
      plays.forEach(play -> play.awaitBusy(1));
      plays.forEach(play -> play.lose(play.busy().getFirst()));
    }
    Stream.of(world, other).forEach(each -> each.latency = Duration.ofSeconds(4));
    world.pass(RerunPlay.MISSED);
    world
        .within(Duration.ofMinutes(2), "both ask")
        .until(() -> calls("rerunFailedJobs") + calls("rerunJob") == 2 && refusals() > 0);
    Stream.of(world, other).forEach(each -> each.latency = Duration.ZERO);
    assertThat(refusals()).isEqualTo(1);

    world.control.runs().cancel(run);
    plays.forEach(play ->
        world
            .within(Duration.ofMinutes(10), "nothing is left to do")
            .until(() -> play.lostJobs().isEmpty()));
    assertThat(plays.getFirst().seen(run).attempts()).hasSize(2);
    assertThat(plays.getFirst().reruns())
        .singleElement()
        .satisfies(rerun -> assertThat(rerun.jobs()).hasSize(again));
    assertThat(messages("JobRerun")).hasSize(reports);
    assertThat(messages("RerunWithheld"))
        .hasSize(2 - reports)
        .allSatisfy(message -> assertThat(message).contains("a later attempt"));
    assertThat(messages("RerunFailed")).isEmpty();
  }

  private List<String> messages(String reason) {
    return Stream.of(world, other).flatMap(each -> each.events(reason).stream()).toList();
  }

  private long refusals() {
    return calls("rerunFailedJobs.403") + calls("rerunJob.403");
  }

  private long calls(String counter) {
    return world.control.counters().getOrDefault(counter, 0L);
  }
}
