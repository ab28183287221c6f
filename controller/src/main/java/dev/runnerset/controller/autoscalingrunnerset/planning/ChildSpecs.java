package dev.runnerset.controller.autoscalingrunnerset.planning;

import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.controller.scaling.CapacityPlan;
import dev.runnerset.controller.scaling.Limits;
import dev.runnerset.controller.scaling.RunnerPlaces;
import dev.runnerset.crds.AutoScalingListenerSpec;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSetSpec;
import dev.runnerset.crds.ListenerTarget;
import dev.runnerset.crds.NamespacedReference;
import dev.runnerset.crds.RunnerMode;

/** The specs of a runner set's children, from its own spec. */
public final class ChildSpecs {
  private ChildSpecs() {}

  public static EphemeralRunnerSetSpec ephemeralRunnerSet(
      AutoScalingRunnerSet set, Limits limits, ScaleSetId id) {
    var spec = set.getSpec();
    boolean drained = set.modeNow() == RunnerMode.DRAINED;
    return EphemeralRunnerSetSpec.builder(
            spec.githubConfigUrl(),
            spec.githubConfigSecret(),
            id.value(),
            Revision.of(spec),
            spec.template())
        .replicas(drained ? 0 : limits.minRunners().value())
        .maxRunners(drained ? 0 : limits.maxRunners().value())
        .deadlines(spec.deadlines())
        .maxLifetime(spec.maxLifetime())
        .protection(spec.protection())
        .retention(spec.retention())
        .proxy(spec.proxy())
        .githubServerTLS(spec.githubServerTLS())
        .build();
  }

  /**
   * The spec with the last accepted template, and what belongs to it: a refused template makes no
   * runners, while runners of the accepted one are still created.
   */
  public static EphemeralRunnerSetSpec keepingTemplate(
      EphemeralRunnerSetSpec wanted, EphemeralRunnerSetSpec accepted) {
    return wanted.toBuilder()
        .revision(accepted.revision())
        .maxLifetime(accepted.maxLifetime())
        .proxy(accepted.proxy())
        .githubServerTLS(accepted.githubServerTLS())
        .template(accepted.template())
        .build();
  }

  public static AutoScalingListenerSpec listener(
      AutoScalingRunnerSet set,
      EphemeralRunnerSet ers,
      Limits limits,
      RunnerPlaces places,
      ScaleSetId id) {
    var spec = set.getSpec();
    var namespace = set.getMetadata().getNamespace();
    return new AutoScalingListenerSpec(
        new ListenerTarget(namespace, ers.getMetadata().getName(), ers.getMetadata().getUid()),
        spec.githubConfigUrl(),
        new NamespacedReference(namespace, spec.githubConfigSecret().name()),
        id.value(),
        set.statusOrNone().scaleSetIdentity(),
        CapacityPlan.of(set, limits.maxRunners().value(), places, ers).advertised(),
        spec.proxy(),
        spec.githubServerTLS());
  }
}
