package dev.runnerset.controller.ephemeralrunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.connection.ServiceCalls;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerSituation;
import dev.runnerset.controller.ephemeralrunner.start.NewRunners;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.podspec.RunnerPod;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RunnerRemover;
import dev.runnerset.controller.removal.Situation;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a pass over a runner does beside what the planners decide. */
final class RunnerPassTest implements RunnerCaches, WriteCache, RunnerRemover {
  private final RecordedObjects objects = new RecordedObjects();
  private final List<Runnable> calls = new ArrayList<>();
  private final List<String> done = new ArrayList<>();
  private boolean hasJob = true;
  private final RunnerPass pass =
      new RunnerPass(
          new RunnerPassEnvironment(
              objects,
              (failed, failure) -> failure,
              new ServiceCalls(new Memories(), calls::add, woken -> done.add("woken")),
              (about, reason, message) -> {},
              Meter.series(),
              Clock.fixed(Situation.NOW, ZoneOffset.UTC),
              LossBook.NONE),
          key -> {
            throw new AssertionError("a runner with a job asks for nothing");
          },
          this,
          new SharedWithSets(
              new RunnerExits(new Memories(), runner -> {}),
              new NewRunners(),
              (namespace, name) -> Optional.of(RunnerSituation.ofOneRunner()),
              set -> {},
              new RunnerVerdicts(new Memories(), runner -> {}),
              new OpenGate(),
              new Memories()));

  private final EphemeralRunner runner = RunnerSituation.of("busy running").observed().runner();

  /** A runner with a job may be deleted at any time, and its pod must outlive the drain of then. */
  @Test
  void thePodOfARunnerThatIsBeingDeletedIsShieldedWhileItHasAJob() {
    runner.getMetadata().setDeletionTimestamp(Situation.NOW.toString());
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

  /** What is left of the pass is done when the service has answered, and nothing twice. */
  @Test
  void aPassThatAsksTheServiceStopsThereAndTheNextOneGoesOn() {
    deletedByForce();
    assertThat(pass.run(runner, this).isNever()).as("the answer wakes it").isTrue();
    assertThat(pass.run(runner, this).isNever()).as("an event meanwhile").isTrue();
    assertThat(calls).hasSize(1);
    assertThat(done).isEmpty();
    calls.removeFirst().run();
    assertThat(done).containsExactly("asked", "woken");
    var _ = pass.run(runner, this);
    assertThat(calls).isEmpty();
    assertThat(done).containsExactly("asked", "woken", "gone");
  }

  @Test
  void anAnswerToAFormerGenerationIsForgottenButNotThatTheRegistrationIsRemoved() {
    deletedByForce();
    var _ = pass.run(runner, this);
    calls.removeFirst().run();
    runner.getMetadata().setGeneration(2L);
    var _ = pass.run(runner, this);
    assertThat(calls).as("nothing is asked again").isEmpty();
    assertThat(done).containsExactly("asked", "woken", "gone");
  }

  private void deletedByForce() {
    hasJob = false;
    runner.getMetadata().setGeneration(1L);
    runner.getMetadata().setDeletionTimestamp(Situation.NOW.toString());
    runner.getMetadata().setAnnotations(Map.of(Labels.FORCE_DELETE, "true"));
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
    assertThat(hasJob).isFalse();
    done.add("gone");
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
    assertThat(hasJob).isFalse();
    done.add("asked");
    return new Outcome.Removed();
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
