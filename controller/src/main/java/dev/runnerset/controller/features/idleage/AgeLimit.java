package dev.runnerset.controller.features.idleage;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.config.AgeCollectionSettings;
import dev.runnerset.controller.config.FeatureGate;
import dev.runnerset.controller.config.FeatureGates;
import dev.runnerset.crds.GarbageCollection;
import dev.runnerset.crds.GoDuration;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.crds.condition.RunnerSetReason;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How old an idle runner of a set may become: the set's own value, else the operator's; the gate
 * stands above both (AC1).
 */
@Pure
public sealed interface AgeLimit {
  /** No runner is removed for its age. */
  record Off() implements AgeLimit {}

  /** Runners that are idle for longer are removed. */
  record After(Duration maximum) implements AgeLimit {}

  /**
   * The set's own value cannot be followed: no runner is removed for its age.
   *
   * @param reason a stable word for a condition
   * @param message names the field and what to change
   */
  record Refused(Reason reason, String message) implements AgeLimit {}

  /** The field of a set. */
  String FIELD = "spec.garbageCollection.maximumIdleAge";

  /** The limit of a set with that block; null for a set without one. */
  static AgeLimit of(
      FeatureGates gates, AgeCollectionSettings settings, @Nullable GarbageCollection block) {
    var written = block == null ? null : block.maximumIdleAge();
    var gate = FeatureGate.RUNNER_MAXIMUM_GC_AGE;
    if (written == null) {
      return gates.isOn(gate) ? limit(settings.maximumAge()) : new Off();
    }
    var own = GoDuration.parse(written);
    if (own.isPresent() && own.get().isZero()) {
      return new Off();
    }
    if (!gates.isOn(gate)) {
      return new Refused(
          RunnerSetReason.FEATURE_GATE_OFF,
          FIELD
              + " is set, but the feature gate "
              + gate.word()
              + " of the controller is off: no"
              + " runner is collected for its age. Start the controller with --feature-gates "
              + gate.word()
              + "=true, or remove the field");
    }
    if (own.isEmpty()) {
      return new Refused(
          RunnerSetReason.MAXIMUM_IDLE_AGE_INVALID,
          FIELD + " is no duration: write one like 24h, or 0s for never");
    }
    if (own.get().compareTo(settings.minimumAge()) <= 0) {
      return new Refused(
          RunnerSetReason.MAXIMUM_IDLE_AGE_INVALID,
          FIELD
              + " must be longer than the controller's --runner-minimum-gc-age, which is "
              + settings.minimumAge().toSeconds()
              + "s, or 0s for never");
    }
    return limit(own.get());
  }

  private static AgeLimit limit(Duration maximum) {
    return maximum.isPositive() ? new After(maximum) : new Off();
  }
}
