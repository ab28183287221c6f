package dev.runnerset.controller.autoscalingrunnerset.children;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.controller.autoscalingrunnerset.Sets;
import dev.runnerset.controller.autoscalingrunnerset.StoredSet;
import dev.runnerset.controller.autoscalingrunnerset.children.ChildWriter.ForeignChildException;
import dev.runnerset.controller.autoscalingrunnerset.planning.ChildNames;
import dev.runnerset.controller.autoscalingrunnerset.planning.ChildSpecs;
import dev.runnerset.controller.scaling.Limits;
import dev.runnerset.controller.scaling.RunnerPlaces;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.Labels;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The EphemeralRunnerSet and the listener object of a runner set: created once, then patched. */
class ChildWriterIT {
  private static final ScaleSetId ID = new ScaleSetId(7);

  private final StoredSet world = new StoredSet();
  private final ChildWriter writer = new ChildWriter(world.kube, "l-ns", "listener");

  @AfterEach
  void stop() {
    world.close();
  }

  private Limits limits() {
    return Limits.usual(world.set.getSpec());
  }

  private EphemeralRunnerSet made() {
    return writer.ephemeralRunnerSet(
        world.set, null, ChildSpecs.ephemeralRunnerSet(world.set, limits(), ID), world);
  }

  private AutoScalingListener listener(EphemeralRunnerSet ers) {
    return writer.listener(
        world.set,
        null,
        ChildSpecs.listener(world.set, ers, limits(), RunnerPlaces.NONE, ID),
        world);
  }

  @Test
  void anAbsentChildIsCreatedAndOwned() {
    var made = made();
    assertThat(world.created).containsExactly(made);
    assertThat(made.getMetadata().getOwnerReferences())
        .singleElement()
        .satisfies(owner -> assertThat(owner.getUid()).isEqualTo(world.set.getMetadata().getUid()));
    assertThat(made.getSpec().runnerScaleSetId()).isEqualTo(7);
  }

  @Test
  void anEqualSpecIsNotWritten() {
    var made = made();
    var spec = ChildSpecs.ephemeralRunnerSet(world.set, limits(), ID);
    assertThat(writer.ephemeralRunnerSet(world.set, made, spec, world)).isSameAs(made);
    assertThat(world.changed).isEmpty();
  }

  @Test
  void aDifferenceIsPatchedInPlace() {
    var made = made();
    var spec = ChildSpecs.ephemeralRunnerSet(world.set, limits(), new ScaleSetId(8));
    var changed = writer.ephemeralRunnerSet(world.set, made, spec, world);
    assertThat(changed.getSpec().runnerScaleSetId()).isEqualTo(8);
    assertThat(changed.getMetadata().getUid()).isEqualTo(made.getMetadata().getUid());
    assertThat(world.changed).containsExactly(changed);
  }

  /** The cache may be behind: what the server has under the name is used. */
  @Test
  void aChildThatTheCacheDoesNotHaveYetIsNotCreatedTwice() {
    var made = made();
    assertThat(made().getMetadata().getUid()).isEqualTo(made.getMetadata().getUid());
    var listener = listener(made);
    assertThat(listener(made).getMetadata().getUid()).isEqualTo(listener.getMetadata().getUid());
  }

  @Test
  void anObjectOfSomebodyElseIsNotTouched() {
    var foreign = new EphemeralRunnerSet();
    foreign.setMetadata(
        new ObjectMetaBuilder().withNamespace("default").withName(StoredSet.NAME).build());
    foreign.setSpec(ChildSpecs.ephemeralRunnerSet(world.set, limits(), ID));
    var _ = world.kube.create(foreign);
    assertThatThrownBy(this::made)
        .isInstanceOf(ForeignChildException.class)
        .hasMessageContaining("was not created for this set");
    assertThat(world.created).isEmpty();
  }

  /**
   * The name is a hash: a tenant may find a set whose listener object has the name of another's.
   */
  @Test
  void aListenerObjectOfAnotherSetIsNotTouched() {
    var ers = made();
    var foreign = stored(ChildNames.listener("default", StoredSet.NAME), "other", "uid-other");
    assertThatThrownBy(() -> listener(ers))
        .isInstanceOf(ForeignChildException.class)
        .hasMessageContaining("l-ns/" + foreign.getMetadata().getName())
        .hasMessageContaining("was not created for this set");
    assertThat(there(foreign)).isEqualTo(foreign);
  }

