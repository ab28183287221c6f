package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.simulator.service.FaultPlan;
import dev.runnerset.simulator.service.HttpFault;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** RR6: a rate limit in the middle of a rerun delays it, doubles nothing, and stops no runner. */
final class RerunLimitsIT {
  private static final Duration LIMIT = Duration.ofMinutes(30);

  @AutoClose private final ControllerWorld world = new ControllerWorld();
  private final RerunPlay play = new RerunPlay(world, "linux");

  @ParameterizedTest
  @CsvSource({
    "workflowRun, SECONDARY_LIMIT",
    "runJobs, SECONDARY_LIMIT",
    "rerunFailedJobs, SECONDARY_LIMIT",
    "rerunFailedJobs, PRIMARY_LIMIT"
  })
  void aLimitAtAnyCall(String endpoint, HttpFault.Body limit) {
    long run = loseAJob();
    world.faults(HttpFault.answer(endpoint, 403, 1).withBody(limit).withRetryAfter(LIMIT));
    world.pass(RerunPlay.MISSED);
    world
        .within(Duration.ofMinutes(2), "the limit is met")
        .until(() -> calls(endpoint + ".fault") == 1);
    registerOthers();
    assertThat(play.reruns()).as("while the limit holds").isEmpty();

    world.pass(LIMIT);
    world.soon("the run runs again").until(() -> play.reruns().size() == 1);
    world.soon("an event").until(() -> !world.events("JobRerun").isEmpty());
    world.passInRounds(Duration.ofMinutes(5));
    assertThat(play.seen(run).attempts()).hasSize(2);
    assertThat(calls("rerunFailedJobs") - calls("rerunFailedJobs.fault"))
        .as("reruns that were carried out")
        .isEqualTo(1);
    assertThat(world.events("RerunFailed")).isEmpty();
  }

  /** Somebody else with the credentials spends the limit, so that the list of jobs is the last. */
  @Test
  void aFifthOfTheLimitIsLeftToRegistrations() {
    var _ = loseAJob();
    world.control.faults(FaultPlan.NONE.withRestPerHour(30));
    spend(23);
    world.pass(RerunPlay.MISSED);
    world.within(Duration.ofMinutes(2), "the jobs are listed").until(() -> calls("runJobs") == 1);
    registerOthers();
    world.passInRounds(Duration.ofMinutes(5));
    assertThat(calls("rerunFailedJobs")).as("sent while the limit is nearly spent").isZero();

    world.pass(Duration.ofHours(1));
    world.soon("the run runs again").until(() -> play.reruns().size() == 1);
    world.passInRounds(Duration.ofMinutes(5));
    assertThat(calls("rerunFailedJobs")).isEqualTo(1);
  }

  private long loseAJob() {
    play.create("{lostJobs: true}");
    try (var _ = new PlayedListener(world, "linux")) {
      long run = play.run(1, Duration.ofHours(1));
      play.lose(play.busy().getFirst());
      return run;
    }
  }

  /** Runners that need another connection to register; their jobs succeed. */
  private void registerOthers() {
    world.control.endTokens();
    try (var _ = new PlayedListener(world, "linux")) {
      long others = play.run(2, Duration.ofSeconds(8));
      world
          .soon("other jobs are done")
          .until(() -> "success".equals(play.seen(others).latest().conclusion()));
    }
  }

  private long calls(String counter) {
    return world.control.counters().getOrDefault(counter, 0L);
  }

  private void spend(int calls) {
    var list = URI.create(world.url().replace("/my-org", "/api/v3/orgs/my-org/actions/runners"));
    var request =
        HttpRequest.newBuilder(list)
            .header("Authorization", "Bearer " + ControllerWorld.TOKEN)
            .build();
    try (var client = HttpClient.newHttpClient()) {
      long used = 0;
      while (used < calls) {
        var answer = client.send(request, HttpResponse.BodyHandlers.discarding());
        used = answer.headers().firstValueAsLong("X-RateLimit-Used").orElseThrow();
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
