package dev.runnerset.controller.autoscalingrunnerset.children;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.controller.autoscalingrunnerset.StoredSet;
import dev.runnerset.controller.autoscalingrunnerset.children.ChildWriter.ForeignChildException;
import dev.runnerset.controller.autoscalingrunnerset.planning.ChildSpecs;
import dev.runnerset.controller.schedule.Limits;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The EphemeralRunnerSet and the listener object of a runner set: created once, then patched. */
class ChildWriterIT {
  private static final ScaleSetId ID = new ScaleSetId(7);

  private final StoredSet world = new StoredSet();
  private final ChildWriter writer = new ChildWriter(world.kube, "l-ns");

  @AfterEach
  void stop() {
    world.close();
  }

  private Limits limits() {
    return Limits.withoutSchedule(world.set.getSpec());
  }

  private EphemeralRunnerSet made() {
    return writer.ephemeralRunnerSet(
        world.set, null, ChildSpecs.ephemeralRunnerSet(world.set, null, limits(), ID), world);
  }

  private AutoScalingListener listener(EphemeralRunnerSet ers) {
    return writer.listener(
        world.set, null, ChildSpecs.listener(world.set, ers, limits(), ID), world);
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
    var spec = ChildSpecs.ephemeralRunnerSet(world.set, made, limits(), ID);
    assertThat(writer.ephemeralRunnerSet(world.set, made, spec, world)).isSameAs(made);
    assertThat(world.changed).isEmpty();
  }

  @Test
  void aDifferenceIsPatchedInPlace() {
    var made = made();
    var spec = ChildSpecs.ephemeralRunnerSet(world.set, made, limits(), new ScaleSetId(8));
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
    foreign.setSpec(ChildSpecs.ephemeralRunnerSet(world.set, null, limits(), ID));
    var _ = world.kube.create(foreign);
    assertThatThrownBy(this::made)
        .isInstanceOf(ForeignChildException.class)
        .hasMessageContaining("was not made for this set");
    assertThat(world.created).isEmpty();
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
    assertThat(ChildWriter.isTerminating(terminating)).isTrue();
    var spec = ChildSpecs.listener(world.set, ers, limits(), new ScaleSetId(8));
    assertThat(writer.listener(world.set, terminating, spec, world)).isSameAs(terminating);
    assertThat(List.copyOf(world.changed)).isEmpty();
  }
}
