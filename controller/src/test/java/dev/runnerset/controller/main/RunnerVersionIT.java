package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.RunnerVersionStatus;
import dev.runnerset.crds.RunnerVersionStatus.From;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** RN21: the set reports the version of its runners, and GitHub's date for it. */
final class RunnerVersionIT {
  private static final String TEMPLATE =
      "template: {spec: {containers: [{name: runner, image: 'ghcr.io/actions/actions-runner:%s'}]}}";

  private final AlertRules rules = new AlertRules();
  @AutoClose private final ControllerWorld world = new ControllerWorld();

  private void create(int minRunners, String version) {
    world.create("linux", "minRunners: 0");
    world.spec("linux", TEMPLATE.formatted(version));
    world.spec("linux", "minRunners: " + minRunners);
  }

  private void awaitAlert(String alert) {
    world.soon(alert).until(() -> rules.fires(alert, world.metrics()));
  }

  private RunnerVersionStatus awaitVersion(String version) {
    world
        .soon("version " + version)
        .until(() -> {
          var known = world.set("linux").statusOrNone().runnerVersion();
          return known != null && version.equals(known.version());
        });
    return Objects.requireNonNull(world.set("linux").statusOrNone().runnerVersion());
  }

  @Test
  void aDateThatIsNearAndOneThatPassedAreReportedUntilTheImageIsNewer() {
    world.start();
    world.startNode();
    world.service.control().runnerVersion("2.336.0", world.now().plus(Duration.ofDays(10)), null);
    world.service.control().runnerVersion("2.335.1", world.now().minus(Duration.ofDays(1)), null);
    create(2, "2.336.0");
    try (var _ = new PlayedListener(world, "linux")) {
      var near = awaitVersion("2.336.0");
      assertThat(near.from()).isEqualTo(From.RUNNER);
      assertThat(near.imageID()).isEqualTo("simulated://ghcr.io/actions/actions-runner:2.336.0");
      world.awaitCondition("linux", "RunnerVersionExpiring", "True", "DateNear");
      world.awaitCondition("linux", "Ready", "True", "Ready");
      awaitAlert("RunnersetRunnerVersionExpiring");

      world.spec("linux", TEMPLATE.formatted("2.335.1"));
      awaitVersion("2.335.1");
      world.awaitCondition("linux", "RunnerVersionExpired", "True", "DatePassed");
      world.awaitNoCondition("linux", "RunnerVersionExpiring");
      world.awaitCondition("linux", "Ready", "True", "Ready");
      awaitAlert("RunnersetRunnerVersionExpired");

      world.spec("linux", TEMPLATE.formatted("2.338.1"));
      awaitVersion("2.338.1");
      world.awaitNoCondition("linux", "RunnerVersionExpired");
      assertThat(world.service.control().counters())
          .as("one call for each version")
          .containsEntry("versionDates", 3L);
    }
  }

  @Test
  void anOwnBuildHasNoDateAndARestartReadsNothingAgain() {
    world.start();
    world.startNode();
    create(1, "9.9.9");
    try (var _ = new PlayedListener(world, "linux")) {
      assertThat(awaitVersion("9.9.9").servedUntil()).isNull();
      assertThat(world.condition("linux", "RunnerVersionExpired")).isEmpty();
      var before = world.service.control().counters();

      world.stopController();
      world.startController();
      world.spec("linux", "maxRunners: 7");
      world.soon("a pass").until(() -> Integer.valueOf(7).equals(capacity()));

      assertThat(world.service.control().counters().get("versionDates"))
          .isEqualTo(before.get("versionDates"));
    }
  }

  private @Nullable Integer capacity() {
    var capacity = world.set("linux").statusOrNone().capacity();
    return capacity == null ? null : capacity.advertised();
  }
}
