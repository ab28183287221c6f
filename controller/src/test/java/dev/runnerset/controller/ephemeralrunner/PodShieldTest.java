package dev.runnerset.controller.ephemeralrunner;

import static dev.runnerset.controller.ephemeralrunner.RunnerFixture.fake;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.ephemeralrunner.lifecycle.ObservedRunner;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerSituation;
import dev.runnerset.controller.ephemeralrunner.start.RunnerObjects;
import dev.runnerset.controller.removal.Situation;
import dev.runnerset.crds.EphemeralRunner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How fast the shield is written onto the pods of many runners (SH1). */
final class PodShieldTest {
  private final List<String> written = new ArrayList<>();

  private final RunnerFixture fixture =
      new RunnerFixture(
          fake(
              RunnerObjects.class,
              (method, arguments) -> {
                assertThat(method).isEqualTo("shield");
                written.add(((EphemeralRunner) arguments[0]).getMetadata().getUid());
                return Optional.empty();
              }));
  private final PodShield shield = new PodShield(fixture.environment, fixture.all);

  /** The pod of an idle runner that lost its shield and is to get it back. */
  private static ObservedRunner open(String uid) {
    return named(uid, RunnerSituation.of("open=false running"));
  }

  private static ObservedRunner named(String uid, RunnerSituation situation) {
    var observed = situation.observed();
    observed.runner().getMetadata().setUid(uid);
    return observed;
  }

  private static ObservedRunner later(ObservedRunner observed, Duration time) {
    return new ObservedRunner(
        observed.runner(),
        observed.pod(),
        observed.set(),
        observed.memory(),
        observed.knownExit(),
        observed.removed(),
        observed.now().plus(time));
  }

  private @Nullable Duration waits(ObservedRunner observed) {
    return shield
        .write(observed, fixture)
        .toOptional()
        .map(at -> Duration.between(Situation.NOW, at))
        .orElse(null);
  }

  @Test
  void thereAreAtMostTwentyPatchesASecondEachRunnerInItsTurn() {
    assertThat(waits(open("a"))).isNull();
    assertThat(waits(open("b"))).isEqualTo(Duration.ofMillis(50));
    assertThat(waits(open("c"))).isEqualTo(Duration.ofMillis(100));
    assertThat(waits(open("b"))).as("the same turn").isEqualTo(Duration.ofMillis(50));
    assertThat(written).containsExactly("a");
    assertThat(waits(later(open("b"), Duration.ofMillis(50)))).isNull();
    assertThat(waits(later(open("c"), Duration.ofMillis(100)))).isNull();
    assertThat(written).containsExactly("a", "b", "c");
    assertThat(waits(later(open("d"), Duration.ofSeconds(5)))).isNull();
  }

  @Test
  void aJobAtStakeDoesNotWait() {
    assertThat(waits(open("a"))).isNull();
    assertThat(waits(named("b", RunnerSituation.of("busy running")))).isNull();
    assertThat(written).containsExactly("a", "b");
  }

  @Test
  void aRunnerThatNeedsNothingAnyMoreGivesUpItsTurn() {
    assertThat(waits(open("a"))).isNull();
    assertThat(waits(open("b"))).isEqualTo(Duration.ofMillis(50));
    var shielded = RunnerSituation.of("marks=BUSY/true open=false running");
    assertThat(waits(named("b", shielded))).isNull();
    assertThat(waits(open("b"))).as("a new turn").isEqualTo(Duration.ofMillis(100));
    assertThat(written).containsExactly("a");
  }
}
