package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.controller.autoscalingrunnerset.Sets;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Objects of a set that lost their owner reference, or their set (DL9). */
final class LostOwnersIT {
  private static final JsonNode NO_OWNERS = Sets.json("{'metadata': {'ownerReferences': null}}");
  private static final JsonNode NO_FINALIZERS = Sets.json("{'metadata': {'finalizers': null}}");

  @AutoClose private final ControllerWorld world = ControllerWorld.started();

  @Test
  void anOwnerReferenceThatSomebodyTookOffIsPutBack() {
    world.create("linux", "minRunners: 1");
    await().until(() -> world.runners().size() == 1);
    var runner = world.runners().getFirst();
    var ers = world.runnerSet("linux");
    merge(runner, NO_OWNERS);
    merge(ers, NO_OWNERS);
    await()
        .untilAsserted(() -> {
          var there = world.runnerSet("linux");
          assertThat(there.getMetadata().getUid()).isEqualTo(ers.getMetadata().getUid());
          assertThat(there.getMetadata().getOwnerReferences())
              .isEqualTo(ers.getMetadata().getOwnerReferences());
          assertThat(world.runners())
              .singleElement()
              .satisfies(r -> {
                assertThat(r.getMetadata().getUid()).isEqualTo(runner.getMetadata().getUid());
                assertThat(r.getMetadata().getOwnerReferences())
                    .singleElement()
                    .returns(ers.getMetadata().getUid(), OwnerReference::getUid)
                    .returns(true, OwnerReference::getController);
              });
        });
    world.listenerConnects("linux");
    world.awaitCondition("linux", "Ready", "True", "Ready");
  }

  /** The garbage collector takes the owner reference off before we can do anything. */
  @Test
  void aSetThatIsDeletedWithCascadeOrphanLeavesNothing() {
    world.create("linux", "minRunners: 1");
    await().until(() -> world.listener("linux").isPresent() && world.runners().size() == 1);
    var set = world.set("linux");
    var children = List.of(world.runners().getFirst(), world.runnerSet("linux"));
    merge(
        set,
        Sets.json("{'metadata': {'finalizers': ['runnerset.dev/set', 'example.com/orphan']}}"));
    world.kube.resource(set).delete();
    children.forEach(child -> mergeIfThere(child, NO_OWNERS)); // the controller takes them away
    await()
        .until(() ->
            !world.hasRunnerSet("linux")
                && world.listener("linux").isEmpty()
                && world.runners().isEmpty());
    await().until(() -> world.set("linux").getMetadata().getFinalizers().size() == 1);
    merge(set, NO_FINALIZERS);
    assertThat(world.control.scaleSets()).isEmpty();
  }

  /** Its session would stay open, and take jobs. */
  @Test
  void aListenerObjectWhoseSetIsGoneGoesAndWithItWhatElseTheSetLeft() {
    world.create("linux");
    world.listenerConnects("linux");
    world.awaitCondition("linux", "Ready", "True", "Ready");
    assertThat(permissionsAndBudget()).isEqualTo(3);
    world.stopController();
    var set = world.set("linux");
    merge(set, NO_FINALIZERS);
    world.kube.resource(set).delete();
    assertThat(world.listener("linux")).isPresent();

    world.startController();
    await()
        .until(() ->
            world.listener("linux").orElseThrow().getMetadata().getDeletionTimestamp() != null);
    assertThat(permissionsAndBudget()).as("the listener needs its role").isEqualTo(3);
    var listener = world.listener("linux").orElseThrow();
    await().until(() -> leftReported(listener).contains("its scale set 'linux' (1)")); // A10
    world.listenerLeaves("linux");
    await().until(() -> world.listener("linux").isEmpty());
    assertThat(permissionsAndBudget()).isZero();
  }

  /** What the events of the listener object say of the scale set that is left. */
  private String leftReported(AutoScalingListener listener) {
    return world
        .kube
        .v1()
        .events()
        .inNamespace(listener.getMetadata().getNamespace())
        .list()
        .getItems()
        .stream()
        .filter(event -> event.getReason().equals("ScaleSetLeft"))
        .filter(event -> listener.getMetadata().getUid().equals(event.getInvolvedObject().getUid()))
        .map(event -> event.getMessage())
        .findFirst()
        .orElse("");
  }

  /** A set that was made again under the name has nothing to do with it. */
  @Test
  void theListenerObjectOfAFormerSetGivesWayToThatOfTheNext() {
    world.create("linux");
    world.listenerConnects("linux");
    world.stopController();
    var set = world.set("linux");
    merge(set, NO_FINALIZERS);
    world.kube.resource(set).delete();
    var former = world.listener("linux").orElseThrow().getMetadata().getUid();
    world.create("linux", "runnerScaleSetName: another");

    world.startController();
    await()
        .until(() ->
            world.listener("linux").orElseThrow().getMetadata().getDeletionTimestamp() != null);
    world.listenerLeaves("linux");
    await()
        .until(() ->
            world
                .listener("linux")
                .filter(asl -> !asl.getMetadata().getUid().equals(former))
                .isPresent());
    assertThat(permissionsAndBudget()).isEqualTo(3);
  }

  private int permissionsAndBudget() {
    var rbac = world.kube.rbac();
    return rbac.roles().inNamespace("default").list().getItems().size()
        + rbac.roleBindings().inNamespace("default").list().getItems().size()
        + world
            .kube
            .policy()
            .v1()
            .podDisruptionBudget()
            .inNamespace("default")
            .list()
            .getItems()
            .size();
  }

  private void merge(HasMetadata object, JsonNode body) {
    var _ = new KubeApi(world.kube).merge(object.getClass(), Resource.of(object), body);
  }

  private void mergeIfThere(HasMetadata object, JsonNode body) {
    var _ = new KubeApi(world.kube).mergeIfThere(object.getClass(), Resource.of(object), body);
  }
}
