package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.simulator.service.HttpFault;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** RR1 to RR6: jobs that were lost with their runner run again, through the whole controller. */
final class RerunIT {
  @AutoClose private final ControllerWorld world = new ControllerWorld();

  private final RerunPlay play = new RerunPlay(world, "linux");

  @Test
  void aLostJobRunsAgainWhenItsRunIsOverAndARestartNeitherLosesNorDoublesIt() {
    play.create("{lostJobs: true}");
    long run;
    String lost;
    try (var _ = new PlayedListener(world, "linux")) {
      run = play.run(2, Duration.ofSeconds(8));
      lost = play.busy().getFirst().getMetadata().getName();
      world.killPod(play.busy().getFirst());
      world.soon("the other job is done").until(() -> play.busy().isEmpty());
      play.awaitLoss();
    }
    world.stopController();
    world.startController();
    world.pass(RerunPlay.MISSED);
    world.soon("the run runs again").until(() -> play.seen(run).attempts().size() == 2);
    assertThat(play.seen(run).attempts().getFirst().conclusion()).isEqualTo("failure");
    world.soon("an event").until(() -> !world.events("JobRerun").isEmpty());

    try (var _ = new PlayedListener(world, "linux")) {
      world.soon("JobCompleted of the lost job comes late").until(() -> isCompleted(lost));
      world
          .soon("the new attempt succeeds")
          .until(() -> "success".equals(play.seen(run).latest().conclusion()));
      world.within(Duration.ofMinutes(5), "nothing is left").until(() -> play.lostJobs().isEmpty());
    }
    assertThat(play.reruns()).hasSize(1);
    assertThat(play.reruns().getFirst().jobs()).hasSize(1);
    assertThat(world.events("RerunWithheld")).isEmpty();
    assertThat(world.metrics()).contains("runnerset_reruns_concluded_total");
  }

  private boolean isCompleted(String runner) {
    return world.runners().stream()
        .filter(r -> r.getMetadata().getName().equals(runner))
        .anyMatch(r -> r.statusOrNone().jobResult() != null);
  }

  @Test
  void aRunThatAPersonCancelsDoesNotRunAgain() {
    play.create("{lostJobs: true}");
    try (var _ = new PlayedListener(world, "linux")) {
      long run = play.run(1, Duration.ofHours(1));
      play.lose(play.busy().getFirst());
      assertThat(world.control.runs().cancel(run)).isTrue();
    }
    world.pass(RerunPlay.MISSED);
    play.awaitEvent("RerunWithheld", "cancelled");
    world.soon("nothing is left to do").until(() -> play.lostJobs().isEmpty());
    assertThat(play.reruns()).isEmpty();
  }

  @Test
  void withoutTheFieldNothingIsWrittenDown() {
    play.create("{budget: 3}");
    long run;
    try (var _ = new PlayedListener(world, "linux")) {
      run = play.run(1, Duration.ofHours(1));
      world.killPod(play.busy().getFirst());
      world
          .within(Duration.ofSeconds(90), "the loss is reported")
          .until(() -> !world.events("JobLost").isEmpty());
    }
    world.pass(RerunPlay.MISSED);
    world.soon("the run fails").until(() -> "failure".equals(play.seen(run).latest().conclusion()));
    assertThat(play.lostJobs()).isEmpty();
    assertThat(play.reruns()).isEmpty();
  }

  @Test
  void credentialsWithoutTheRightAreReportedBeforehandAndARunThatTheyDoNotSeeIsGivenUp() {
    world.control.runs().tokenScopes(Set.of("admin:org"));
    play.create("{lostJobs: true}");
    world // which is asked again after a minute if GitHub has said nothing yet
        .within(Duration.ofSeconds(90), "the missing right is reported")
        .until(() -> world.events("RerunFailed").stream().anyMatch(m -> m.contains("may not")));
    try (var _ = new PlayedListener(world, "linux")) {
      play.run(1, Duration.ofHours(1));
      world.killPod(play.busy().getFirst());
      world
          .within(Duration.ofSeconds(90), "no such run is seen")
          .until(() ->
              world.events("RerunWithheld").stream().anyMatch(m -> m.contains("no such run")));
      world.soon("nothing is left to do").until(() -> play.lostJobs().isEmpty());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "a run of a month, a month ago",
    "a deleted workflow, cannot be retried",
    "a user who may not, SAML enforcement"
  })
  void aRefusalIsReportedInTheWordsOfGitHubAndIsFinal(String what, String words) {
    play.create("{lostJobs: true}");
    long run;
    try (var _ = new PlayedListener(world, "linux")) {
      run = play.run(1, Duration.ofHours(1));
      play.lose(play.busy().getFirst());
    }
    switch (what) {
      case "a run of a month" -> world.control.runs().age(run, Duration.ofDays(31));
      case "a deleted workflow" -> world.control.runs().deleteWorkflow(run);
      default ->
          world.faults(HttpFault.answer("rerunFailedJobs", 403, -1).withBody(HttpFault.Body.SAML));
    }
    world.pass(RerunPlay.MISSED);
    play.awaitEvent("RerunFailed", words);
    world.soon("nothing is left to do").until(() -> play.lostJobs().isEmpty());
    assertThat(play.seen(run).attempts()).hasSize(1);
    assertThat(world.control.counters().get("rerunFailedJobs")).isEqualTo(1);
  }

  @Test
  void whatIsDueIsNamedWhenTheSetGoes() {
    play.create("{lostJobs: true}");
    try (var _ = new PlayedListener(world, "linux")) {
      play.run(1, Duration.ofHours(1));
      play.lose(play.busy().getFirst());
      world.kube.resource(world.set("linux")).delete();
      play.awaitEvent("RerunWithheld", "deleted");
    }
  }

  @Test
  void aRepositoryThatMovedIsFollowedAndOneThatWasDeletedIsGivenUp() {
    play.create("{lostJobs: true}");
    long run;
    try (var _ = new PlayedListener(world, "linux")) {
      run = play.run(1, Duration.ofHours(1));
      world.control.runs().moveRepository("my-org/app", "my-org/moved");
      play.lose(play.busy().getFirst());
    }
    world.pass(RerunPlay.MISSED);
    world.soon("the run runs again").until(() -> play.seen(run).attempts().size() == 2);
    assertThat(play.reruns()).hasSize(1);

    world.control.runs().deleteRepository("my-org/moved");
    world.pass(Duration.ofMinutes(3));
    play.awaitEvent("RerunWithheld", "no such run");
    world.soon("nothing is left to do").until(() -> play.lostJobs().isEmpty());
  }

  /**
   * The run is one of the repository that the pull request asks, and its commit is a stranger's.
   */
  @Test
  void theRunOfAForkRunsAgain() {
    play.create("{lostJobs: true}");
    long run;
    try (var _ = new PlayedListener(world, "linux")) {
      run = play.run(1, Duration.ofHours(1));
      world.control.runs().fork(run, "stranger/app");
      play.lose(play.busy().getFirst());
    }
    world.pass(RerunPlay.MISSED);
    world.soon("the run runs again").until(() -> play.seen(run).attempts().size() == 2);
    assertThat(world.events("RerunWithheld")).isEmpty();
  }
}
