package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.simulator.service.JobRequest;
import dev.runnerset.simulator.service.RerunView;
import dev.runnerset.simulator.service.RunView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** RR1 to RR6: jobs that were lost with their runner run again, through the whole controller. */
final class RerunIT {
  /** GitHub misses a runner that ended without a word, and its job fails. */
  private static final Duration MISSED = Duration.ofMinutes(11);

  @AutoClose private final ControllerWorld world = new ControllerWorld();

  private void create(String rerun) {
    world.startNode();
    world.start();
    world.create("linux", "minRunners: 0", "maxRunners: 10", "rerun: " + rerun);
    world.soon("a listener may connect").until(() -> world.listener("linux").isPresent());
  }

  /** A run of jobs that last that long; each has a runner. */
  private long run(int jobs, Duration lasts) {
    var run =
        world.control.runs().queue("my-org/app", List.of(JobRequest.of(jobs, "linux", lasts)));
    world.soon("all jobs run").until(() -> busy().size() == jobs);
    return run;
  }

  private List<EphemeralRunner> busy() {
    return world.runners().stream()
        .filter(r -> r.statusOrNone().isBusy() && !r.statusOrNone().isTerminal())
        .filter(r -> r.statusOrNone().job() != null)
        .toList();
  }

  private RunView seen(long run) {
    return world.control.runs().get(run);
  }

  private List<RerunView> reruns() {
    return world.control.runs().reruns();
  }

  /** After the settle window (LV3). */
  private void awaitLoss() {
    world
        .within(Duration.ofSeconds(90), "the loss is written down")
        .until(() -> lostJobs().size() == 1);
  }

  private Map<String, ?> lostJobs() {
    return world.set("linux").statusOrNone().lostJobs();
  }

  @Test
  void aLostJobRunsAgainWhenItsRunIsOverAndARestartNeitherLosesNorDoublesIt() {
    create("{lostJobs: true}");
    long run;
    try (var _ = new PlayedListener(world, "linux")) {
      run = run(2, Duration.ofSeconds(8));
      world.killPod(busy().getFirst());
      world.soon("the other job is done").until(() -> busy().isEmpty());
      awaitLoss();
    }
    world.stopController();
    world.startController();
    world.pass(MISSED);
    world.soon("the run runs again").until(() -> seen(run).attempts().size() == 2);
    assertThat(seen(run).attempts().getFirst().conclusion()).isEqualTo("failure");
    world.soon("an event").until(() -> !world.events("JobRerun").isEmpty());

    try (var _ = new PlayedListener(world, "linux")) {
      world
          .soon("the new attempt succeeds")
          .until(() -> "success".equals(seen(run).latest().conclusion()));
      world.within(Duration.ofMinutes(5), "nothing is left").until(() -> lostJobs().isEmpty());
    }
    assertThat(reruns()).hasSize(1);
    assertThat(reruns().getFirst().jobs()).hasSize(1);
    assertThat(world.metrics()).contains("runnerset_reruns_concluded_total");
  }

  @Test
  void aRunThatAPersonCancelsDoesNotRunAgain() {
    create("{lostJobs: true}");
    try (var _ = new PlayedListener(world, "linux")) {
      long run = run(1, Duration.ofHours(1));
      world.killPod(busy().getFirst());
      awaitLoss();
      assertThat(world.control.runs().cancel(run)).isTrue();
    }
    world.pass(MISSED);
    world
        .soon("the rerun is withheld")
        .until(() -> world.events("RerunWithheld").stream().anyMatch(m -> m.contains("cancelled")));
    world.soon("nothing is left to do").until(() -> lostJobs().isEmpty());
    assertThat(reruns()).isEmpty();
  }

  @Test
  void withoutTheFieldNothingIsWrittenDown() {
    create("{budget: 3}");
    long run;
    try (var _ = new PlayedListener(world, "linux")) {
      run = run(1, Duration.ofHours(1));
      world.killPod(busy().getFirst());
      world
          .within(Duration.ofSeconds(90), "the loss is reported")
          .until(() -> !world.events("JobLost").isEmpty());
    }
    world.pass(MISSED);
    world.soon("the run fails").until(() -> "failure".equals(seen(run).latest().conclusion()));
    assertThat(lostJobs()).isEmpty();
    assertThat(reruns()).isEmpty();
  }

  @Test
  void credentialsWithoutTheRightAreReportedBeforehandAndARunThatTheyDoNotSeeIsGivenUp() {
    world.control.runs().tokenScopes(Set.of("admin:org"));
    create("{lostJobs: true}");
    world // which is asked again after a minute if GitHub has said nothing yet
        .within(Duration.ofSeconds(90), "the missing right is reported")
        .until(() -> world.events("RerunFailed").stream().anyMatch(m -> m.contains("may not")));
    try (var _ = new PlayedListener(world, "linux")) {
      run(1, Duration.ofHours(1));
      world.killPod(busy().getFirst());
      world
          .within(Duration.ofSeconds(90), "no such run is seen")
          .until(() ->
              world.events("RerunWithheld").stream().anyMatch(m -> m.contains("no such run")));
      world.soon("nothing is left to do").until(() -> lostJobs().isEmpty());
    }
  }

  @Test
  void aRefusalIsReportedInTheWordsOfGitHubAndIsFinal() {
    create("{lostJobs: true}");
    long run;
    try (var _ = new PlayedListener(world, "linux")) {
      run = run(1, Duration.ofHours(1));
      world.control.runs().age(run, Duration.ofDays(31));
      world.killPod(busy().getFirst());
      awaitLoss();
    }
    world.pass(MISSED);
    world
        .soon("the refusal is reported")
        .until(() -> world.events("RerunFailed").stream().anyMatch(m -> m.contains("a month ago")));
    world.soon("nothing is left to do").until(() -> lostJobs().isEmpty());
    assertThat(seen(run).attempts()).hasSize(1);
  }

  @Test
  void whatIsDueIsNamedWhenTheSetGoes() {
    create("{lostJobs: true}");
    try (var _ = new PlayedListener(world, "linux")) {
      run(1, Duration.ofHours(1));
      world.killPod(busy().getFirst());
      awaitLoss();
      world.kube.resource(world.set("linux")).delete();
      world
          .soon("an event names the run")
          .until(() -> world.events("RerunWithheld").stream().anyMatch(m -> m.contains("deleted")));
    }
  }

  @Test
  void aRepositoryThatMovedIsFollowedAndOneThatWasDeletedIsGivenUp() {
    create("{lostJobs: true}");
    long run;
    try (var _ = new PlayedListener(world, "linux")) {
      run = run(1, Duration.ofHours(1));
      world.control.runs().moveRepository("my-org/app", "my-org/moved");
      world.killPod(busy().getFirst());
      awaitLoss();
    }
    world.pass(MISSED);
    world.soon("the run runs again").until(() -> seen(run).attempts().size() == 2);
    assertThat(reruns()).hasSize(1);

    world.control.runs().deleteRepository("my-org/moved");
    world.pass(Duration.ofMinutes(3));
    world
        .soon("the deletion is reported")
        .until(
            () -> world.events("RerunWithheld").stream().anyMatch(m -> m.contains("no such run")));
    world.soon("nothing is left to do").until(() -> lostJobs().isEmpty());
  }
}
