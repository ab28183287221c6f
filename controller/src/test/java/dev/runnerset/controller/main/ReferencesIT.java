package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.runnerset.controller.config.EmbeddedStatus;
import dev.runnerset.crds.ChildReference;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSetStatus;
import dev.runnerset.crds.JobCounts;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Child references on live objects, with the whole controller. */
class ReferencesIT {
  private static final Duration SOON = Duration.ofSeconds(20);

  @AutoClose private final ControllerWorld world = new ControllerWorld();

  @BeforeEach
  void secret() {
    world.secret("github", "github_token: " + ControllerWorld.TOKEN);
  }

  private EphemeralRunnerSetStatus status() {
    var ers = world.runnerSet("linux");
    return ers == null ? EphemeralRunnerSetStatus.NONE : ers.statusOrNone();
  }

  private static List<String> names(List<ChildReference> references) {
    return references.stream().map(ChildReference::name).toList();
  }

  private List<String> live() {
    return world.runners().stream()
        .map(EphemeralRunner::getMetadata)
        .sorted(
            Comparator.comparing(ObjectMeta::getCreationTimestamp)
                .thenComparing(ObjectMeta::getName))
        .map(ObjectMeta::getName)
        .toList();
  }

  private void awaitReferences(int count) {
    await("references to " + count + " live runners")
        .atMost(SOON)
        .untilAsserted(() -> {
          assertThat(live()).hasSize(count);
          assertThat(names(status().childReferences())).isEqualTo(live());
        });
  }

  private List<String> ofSet() {
    return world.set("linux").getStatus().childReferences().stream()
        .map(ChildReference::kind)
        .toList();
  }

  @Test
  void aSetAndItsRunnersAreNamedAndTheStatusIsRestoredWhenSomebodyWipesIt() {
    world.startController();
    world.create("linux", "minRunners: 2");
    awaitReferences(2);
    world.demand("linux", 3, 7);
    awaitReferences(5);

    // the two that stood there count for the first two of the three jobs
    assertThat(status().childReferences())
        .extracting(ChildReference::provisionedFor)
        .containsExactlyInAnyOrder(
            "MinRunners", "MinRunners", "Demand", "MinRunners", "MinRunners");
    // the revision of a reference is that of the rollout
    assertThat(status().childReferences())
        .extracting(ChildReference::revision)
        .containsOnly(world.set("linux").getStatus().revision());
    world
        .within(SOON)
        .untilAsserted(
            () -> assertThat(ofSet()).containsExactly("EphemeralRunnerSet", "AutoScalingListener"));
    assertThat(status().jobs()).as("a copy for people").isEqualTo(JobCounts.of(3, 0, 0));

    world.patch(
        world.runnerSet("linux"),
        """
        {"childReferences": null, "conditions": null, "runners": null, "replicas": null,
         "observedGeneration": null}
        """);
    world.patch(world.set("linux"), "{\"childReferences\": null, \"runners\": null}");
    awaitReferences(5);
    world.within(SOON).until(() -> ofSet().size() == 2);
    assertThat(status().runners()).isNotNull();
    assertThat(status().conditions()).as("all is well").isEmpty();

    var first = live().getFirst();
    world.kube.resources(EphemeralRunner.class).inNamespace("default").withName(first).delete();
    world
        .within(SOON)
        .untilAsserted(() ->
            assertThat(names(status().childReferences())).doesNotContain(first).isEqualTo(live()));
  }

  @Test
  void theFlagChangedOnALiveObjectLeavesNothingStale() { // RF7
    world.startController();
    world.create("linux", "minRunners: 2");
    awaitReferences(2);
    for (var embedded :
        List.of(
            EmbeddedStatus.FULL,
            EmbeddedStatus.BOTH,
            EmbeddedStatus.MINIMAL,
            EmbeddedStatus.BOTH,
            EmbeddedStatus.FULL,
            EmbeddedStatus.MINIMAL)) {
      world.stopController();
      world.startController(embedded);
      await(embedded.word())
          .atMost(SOON)
          .untilAsserted(() -> {
            var raw =
                world.kube.raw(
                    "/apis/runnerset.dev/v1alpha1/namespaces/default/ephemeralrunnersets/linux");
            assertThat(raw.contains("\"childReferences\"")).isEqualTo(embedded.hasReferences());
            assertThat(raw.contains("\"runnerStatuses\"")).isEqualTo(embedded.hasFullForm());
            var expected = embedded.hasReferences() ? live() : List.of();
            assertThat(names(status().childReferences())).isEqualTo(expected);
            assertThat(status().runnerStatuses().keySet())
                .isEqualTo(embedded.hasFullForm() ? Set.copyOf(live()) : Set.of());
            assertThat(ofSet()).hasSize(embedded.hasReferences() ? 2 : 0);
          });
    }
  }

  @Test
  void aNewControllerForgetsNoReferenceBeforeItHasSeenTheRunners() {
    world.startController();
    world.create("linux", "minRunners: 3");
    awaitReferences(3);
    var seen = new CopyOnWriteArrayList<Integer>();
    try (var _ =
        world
            .kube
            .resources(EphemeralRunnerSet.class)
            .inNamespace("default")
            .watch(
                new Watcher<EphemeralRunnerSet>() {
                  @Override
                  public void eventReceived(Action action, EphemeralRunnerSet ers) {
                    if (ers.getStatus() != null) {
                      seen.add(ers.getStatus().childReferences().size());
                    }
                  }

                  @Override
                  public void onClose(WatcherException cause) {}
                })) {
      world.stopController();
      world.startController();
      world.demand("linux", 1, 7);
      awaitReferences(4);
      world.soon("it").until(() -> seen.contains(4));
    }
    assertThat(seen).allMatch(size -> size >= 3);
  }

  @Test
  void aBusyRunnerOfAnEarlierErsOfTheSetIsStillTheSets() {
    world.startController();
    world.create("linux", "minRunners: 1");
    awaitReferences(1);
    var runner = world.runners().getFirst();
    world.patch(runner, "{\"requestId\": 7, \"jobId\": \"j\"}");
    var before = world.runnerSet("linux");
    var stranger = copyWithoutOwner(runner);
    world.kube.resource(before).delete();
    world
        .within(SOON)
        .untilAsserted(() -> {
          assertThat(world.hasRunnerSet("linux")).isTrue();
          var ers = world.runnerSet("linux");
          assertThat(ers.getMetadata().getUid()).isNotEqualTo(before.getMetadata().getUid());
          assertThat(names(status().childReferences()))
              .contains(runner.getMetadata().getName())
              .doesNotContain(stranger);
        });
  }

  /** Somebody's own runner with the label of the set, and without its uid; its name. */
  private String copyWithoutOwner(EphemeralRunner runner) {
    var copy = new EphemeralRunner();
    copy.setMetadata(
        new ObjectMetaBuilder()
            .withName("stranger")
            .withNamespace("default")
            .withLabels(runner.getMetadata().getLabels())
            .build());
    copy.setSpec(runner.getSpec());
    return world.kube.resource(copy).create().getMetadata().getName();
  }
}