  @Test
  void aListenerObjectThatBecameAnothersSinceTheCacheSawItIsNotPatched() {
    var ers = made();
    var listener = listener(ers);
    var others = Sets.json("{'metadata': {'annotations': {'runnerset.dev/set-uid': 'u-2'}}}");
    var _ = world.kube.merge(AutoScalingListener.class, Resource.of(listener), others);
    var spec = ChildSpecs.listener(world.set, ers, limits(), RunnerPlaces.NONE, new ScaleSetId(8));
    assertThatThrownBy(() -> writer.listener(world.set, listener, spec, world))
        .isInstanceOf(ForeignChildException.class);
    assertThat(there(listener).getSpec()).isEqualTo(listener.getSpec());
  }

  /**
   * A patch names the version that it was computed from; the listener's status writes change it.
   */
  @Test
  void aStatusThatIsWrittenMeanwhileHoldsUpNoPatch() {
    var ers = made();
    var listener = listener(ers);
    var status = Sets.json("{'holder': 'l-1', 'epoch': 1}");
    var _ = world.kube.mergeStatus(AutoScalingListener.class, Resource.of(listener), status);
    var spec = ChildSpecs.listener(world.set, ers, limits(), RunnerPlaces.NONE, new ScaleSetId(8));
    var changed = writer.listener(world.set, listener, spec, world);
    assertThat(changed.getSpec().scaleSetId()).isEqualTo(8);
    assertThat(changed.statusOrNone().holder()).isEqualTo("l-1");
    writer.stopOffering(world.set, null, listener, world);
    assertThat(there(listener).getSpec().capacity()).isZero();
  }

  private AutoScalingListener stored(String name, String ofSet, @Nullable String uid) {
    var listener = new AutoScalingListener();
    listener.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace("l-ns")
            .withName(name)
            .withLabels(
                Map.of(
                    Labels.PART_OF,
                    Labels.PART_OF_VALUE,
                    Labels.COMPONENT,
                    Labels.COMPONENT_LISTENER,
                    Labels.SET,
                    ofSet,
                    Labels.SET_NAMESPACE,
                    "default"))
            .withAnnotations(uid == null ? null : Map.of(Labels.SET_UID, uid))
            .withFinalizers(Labels.SET_FINALIZER)
            .build());
    listener.setSpec(
        ChildSpecs.listener(world.set, made(), limits(), RunnerPlaces.NONE, new ScaleSetId(99)));
    return world.kube.create(listener);
  }

  private AutoScalingListener there(AutoScalingListener listener) {
    return Objects.requireNonNull(world.kube.get(AutoScalingListener.class, Resource.of(listener)));
  }

  @Test
  void stoppingWritesZerosOnceAndLeavesTheRest() {
    var ers = made();
    var listener = listener(ers);
    writer.stopOffering(world.set, ers, listener, world);
    assertThat(world.changed).hasSize(2);
    var stoppedSet = world.kube.get(EphemeralRunnerSet.class, Resource.of(ers));
    var stoppedListener = world.kube.get(AutoScalingListener.class, Resource.of(listener));
    assertThat(stoppedSet).isNotNull();
    assertThat(stoppedListener).isNotNull();
    assertThat(stoppedSet.getSpec().replicas()).isZero();
    assertThat(stoppedSet.getSpec().maxRunners()).isZero();
    assertThat(stoppedSet.getSpec().template()).isEqualTo(ers.getSpec().template());
    assertThat(stoppedListener.getSpec().capacity()).isZero();
    writer.stopOffering(world.set, stoppedSet, stoppedListener, world);
    assertThat(world.changed).hasSize(2);
  }

  @Test
  void aDeletedChildIsDeletedOnceAndNoLongerPatched() {
    var ers = made();
    var listener = listener(ers);
    writer.delete(listener);
    var terminating = world.kube.get(AutoScalingListener.class, Resource.of(listener));
    assertThat(terminating).isNotNull(); // it has a finalizer
    assertThat(terminating.isMarkedForDeletion()).isTrue();
    var spec = ChildSpecs.listener(world.set, ers, limits(), RunnerPlaces.NONE, new ScaleSetId(8));
    assertThat(writer.listener(world.set, terminating, spec, world)).isSameAs(terminating);
    assertThat(List.copyOf(world.changed)).isEmpty();
  }
}
