package dev.runnerset.controller.autoscalingrunnerset.registration;

import dev.runnerset.actions.NewScaleSet;
import dev.runnerset.actions.ScaleSet;
import dev.runnerset.base.Pure;
import dev.runnerset.connection.ScaleSetIdentities;
import dev.runnerset.controller.autoscalingrunnerset.planning.SpecCheck;
import dev.runnerset.controller.autoscalingrunnerset.status.Finding;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.ScaleSetIdentity;
import dev.runnerset.crds.ScaleSetProvenance.Intent;
import dev.runnerset.crds.condition.RunnerSetReason;
import java.time.Instant;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Whether a set made the scale set that it finds under its name, and whether the scale set that it
 * finds under its id is still the one that it had (NM5). The service stores nothing of ours, so
 * what the set wrote down is the proof (docs/adr/0021, docs/adr/0107).
 */
@Pure
final class ScaleSetProof {
  private ScaleSetProof() {}

  /**
   * Whether the scale set is the one that the intent announced: of its name and group, made then,
   * with labels of ours only, and unused.
   */
  static boolean isMadeBy(@Nullable Intent intent, NewScaleSet wanted, ScaleSet found) {
    var statistics = found.statistics();
    return intent != null
        && intent.name().equalsIgnoreCase(found.name())
        && intent.runnerGroupId() == found.runnerGroupId().value()
        && isMadeThen(intent, found)
        && folded(wanted.labels()).containsAll(folded(found.labels()))
        && statistics != null
        && statistics.registered() == 0
        && !Boolean.TRUE.equals(found.online());
  }

  private static boolean isMadeThen(Intent intent, ScaleSet found) {
    var made = found.createdOn();
    return made != null
        && !made.isBefore(intent.at().minus(RegistrationTimes.SKEW))
        && !made.isAfter(
            intent.at().plus(RegistrationTimes.CARRIED_OUT_WITHIN).plus(RegistrationTimes.SKEW));
  }

  /**
   * Whether the scale set that stands under the id of the status is the one that the set had. A
   * version that stored no identity left only the name of the spec and the group to compare.
   */
  static boolean isStillThatOf(AutoScalingRunnerSet set, ScaleSet found) {
    var status = set.statusOrNone();
    var identity = status.scaleSetIdentity();
    var group = status.runnerGroupId();
    var known =
        identity != null
            ? identity
            : ScaleSetIdentity.of(
                found.id().value(),
                SpecCheck.scaleSetName(set),
                group == null ? found.runnerGroupId().value() : group,
                null);
    return known.isThatOf(ScaleSetIdentities.of(found));
  }

  /** What stands under the id of the status instead, in words. */
  static String anothers(ScaleSet found) {
    return "the id %s is now the id of another scale set, '%s'%s, which this set did not create"
        .formatted(
            found.id(), found.name(), found.createdOn() == null ? "" : " of " + found.createdOn());
  }

  /**
   * Whether a request for that scale set, sent after that intent and without an answer, may still
   * be carried out.
   */
  static boolean mayComeTrue(@Nullable Intent intent, NewScaleSet wanted, Instant now) {
    return intent != null
        && intent.name().equalsIgnoreCase(wanted.name())
        && intent.runnerGroupId() == wanted.runnerGroupId().value()
        && !now.isAfter(intent.at().plus(RegistrationTimes.CARRIED_OUT_WITHIN));
  }

  /** Whether the user says that the set may use the scale set. */
  static boolean isAdopted(AutoScalingRunnerSet set, ScaleSet found) {
    return Integer.valueOf(found.id().value()).equals(set.getSpec().adoptScaleSetId());
  }

  /** Labels as the service compares them: order and case do not matter. */
  static Set<String> folded(Collection<String> labels) {
    return labels.stream().map(l -> l.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
  }

  /** What was found, and what the user can do. */
  static Finding adoptionRequired(AutoScalingRunnerSet set, ScaleSet found) {
    return new Finding(
        RunnerSetReason.ADOPTION_REQUIRED,
        ("A scale set named '%1$s' already exists, and this set did not create it: id %2$s, labels"
                + " %3$s, %4$s, %5$s. If somebody else uses it, choose another"
                + " spec.runnerScaleSetName. To take it over, stop its user, then set"
                + " spec.adoptScaleSetId: %2$s%6$s. An adopted scale set is not deleted with the set")
            .formatted(
                found.name(),
                found.id(),
                found.labels(),
                runners(found),
                session(found),
                folded(SpecCheck.labels(set)).equals(folded(found.labels()))
                    ? ""
                    : "; its labels become " + SpecCheck.labels(set)));
  }

  private static String runners(ScaleSet found) {
    var statistics = found.statistics();
    return statistics == null
        ? "the service does not report its runners"
        : "%d runners registered, %d of them busy, %d jobs assigned"
            .formatted(statistics.registered(), statistics.busy(), statistics.assigned());
  }

  /** A reading names no owner; only the opening of a session would (protocol 3.10). */
  private static String session(ScaleSet found) {
    if (found.online() == null) {
      return "the service does not report whether a listener holds its session";
    }
    return found.online() ? "a listener holds its session" : "no listener holds its session";
  }
}
