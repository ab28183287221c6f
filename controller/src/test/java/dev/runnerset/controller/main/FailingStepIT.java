package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.Labels;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A step of a pass that fails stops no other one, and what fails is reported until it is over. */
class FailingStepIT {

  @AutoClose private final ControllerWorld world = ControllerWorld.started();

  @Test
  void aRoleWithoutRulesIsRepaired() {
    world.create("linux");
    world.soon("the listener").until(() -> world.listener("linux").isPresent());
    patchRole("{\"rules\": null}");
    world
        .soon("the rules")
        .until(() -> {
          var role = role().get();
          return role.getRules() != null && !role.getRules().isEmpty();
        });
  }

  @Test
  void aRoleOfSomebodyElseIsReportedAndDoesNotStopTheListenersCapacity() {
    world.create("linux");
    world.soon("the listener").until(() -> world.listener("linux").isPresent());
    patchRole("{\"metadata\": {\"annotations\": {\"" + Labels.SET_UID + "\": \"another\"}}}");
    world.spec("linux", "maxRunners: 3");
    world
        .soon("the capacity")
        .until(() -> world.listener("linux").orElseThrow().getSpec().capacity() == 3);
    world
        .soon("the words")
        .until(() ->
            world
                .condition("linux", "Ready")
                .filter(ready -> ready.getReason().equals("ChildForeign"))
                .isPresent());
  }

  @Test
  void aPassThatFailsOutsideItsStepsIsReportedAndHeals() {
    readyWithSchedule();
    world.schedulesFail = true;
    world.spec("linux", "maxRunners: 3");
    awaitReady("InternalError");
    assertThat(world.condition("linux", "Ready").orElseThrow().getMessage())
        .contains("ofSchedules", "log")
        .doesNotContain(ControllerWorld.TOKEN, "IllegalStateException");
    world.schedulesFail = false;
    awaitReady("Ready");
  }

  @Test
  void failingPassesOverTheRunnersOfASetAreReportedOnItAndHeal() {
    world.namesFail = true;
    world.create("linux", "minRunners: 1");
    world.listenerConnects("linux");
    awaitReady("PassFailed");
    var stalled = world.condition("linux", "PassesFailing").orElseThrow();
    assertThat(stalled.getMessage())
        .contains("log")
        .doesNotContain(ControllerWorld.TOKEN, "IllegalStateException");
    assertThat(world.runnerSet("linux").statusOrNone().conditions())
        .anyMatch(c -> c.getType().equals("PassesFailing"));
    world.namesFail = false;
    awaitReady("Ready");
    assertThat(world.condition("linux", "PassesFailing")).isEmpty();
  }

  /** Neither fails a pass nor does it end, so that only who watches over passes can tell it. */
  @Test
  void aSetOfWhichNoPassEndsIsNotReadyUntilOneEnds() {
    readyWithSchedule();
    world.passes.lock();
    try {
      world.spec("linux", "maxRunners: 3");
      world.passInRounds(Duration.ofMinutes(5));
      awaitReady("PassOverdue");
    } finally {
      world.passes.unlock();
    }
    awaitReady("Ready");
  }

  @Test
  void aSetWhoseListenerObjectIsRemovedAndNotMadeAgainIsNotReadyUntilItIs() {
    readyWithSchedule();
    var listener = world.listener("linux").orElseThrow();
    world.passes.lock();
    try {
      world.kube.resource(listener).delete();
      world.soon("its end").until(() -> world.listener("linux").isEmpty());
      world.passInRounds(Duration.ofMinutes(1));
      awaitReady("NoListener");
    } finally {
      world.passes.unlock();
    }
    world.soon("another").until(() -> world.listener("linux").isPresent());
    world.listenerConnects("linux");
    awaitReady("Ready");
  }

  private void readyWithSchedule() {
    world.create(
        "linux",
        "schedule: [{name: day, start: '0 8 * * 1-5', duration: 1h, timeZone: UTC, maxRunners: 4}]");
    world.listenerConnects("linux");
    awaitReady("Ready");
  }

  private void awaitReady(String reason) {
    world
        .soon("Ready for " + reason)
        .until(() ->
            world
                .condition("linux", "Ready")
                .filter(ready -> ready.getReason().equals(reason))
                .isPresent());
  }

  private io.fabric8.kubernetes.client.dsl.Resource<io.fabric8.kubernetes.api.model.rbac.Role>
      role() {
    return world.kube.rbac().roles().inNamespace("default").withName("linux-listener");
  }

  private void patchRole(String patch) {
    role().patch(PatchContext.of(PatchType.JSON_MERGE), patch);
  }
}
