package dev.runnerset.controller.main;

import static org.awaitility.Awaitility.await;

import dev.runnerset.crds.Labels;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A step of a pass that fails stops no other one, and is told. */
class FailingStepIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  private final ControllerWorld world = ControllerWorld.started();

  @AfterEach
  void stop() {
    world.close();
  }

  @Test
  void aRoleWithoutRulesIsRepaired() {
    world.create("linux");
    await("the listener").atMost(SOON).until(() -> world.listener("linux").isPresent());
    patchRole("{\"rules\": null}");
    await("the rules")
        .atMost(SOON)
        .until(() -> {
          var role = role().get();
          return role.getRules() != null && !role.getRules().isEmpty();
        });
  }

  @Test
  void aRoleOfSomebodyElseIsToldAndDoesNotStopTheListenersCapacity() {
    world.create("linux");
    await("the listener").atMost(SOON).until(() -> world.listener("linux").isPresent());
    patchRole("{\"metadata\": {\"annotations\": {\"" + Labels.SET_UID + "\": \"another\"}}}");
    world.spec("linux", "maxRunners: 3");
    await("the capacity")
        .atMost(SOON)
        .until(() -> world.listener("linux").orElseThrow().getSpec().capacity() == 3);
    await("the words")
        .atMost(SOON)
        .until(() ->
            world
                .condition("linux", "Ready")
                .filter(ready -> ready.getReason().equals("ChildForeign"))
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
