package dev.runnerset.controller.autoscalingrunnerset.planning;

import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.controller.scaling.CapacityPlan;
import dev.runnerset.controller.scaling.DesiredRunners;
import dev.runnerset.controller.scaling.Limits;
import dev.runnerset.controller.scaling.ScalingInput;
import dev.runnerset.crds.AutoScalingListenerSpec;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.AutoScalingRunnerSetSpec;
import dev.runnerset.crds.CompletedIn;
import dev.runnerset.crds.Demand;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSetSpec;
import dev.runnerset.crds.ListenerTarget;
import dev.runnerset.crds.NamespacedReference;
import dev.runnerset.crds.RunnerMode;
import org.jspecify.annotations.Nullable;

/** The specs of a runner set's children, from its own spec and from the demand. */
public final class ChildSpecs {
  private ChildSpecs() {}

  /** The input of the numbers; {@code ers} is null while there is no EphemeralRunnerSet. */
  public static ScalingInput scaling(
      AutoScalingRunnerSet set, @Nullable EphemeralRunnerSet ers, Limits limits) {
    return new ScalingInput(
        demand(ers),
        limits.minRunners().value(),
        limits.maxRunners().value(),
        mode(set.getSpec()),
        set.isMarkedForDeletion(),
        limits.emptyPlaces());
  }

  /**
   * What the service has reported; null if it has reported nothing: an epoch alone is no demand.
   */
  public static @Nullable Demand demand(@Nullable EphemeralRunnerSet ers) {
    var demand = ers == null ? null : ers.statusOrNone().demand();
    return demand != null && demand.assigned() != null ? demand : null;
  }

  public static RunnerMode mode(AutoScalingRunnerSetSpec spec) {
    return spec.mode() == null ? RunnerMode.ACTIVE : spec.mode();
  }

  /** The id of the message whose demand counts now; null if none of that scale set is known. */
  public static @Nullable Long demandMessageId(@Nullable EphemeralRunnerSet ers, int scaleSetId) {
    var demand = demand(ers);
    return demand == null ? null : CompletedIn.settledUpTo(demand, scaleSetId);
  }

  public static EphemeralRunnerSetSpec ephemeralRunnerSet(
      AutoScalingRunnerSet set, @Nullable EphemeralRunnerSet ers, Limits limits, ScaleSetId id) {
    var spec = set.getSpec();
    return EphemeralRunnerSetSpec.builder(
            spec.githubConfigUrl(),
            spec.githubConfigSecret(),
            id.value(),
            Revision.of(spec),
            spec.template())
        .replicas(DesiredRunners.of(scaling(set, ers, limits)))
        .demandMessageId(demandMessageId(ers, id.value()))
        .releasedIdle(ers == null ? null : ers.statusOrNone().releasedIdle())
        .maxRunners(limits.maxRunners().value())
        .deadlines(spec.deadlines())
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
        .proxy(accepted.proxy())
        .githubServerTLS(accepted.githubServerTLS())
        .template(accepted.template())
        .build();
  }

  public static AutoScalingListenerSpec listener(
      AutoScalingRunnerSet set, EphemeralRunnerSet ers, Limits limits, ScaleSetId id) {
    var spec = set.getSpec();
    var namespace = set.getMetadata().getNamespace();
    return new AutoScalingListenerSpec(
        new ListenerTarget(namespace, ers.getMetadata().getName(), ers.getMetadata().getUid()),
        spec.githubConfigUrl(),
        new NamespacedReference(namespace, spec.githubConfigSecret().name()),
        id.value(),
        CapacityPlan.of(scaling(set, ers, limits)).advertised(),
        spec.proxy(),
        spec.githubServerTLS());
  }
}
