package dev.runnerset.controller.ephemeralrunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.ephemeralrunner.lifecycle.Scene;
import dev.runnerset.controller.ephemeralrunner.start.NewRunners;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.metrics.Meters;
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
              new Meters(),
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

  /** As the cache shows both by now. */
  private EphemeralRunner latest = runner;

  private Pod pod = Pods.running(bare(Map.of(Labels.SET, "ci")));

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

  private Pod bare(Map<String, String> labels) {
    return new PodBuilder()
        .withNewMetadata()
        .withName(runner.getMetadata().getName())
        .withNamespace(runner.getMetadata().getNamespace())
        .withLabels(labels)
        .withOwnerReferences(
            new OwnerReferenceBuilder()
                .withKind("EphemeralRunner")
                .withName(runner.getMetadata().getName())
                .withUid(runner.getMetadata().getUid())
                .withController(true)
                .build())
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withName(RunnerPod.CONTAINER)
        .endContainer()
        .endSpec()
        .build();
  }

  private Pod shielded() {
    return bare(Map.of(Labels.SET, "ci", Labels.PROTECTION, "Busy", Labels.BUSY, "true"));
  }

  private boolean isNews(Scene event) {
    return pass.isNews(event.observed().runner(), Optional.of(pod));
  }

  private static Scene busy() {
    return new Scene().busy();
  }

  @Test
  void anEventIsNewsIfItLeavesSomethingToDo() {
    pod = Pods.running(shielded());
    assertThat(isNews(busy())).as("before the first pass").isTrue();
    assertThat(pass.run(runner, this).toOptional()).isEmpty();
    assertThat(objects.requests).containsExactly("status RUNNING");

    assertThat(isNews(busy())).as("the echo of the status").isFalse();
    assertThat(isNews(new Scene().completed())).as("its job is over").isFalse();
    assertThat(isNews(busy().deleted())).isTrue();
    assertThat(isNews(busy().standalone("runner"))).as("it has a finalizer").isFalse();
    var unheld = busy().observed().runner();
    unheld.getMetadata().setFinalizers(List.of());
    assertThat(pass.isNews(unheld, Optional.of(pod))).as("the finalizer was taken off").isTrue();
    pod = Pods.running(bare(Map.of(Labels.SET, "ci")));
    assertThat(isNews(busy())).as("the shield was taken off").isTrue();
    pod = Pods.exited(shielded(), 0);
    assertThat(isNews(new Scene().completed())).as("its end is not noted").isTrue();

    latest = new Scene().completed().observed().runner();
    assertThat(pass.run(latest, this).toOptional()).as("its set deletes it").isEmpty();
    assertThat(isNews(new Scene().completed())).as("its end is noted").isFalse();
    assertThat(isNews(busy())).as("the settle window ends, and no pass is due").isTrue();
    assertThat(isNews(new Scene().completed().deleted())).isTrue();
  }

  @Test
  void anEventDuringAPassMakesAnotherOneOnlyIfThatHasSomethingToDo() {
    pod = Pods.running(shielded());
    objects.meanwhile = () -> assertThat(isNews(busy())).as("the pass sees to it").isFalse();
    assertThat(pass.run(runner, this).toOptional()).as("an echo").isEmpty();

    objects.meanwhile =
        () -> {
          latest = new Scene().completed().deleted().observed().runner();
          assertThat(isNews(new Scene().completed().deleted())).isFalse();
        };
    var wiped = busy().version("99").observed().runner();
    assertThat(pass.run(wiped, this).toOptional()).as("deleted meanwhile").contains(Scene.NOW);
    assertThat(objects.requests).containsExactly("status RUNNING", "status RUNNING");
  }

  @Test
  void afterAPassThatFailedEachEventIsNewsUntilOneEnds() {
    pod = Pods.running(shielded());
    objects.meanwhile =
        () -> {
          throw new KubernetesClientException("no answer");
        };
    assertThatThrownBy(() -> pass.run(runner, this)).hasMessage("no answer");
    assertThat(isNews(busy())).isTrue();
    objects.meanwhile = () -> assertThat(isNews(busy())).as("while it is tried again").isTrue();
    assertThat(pass.run(runner, this).toOptional()).isEmpty();
    assertThat(isNews(busy())).isFalse();
  }

  @Override
  public Optional<EphemeralRunner> latest(EphemeralRunner of) {
    return Optional.of(latest);
  }

  @Override
  public Optional<Pod> podNamed(EphemeralRunner of) {
    return Optional.of(pod);
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
