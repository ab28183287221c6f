package dev.runnerset.controller.ephemeralrunnerset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.ephemeralrunner.RunnerExits;
import dev.runnerset.controller.ephemeralrunner.RunnerVerdicts;
import dev.runnerset.controller.ephemeralrunner.start.NewRunners;
import dev.runnerset.controller.hooks.RunnersReports;
import dev.runnerset.controller.hooks.SetFeature;
import dev.runnerset.controller.hooks.SetFeatures;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.controller.removal.FakeService;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.Labels;
import dev.runnerset.testsupport.CallerThread;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A step of a pass over an EphemeralRunnerSet that fails stops no other one (WR3). */
final class FailingStepsTest implements KnownRunners, WriteCache {
  private static final String SET_UID = "uid-of-runner-set";

  private final FakeKube kube = new FakeKube();
  private final FakeService service = new FakeService();
  private final EphemeralRunnerSet set = SimSet.of(2, 100, "r", null);
  private final EphemeralRunner orphan = FakeService.runner("linux-orphan", 0);

  FailingStepsTest() {
    set.setMetadata(
        new ObjectMetaBuilder(set.getMetadata())
            .withGeneration(1L)
            .addToAnnotations(Labels.SET_UID, SET_UID)
            .build());
    orphan.setMetadata(
        new ObjectMetaBuilder(orphan.getMetadata())
            .withResourceVersion("7")
            .addToAnnotations(Labels.SET_UID, SET_UID)
            .withOwnerReferences()
            .build());
  }

  @Test
  void aRunnerThatCannotBeAdoptedStopsNeitherTheNextRunnerNorTheStepsAfterIt() {
    kube.fates.add(FakeKube.Fate.STORED); // a runner
    kube.fates.add(FakeKube.Fate.REFUSED); // the patch that puts the owner reference back
    var caches = new SetMemories(this);
    assertThatThrownBy(() -> pass(caches).run(set, this))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("quota");
    assertThat(kube.requests).as("to the status").containsExactly("POST", "PATCH", "PATCH");
  }

  @Test
  void aFeatureThatFailsStopsNeitherThePlanNorTheStatus() {
    var failing =
        new SetFeature() {
          @Override
          public void follow(SetMoment moment) {
            throw new IllegalStateException("the feature");
          }
        };
    var all = Stream.concat(Stream.of(failing), PlannerRows.features().inOrder().stream());
    var features = new SetFeatures(all.toList());
    assertThatThrownBy(() -> pass(new SetMemories(this), features).run(set, this))
        .hasMessage("the feature");
    assertThat(kube.requests).as("to the status").containsExactly("POST", "PATCH", "PATCH");
  }

  private EphemeralRunnerSetPass pass(SetMemories caches) {
    return pass(caches, PlannerRows.features());
  }

  private EphemeralRunnerSetPass pass(SetMemories caches, SetFeatures features) {
    return new EphemeralRunnerSetPass(
        new EphemeralRunnerSetPass.Environment(
            kube.api(), new CallerThread(), Meter.series(), service.clock, new Random(1)),
        caches,
        new EphemeralRunnerSetPass.Shared(
            service.remover(),
            new RunnerExits(new Memories(), runner -> {}),
            new NewRunners(),
            runner -> {
              throw new AssertionError("nothing is asked of the service");
            },
            new RunnerVerdicts(new Memories(), runner -> {}),
            key -> {},
            new RunnersReports(),
            (about, reason, message) -> {}),
        Duration.ofSeconds(10),
        features,
        key -> {});
  }

  @Override
  public Stream<EphemeralRunnerSet> sets() {
    return Stream.of(set);
  }

  @Override
  public Optional<EphemeralRunnerSet> set(String namespace, String name) {
    return Optional.of(set);
  }

  @Override
  public Stream<EphemeralRunner> labelled(SetKey of) {
    return Stream.of(orphan);
  }

  @Override
  public Set<String> takeChanged(SetKey of) {
    return Set.of();
  }

  @Override
  public Optional<EphemeralRunner> runner(String namespace, String name) {
    return Optional.of(orphan);
  }

  @Override
  public void remember(EphemeralRunner made) {
    // every pass sees the same runners
  }

  @Override
  public long delivered(String namespace) {
    return 0;
  }

  @Override
  public void created(HasMetadata made) {
    // every pass sees the same set
  }

  @Override
  public void changed(HasMetadata before, HasMetadata after) {
    // every pass sees the same set
  }
}
