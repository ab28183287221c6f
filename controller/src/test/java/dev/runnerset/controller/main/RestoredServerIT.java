package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.runnerset.simulator.service.FaultPlan;
import dev.runnerset.simulator.service.HttpFault;
import dev.runnerset.simulator.service.RunnerView;
import dev.runnerset.simulator.service.ScaleSetView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The server is restored, or another one stands behind the URL, and gives the id of our scale set
 * to somebody else: that is never touched (NM5, I5, DL3).
 */
class RestoredServerIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  /** Nobody plays the listener, whose object goes after 30 s then (DL2). */
  private static final Duration GOES = Duration.ofSeconds(100);

  private static final List<String> TOUCHES =
      List.of("updateScaleSet", "deleteScaleSet", "createSession", "removeRunner");

  @AutoClose private final ControllerWorld world = ControllerWorld.started();
  private int former;
  private Map<String, Long> before = Map.of();

  private void working() {
    world.startNode();
    world.create("linux", "minRunners: 2");
    world.listenerConnects("linux");
    world.demand("linux", 0, 1);
    await().until(() -> world.runners().size() == 2);
    await()
        .until(() ->
            world.control.runners().stream().filter(r -> r.state().equals("IDLE")).count() == 2);
    former = scaleSet();
  }

  private int scaleSet() {
    return world.runnerSet("linux").getSpec().runnerScaleSetId();
  }

  /** The ids of our scale set and of our runners are those of somebody else now. */
  private void restored(String name) {
    var begun = Instant.now();
    await().until(() -> Instant.now().isAfter(begun.plusSeconds(2))); // another time of making
    world.control.restore();
    assertThat(world.control.createForeignScaleSet("my-org", name)).isEqualTo(former);
    for (int i = 0; i < 9; i++) {
      world.control.registerForeign(former, "their-runner-" + i);
    }
    before = world.control.counters();
  }

  private void theirsIsUntouched(String name) {
    assertThat(world.control.scaleSets())
        .filteredOn(set -> set.id() == former)
        .singleElement()
        .satisfies(set -> {
          assertThat(set.name()).isEqualTo(name);
          assertThat(set.sessionId()).isNull();
        });
    assertThat(world.control.runners())
        .filteredOn(runner -> runner.scaleSetId() == former)
        .extracting(RunnerView::name)
        .hasSize(9)
        .allMatch(runner -> runner.startsWith("their-runner-"));
    assertThat(world.control.violations()).isEmpty();
  }

  private long calls(String endpoint) {
    return world.control.counters().getOrDefault(endpoint, 0L) - before.getOrDefault(endpoint, 0L);
  }

  @ParameterizedTest(name = "the service tells when it made them: {0}")
  @ValueSource(booleans = {true, false})
  void aSetWhoseIdIsAnothersMakesItsScaleSetAnewAndTouchesNothing(boolean createdOn) {
    world.control.faults(FaultPlan.NONE.withNoCreatedOn(!createdOn));
    working();
    restored("arc-prod");
    world.listenerFails("linux");
    world.within(SOON, "a scale set of its own").until(() -> scaleSet() != former);
    world.listenerConnects("linux");
    world.demand("linux", 0, 1);
    world
        .within(Duration.ofSeconds(60), "its runners")
        .untilAsserted(() ->
            assertThat(world.control.runners())
                .filteredOn(runner -> runner.scaleSetId() != former)
                .hasSize(2));
    theirsIsUntouched("arc-prod");
    assertThat(calls("updateScaleSet")).isZero();
    assertThat(calls("deleteScaleSet")).isZero();
    assertThat(calls("createSession")).isZero();
    assertThat(world.control.counters().getOrDefault("removeRunner.removed", 0L))
        .as("of theirs or ours")
        .isEqualTo(before.getOrDefault("removeRunner.removed", 0L));

    world.kube.resource(world.set("linux")).delete();
    world.demand("linux", 0, 2);
    world.within(GOES, "it goes").until(() -> !world.hasSet("linux"));
    theirsIsUntouched("arc-prod");
    assertThat(world.control.scaleSets())
        .extracting(ScaleSetView::name)
        .containsExactly("arc-prod");
  }

  @Test
  void aSetWhoseIdAndNameAreAnothersAsksAndTouchesNothing() {
    working();
    restored("linux");
    world.listenerFails("linux");
    world.awaitCondition("linux", "Registered", "False", "AdoptionRequired");
    assertThat(world.condition("linux", "Registered").orElseThrow().getMessage())
        .contains("id " + former);
    world
        .within(Duration.ofSeconds(60), "its idle runners go")
        .until(() -> world.runners().isEmpty());
    theirsIsUntouched("linux");
    assertThat(TOUCHES).allSatisfy(call -> assertThat(calls(call)).as(call).isZero());
    assertThat(calls("generatejitconfig")).isZero();

    world.kube.resource(world.set("linux")).delete();
    world.within(GOES, "it goes").until(() -> !world.hasSet("linux"));
    theirsIsUntouched("linux");
    assertThat(TOUCHES).allSatisfy(call -> assertThat(calls(call)).as(call).isZero());
  }

  /** The server came back older, without our scale set; the set makes it again. */
  @Test
  void aDeletionAfterARestoreTouchesNothing() {
    working();
    world.kube.resource(world.set("linux")).delete();
    restored("arc-prod");
    world.listenerFails("linux");
    world.within(GOES, "it goes").until(() -> !world.hasSet("linux"));
    theirsIsUntouched("arc-prod");
  }

  /** NM6: the id may be somebody else's by then. */
  @Test
  void noRunnerIsRegisteredAfterALostSessionUntilTheScaleSetIsKnownAgain() {
    working();
    world.faults(HttpFault.answer("getScaleSet", 503, -1));
    world.listenerFails("linux");
    world.awaitCondition("linux", "Registered", "False", "ServiceUnavailable");
    before = world.control.counters();
    world.demand("linux", 2, 2);
    world.within(SOON, "two more runners").until(() -> world.runners().size() == 4);
    var begun = Instant.now();
    await().until(() -> Instant.now().isAfter(begun.plusSeconds(3))); // they would ask by then
    assertThat(calls("generatejitconfig")).isZero();

    world.faults();
    world
        .within(Duration.ofSeconds(60), "they are registered")
        .until(() -> world.control.runners().size() == 4);
  }
}
