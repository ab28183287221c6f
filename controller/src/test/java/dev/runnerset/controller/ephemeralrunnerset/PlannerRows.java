package dev.runnerset.controller.ephemeralrunnerset;

import static dev.runnerset.controller.removal.Situation.NOW;

import dev.runnerset.controller.autoscalingrunnerset.Clocks;
import dev.runnerset.controller.config.AgeCollectionSettings;
import dev.runnerset.controller.config.EmbeddedStatus;
import dev.runnerset.controller.config.FeatureGates;
import dev.runnerset.controller.config.LeavingTaints;
import dev.runnerset.controller.config.Places;
import dev.runnerset.controller.ephemeralrunner.RunnerVerdicts;
import dev.runnerset.controller.features.Features;
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
import dev.runnerset.controller.hooks.SetFeatures;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RemovalRule;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.controller.removal.Situation;
import dev.runnerset.controller.testing.NoQuotas;
import dev.runnerset.kube.KubeApi;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Plans for the tests of {@link ReplicasPlanner}. */
final class PlannerRows {
  /** What they remember is in the slots of a set, so one list serves all rows. */
  private static final KubeApi NOT_CALLED = new KubeApi(new KubernetesClientBuilder().build());

  private static final List<RemovalRule> RULES = features().removalRules();

  /** A rule that leaves places empty. */
  private record Reserving(int places) implements RemovalRule {
    @Override
    public RemovalReason reason() {
      return RemovalReason.LEFT_OVER;
    }

    @Override
    public RemovalPlan plan(SetMoment moment, Surplus surplus) {
      return RemovalPlan.none(reason());
    }

    @Override
    public int emptyPlaces(SetMoment moment) {
      return places;
    }
  }

  /** The features of tests that follow no metrics and events. */
  static SetFeatures features() {
    return features(EmbeddedStatus.MINIMAL, () -> Duration.ZERO);
  }

  static SetFeatures features(EmbeddedStatus embedded, Supplier<Duration> patchesTake) {
    var idleAge = new IdleAge(Meter.series(), (about, reason, message) -> {});
    return features(embedded, patchesTake, idleAge, new LeavingNodes(LeavingTaints.DEFAULT));
  }

  static SetFeatures features(IdleAge idleAge, LeavingNodes cordoned) {
    return features(EmbeddedStatus.MINIMAL, () -> Duration.ZERO, idleAge, cordoned);
  }

  private static SetFeatures features(
      EmbeddedStatus embedded,
      Supplier<Duration> patchesTake,
      IdleAge idleAge,
      LeavingNodes cordoned) {
    var verdicts = new RunnerVerdicts(new Memories(), runner -> {});
    var clock = Clock.systemUTC();
    return new Features(
            new Features.Readers(
                new ShieldFeature(
                    new Shields(verdicts, set -> Optional.empty()),
                    cordoned,
                    new ShieldReader(
                        NOT_CALLED, new Places(Set.of(), "c-ns", "l-ns", "listener"), clock)),
                new AgeFeature(
                    idleAge,
                    new AgeReport(
                        new AgeCollection(FeatureGates.DEFAULTS, AgeCollectionSettings.DEFAULT))),
                new ReferenceLists(embedded, patchesTake),
                new InstalledKinds(NOT_CALLED, new Memories(), clock),
                new RunnerVersionFeature(
                    key -> null,
                    runner -> Optional.empty(),
                    new Memories(),
                    task -> {},
                    set -> {},
                    clock),
                NoQuotas.feature(clock)),
            Meter.series(),
            Clocks.of(clock, System::nanoTime))
        .hooks();
  }

  /** What a pass decides, without carrying it out. */
  static ReplicasPass.Result decided(SetMoment moment) {
    var features = features();
    features.inOrder().forEach(feature -> feature.follow(moment));
    var plan = ReplicasPlanner.plan(moment, features.removalRules());
    return new ReplicasPass.Result(moment, null, plan);
  }

  static ReplicasPlan plan(Situation given, Instant now) {
    return plan(given, given.at(now));
  }

  static ReplicasPlan plan(Situation given, SetMoment moment) {
    var rules = new ArrayList<>(RULES);
    rules.add(new Reserving(given.reserved));
    return ReplicasPlanner.plan(moment, rules);
  }

  static Instant in(int seconds) {
    return NOW.plusSeconds(seconds);
  }

  private PlannerRows() {}
}
