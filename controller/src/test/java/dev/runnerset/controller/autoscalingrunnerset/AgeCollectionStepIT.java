package dev.runnerset.controller.autoscalingrunnerset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.autoscalingrunnerset.status.ConditionInput;
import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.config.AgeCollectionSettings;
import dev.runnerset.controller.config.FeatureGates;
import dev.runnerset.controller.gc.AgeCollection;
import dev.runnerset.controller.gc.CollectionState;
import dev.runnerset.controller.gc.SetKey;
import dev.runnerset.controller.gc.Sweeps;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.metrics.Meters;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.Crds;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Resource;
import dev.runnerset.simulator.cluster.SimulatedCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What sweeps leave in the status of a set, and what the set tells of it (AC8, AC10). */
class AgeCollectionStepIT {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final SetKey KEY = new SetKey("default", "linux");
  private static final AgeCollectionSettings HOUR =
      new AgeCollectionSettings(Duration.ofHours(1), Duration.ofMinutes(2), Duration.ofMinutes(5));

  private final SimulatedCluster cluster = SimulatedCluster.start(Crds.yaml());
  private final KubernetesClient client = cluster.client();
  private final KubeApi kube = new KubeApi(client);
  private final Meters meters = new Meters();
  private final List<String> warnings = new ArrayList<>();
  private final List<HasMetadata> cached = new ArrayList<>();
  private final WriteCache cache =
      new WriteCache() {
        @Override
        public void created(HasMetadata made) {
          throw new AssertionError("nothing is made");
        }

        @Override
        public void changed(HasMetadata before, HasMetadata after) {
          cached.add(after);
        }
      };
  private final AgeCollection rules =
      AgeCollection.of(FeatureGates.parse("RunnerMaximumGCAge=true"), HOUR);
  private final AgeCollectionStep step =
      new AgeCollectionStep(
          rules,
          new StatusWriter(kube),
          (about, reason, message) -> warnings.add(reason.word() + ": " + message),
          meters);
  private AutoScalingRunnerSet set = new AutoScalingRunnerSet();

  @BeforeEach
  void start() {
    var made = Sets.set("linux", "minRunners: 1", "garbageCollection: {afterwards: Release}");
    made.getMetadata().setNamespace("default");
    made.getMetadata().setUid(null);
    set = kube.create(made);
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private void status(String json) {
    set = kube.mergeStatus(AutoScalingRunnerSet.class, Resource.of(set), Sets.json(json));
  }

  private static EphemeralRunnerSet assigned(int jobs) {
    return Serialization.unmarshal(
        """
        metadata: {name: linux, namespace: default, uid: u, generation: 4}
        status: {demand: {epoch: 1, messageId: 1, assigned: %d}}
        """
            .formatted(jobs),
        EphemeralRunnerSet.class);
  }

  /** One look of the set's reconciler; what the status remembers then, as the server has it. */
  private CollectionState take(int assigned) {
    set = step.take(set, assigned(assigned), cache);
    var stored = Objects.requireNonNull(kube.get(AutoScalingRunnerSet.class, Resource.of(set)));
    return CollectionState.of(stored.statusOrNone());
  }

  private double thrashed() {
    return meters.value(Meter.RUNNER_GC_THRASH, "default", "linux");
  }

  @Test
  void whatASweepDidIsWrittenOnceAndIntoTheCache() {
    Sweeps.collected(rules, KEY, 1, NOW);
    assertThat(take(0)).isEqualTo(new CollectionState(1, 1, NOW));
    assertThat(cached).containsExactly(set);
    assertThat(take(0)).isEqualTo(new CollectionState(1, 1, NOW));
    assertThat(cached).as("no pending, no write").hasSize(1);
  }

  @Test
  void aFallOfAssignedFillsNothingAndARiseDoes() {
    status("{'releasedIdle': 1, 'jobs': {'assigned': 3, 'running': 3}}");
    assertThat(take(2).released()).isOne();
    assertThat(take(3).released()).isOne();
    assertThat(take(4).released()).isZero();
  }

  @Test
  void theAlarmRisesWithEachSweepNotWithEachLook() {
    for (int sweep = 1; sweep <= 5; sweep++) {
      Sweeps.collected(rules, KEY, 1, NOW.plusSeconds(sweep));
      take(0);
      take(0);
    }
    assertThat(thrashed()).as("the fourth and the fifth are too many").isEqualTo(2);
    assertThat(warnings).hasSize(2).first().asString().startsWith("RunnerGCThrashing: 4 runners");
    assertThat(step.facts(set)).isEqualTo(new ConditionInput.AgeCollection(null, null, 5, true));
  }

  @Test
  void aPlaceIsHeldUntilTheTargetThatLeavesItOutIsSeen() {
    Sweeps.collected(rules, KEY, 1, NOW);
    take(0);
    assertThat(rules.ledger().reservedPlaces(KEY, "u", 3)).isOne();
    step.lowered(set, assigned(0));
    assertThat(rules.ledger().reservedPlaces(KEY, "u", 3)).isOne();
    assertThat(rules.ledger().reservedPlaces(KEY, "u", 4)).isZero();
  }

  @Test
  void anAgeThatCannotBeFollowedIsTold() {
    var refused = Sets.set("linux", "garbageCollection: {maximumIdleAge: 1m}");
    assertThat(step.facts(refused).refused())
        .extracting(finding -> finding.reason().word())
        .isEqualTo("MaximumIdleAgeInvalid");
    assertThat(step.facts(set)).isEqualTo(ConditionInput.AgeCollection.NONE);
  }
}
