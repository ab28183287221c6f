package dev.runnerset.controller.ephemeralrunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.ephemeralrunner.lifecycle.Scene;
import dev.runnerset.controller.ephemeralrunner.start.NewRunners;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.podspec.RunnerPod;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RunnerRemover;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a pass over a runner does beside what the planners decide. */
final class RunnerPassTest implements RunnerCaches, WriteCache, RunnerRemover {
  private final RecordedObjects objects = new RecordedObjects();
  private final RunnerPass pass =
      new RunnerPass(
          new RunnerPass.Environment(
              objects,
              (failed, failure) -> failure,
              (about, reason, message) -> {},
              Meter.series(),
              Clock.fixed(Scene.NOW, ZoneOffset.UTC)),
          key -> {
            throw new AssertionError("a runner with a job asks for nothing");
          },
          this,
          new RunnerPass.SharedWithSets(
              new RunnerExits(new Memories(), runner -> {}),
              new NewRunners(),
              (namespace, name) -> Optional.of(Scene.set("r1", 3, "set-uid")),
              set -> {},
              new RunnerVerdicts(new Memories(), runner -> {}),
              new OpenGate(),
              new Memories()));

  private final EphemeralRunner runner = new Scene().busy().running().observed().runner();

  /** A runner with a job may be deleted at any time, and its pod must outlive the drain of then. */
  @Test
  void thePodOfARunnerThatIsBeingDeletedIsShieldedWhileItHasAJob() {
    runner.getMetadata().setDeletionTimestamp(Scene.NOW.toString());
    var again = pass.run(runner, this);
    assertThat(again.toOptional()).as("it waits for its job").isPresent();
    assertThat(objects.requests)
        .anySatisfy(request -> assertThat(request).startsWith("shield").contains("busy=true"));
  }

  @Test
  void aLabelOfTheSetThatCannotBePutBackStopsNoOtherStep() {
    runner.getMetadata().setLabels(Map.of());
    runner
        .getMetadata()
        .setOwnerReferences(
            List.of(
                new OwnerReferenceBuilder()
                    .withApiVersion("runnerset.dev/v1alpha1")
                    .withKind("EphemeralRunnerSet")
                    .withName("ci")
                    .withUid("set-uid")
                    .withController(true)
                    .build()));
    objects.refusal = new KubernetesClientException("forbidden", 403, null);
    assertThatThrownBy(() -> pass.run(runner, this)).isSameAs(objects.refusal);
    assertThat(objects.requests)
        .startsWith("set ci")
        .anySatisfy(request -> assertThat(request).startsWith("status"));
  }

  /** The pod of the runner, which has no shield. */
  @Override
  public Optional<Pod> podNamed(EphemeralRunner of) {
    var bare =
        new PodBuilder()
            .withNewMetadata()
            .withName(of.getMetadata().getName())
            .withNamespace(of.getMetadata().getNamespace())
            .withLabels(Map.of(Labels.SET, "ci"))
            .withOwnerReferences(
                new OwnerReferenceBuilder()
                    .withKind("EphemeralRunner")
                    .withName(of.getMetadata().getName())
                    .withUid(of.getMetadata().getUid())
                    .withController(true)
                    .build())
            .endMetadata()
            .withNewSpec()
            .addNewContainer()
            .withName(RunnerPod.CONTAINER)
            .endContainer()
            .endSpec()
            .build();
    return Optional.of(Pods.running(bare));
  }

  @Override
  public void removeFinalizer(EphemeralRunner of) {
    throw new AssertionError("it has a job");
  }

  @Override
  public WriteCache writes() {
    return this;
  }

  @Override
  public void created(HasMetadata made) {
    // every pass sees the same pod
  }

  @Override
  public void changed(HasMetadata before, HasMetadata after) {
    // every pass sees the same runner
  }

  @Override
  public Outcome removeRegistration(EphemeralRunner of, RemovalReason reason) {
    throw new AssertionError("it has a job");
  }

  @Override
  public Outcome removeAll(EphemeralRunner of, RemovalReason reason) {
    throw new AssertionError("it has a job");
  }

  @Override
  public Optional<Outcome> removeLeftOver(EphemeralRunner leftOver) {
    throw new AssertionError("it has a job");
  }

  @Override
  public boolean isRemoved(String uid, long runnerId) {
    return false;
  }
}
