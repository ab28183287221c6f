package dev.runnerset.controller.features;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.autoscalingrunnerset.Clocks;
import dev.runnerset.controller.autoscalingrunnerset.Sets;
import dev.runnerset.controller.config.AgeCollectionSettings;
import dev.runnerset.controller.config.EmbeddedStatus;
import dev.runnerset.controller.config.FeatureGates;
import dev.runnerset.controller.config.LeavingTaints;
import dev.runnerset.controller.config.Places;
import dev.runnerset.controller.ephemeralrunner.RunnerVerdicts;
import dev.runnerset.controller.features.idleage.AgeCollection;
import dev.runnerset.controller.features.idleage.AgeFeature;
import dev.runnerset.controller.features.idleage.AgeReport;
import dev.runnerset.controller.features.idleage.IdleAge;
import dev.runnerset.controller.features.references.ReferenceLists;
import dev.runnerset.controller.features.runnerversion.RunnerVersionFeature;
import dev.runnerset.controller.features.shield.LeavingNodes;
import dev.runnerset.controller.features.shield.ShieldFeature;
import dev.runnerset.controller.features.shield.ShieldReader;
import dev.runnerset.controller.features.shield.Shields;
import dev.runnerset.controller.features.upgrade.InstalledKinds;
import dev.runnerset.controller.hooks.ConditionRule;
import dev.runnerset.controller.hooks.RunnerSetFacts;
import dev.runnerset.controller.hooks.RunnersReport;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.removal.Now;
import dev.runnerset.controller.testing.NoQuotas;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSetStatus;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.testsupport.TestClock;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the features say of a set, in their order. */
class FeaturesTest {
  private static final String NO_SCHEDULE =
      "schedule: [{name: n, timeZone: Nowhere, start: '0 7 * * *', duration: 1h, minRunners: 1}]";
  private static final String NO_RETENTION = "retention: {ttlAfterFailed: a while}";

  private final TestClock clock = new TestClock(Instant.parse("2026-11-21T12:00:00Z"));

  private List<String> conditions(String gates, AutoScalingRunnerSet set, String ofRunners) {
    var ers = new EphemeralRunnerSet();
    ers.setMetadata(new ObjectMetaBuilder().withGeneration(1L).build());
    ers.setStatus(Serialization.unmarshal(ofRunners, EphemeralRunnerSetStatus.class));
    var ages =
        new AgeCollectionSettings(
            Duration.ofHours(1), Duration.ofMinutes(2), Duration.ofMinutes(5));
    var kube = new KubeApi(new KubernetesClientBuilder().build());
    var features =
        new Features(
            new Features.Readers(
                new ShieldFeature(
                    new Shields(
                        new RunnerVerdicts(new Memories(), runner -> {}), key -> Optional.empty()),
                    new LeavingNodes(LeavingTaints.DEFAULT),
                    new ShieldReader(
                        kube, new Places(Set.of(), "c-ns", "l-ns", "listener"), clock)),
                new AgeFeature(
                    new IdleAge(Meter.series(), (about, reason, message) -> {}),
                    new AgeReport(new AgeCollection(FeatureGates.parse(gates), ages))),
                new ReferenceLists(EmbeddedStatus.MINIMAL, () -> Duration.ZERO),
                new InstalledKinds(kube, new Memories(), clock),
                new RunnerVersionFeature(
                    key -> null,
                    runner -> Optional.empty(),
                    new Memories(),
                    task -> {},
                    key -> {},
                    clock),
                NoQuotas.feature(clock)),
            Meter.series(),
            Clocks.of(clock, System::nanoTime));
    var facts =
        new RunnerSetFacts(
            set,
            set.statusOrNone(),
            ers,
            null,
            null,
            RunnersReport.NONE,
            true,
            null,
            new Now(clock.instant()));
    return ConditionRule.conditions(
            features.hooks().conditions(), facts, List.of(), 1, clock.instant())
        .map(c -> c.getType() + " " + c.getStatus() + " " + c.getReason())
        .toList();
  }

  private static AutoScalingRunnerSet set(String... spec) {
    return Sets.set("linux", spec);
  }

  @Test
  void aSetWithoutProblemsHasNoConditionOfAFeature() {
    assertThat(conditions("", set(), "{}")).isEmpty();
    assertThat(conditions("", set("minRunners: 4"), "idleCollections: {count: 12}")).isEmpty();
  }

  @Test
  void eachFeatureSaysWhatItCannotFollowAndWhatItDid() {
    var on = "RunnerMaximumGCAge=true";
    var age = "garbageCollection: {maximumIdleAge: 1m}";
    assertThat(conditions("", set(age), "{}"))
        .containsExactly("RunnerGCRefused True FeatureGateOff");
    var did = "idleCollections: {count: 99, since: '2026-11-21T11:00:00Z', failed: 2}";
    assertThat(conditions(on, set(NO_RETENTION, NO_SCHEDULE, age), did))
        .containsExactly(
            "RunnerGCRefused True MaximumIdleAgeInvalid",
            "RunnerGCFailing True SweepFailed",
            "RunnerGCThrashing True NoJobsBetween",
            "RetentionRefused True InvalidRetention",
            "ScheduleInvalid True InvalidSchedule");
  }
}
