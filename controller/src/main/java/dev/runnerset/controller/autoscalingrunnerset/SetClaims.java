package dev.runnerset.controller.autoscalingrunnerset;

import dev.runnerset.controller.autoscalingrunnerset.OtherControllers.State;
import dev.runnerset.controller.ownership.LogLines;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.AutoScalingRunnerSetStatusBuilder;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.RunnerSetReason;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.crds.condition.StatusConditions.Value;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a set the controller's own before anything else is done with it (WR11). A set of another
 * controller is left alone, and says so, until the lease of that controller has run out.
 *
 * @param ours the namespace and name of this installation's lease
 */
record SetClaims(String ours, OtherControllers others, StatusWriter statuses, Clock clock) {
  private static final Logger LOG = LoggerFactory.getLogger(SetClaims.class);

  /**
   * The set as it is ours; empty if it is another's. Blocks for a request while it is not ours.
   *
   * @throws KubernetesClientException if the claim is refused, as when another one came first
   */
  Optional<AutoScalingRunnerSet> take(AutoScalingRunnerSet set) {
    var owner = set.statusOrNone().controller();
    if (ours.equals(owner)) {
      return Optional.of(set);
    }
    var state = owner == null ? State.STALE : others.of(owner);
    if (owner == null || state == State.STALE) {
      var former = set.statusOrNone();
      var claimed =
          AutoScalingRunnerSetStatusBuilder.builder(former)
              .controller(ours)
              .conditions(
                  StatusConditions.without(former.conditions(), ConditionType.OTHER_CONTROLLER))
              .build();
      var taken = statuses.ifUnchanged(set, claimed);
      if (owner != null) {
        LogLines.about(set, LOG.atInfo())
            .addKeyValue("former", owner)
            .log("took over a set whose controller no longer renews its lease");
      }
      return Optional.of(taken);
    }
    if (state == State.FRESH) {
      report(set, RunnerSetReason.LEASE_FRESH, fresh(owner));
    } else {
      report(set, RunnerSetReason.LEASE_NOT_VISIBLE, notVisible(set, owner));
    }
    return Optional.empty();
  }

  private void report(AutoScalingRunnerSet set, RunnerSetReason reason, String message) {
    var before = set.statusOrNone().conditions();
    var wanted =
        StatusConditions.build(
            before,
            ConditionType.OTHER_CONTROLLER,
            Value.TRUE,
            reason,
            message,
            Objects.requireNonNullElse(set.getMetadata().getGeneration(), 0L),
            clock.instant());
    boolean stands =
        StatusConditions.find(before, ConditionType.OTHER_CONTROLLER, Value.TRUE)
            .filter(c -> StatusConditions.has(c, reason))
            .filter(c -> StatusConditions.message(c).equals(StatusConditions.message(wanted)))
            .isPresent();
    try {
      var _ = stands ? set : statuses.report(set, List.of(wanted));
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
        throw e; // else its controller wrote, and that event brings us back
      }
    }
  }

  private String fresh(String owner) {
    return ("the set belongs to the controller %s, which is alive; the controller %s sees it too, and"
            + " leaves it alone. Stop one of the two, or let each watch namespaces of its own"
            + " (--namespace, or flags.watchSingleNamespace of the chart)")
        .formatted(owner, ours);
  }

  private String notVisible(AutoScalingRunnerSet set, String owner) {
    return ("the set belongs to the controller %s, whose lease the controller %s may not read; so"
            + " that one leaves the set alone. If the former is gone, hand the set over: kubectl"
            + " patch autoscalingrunnersets.runnerset.dev %s -n %s --subresource=status --type=merge"
            + " -p '{\"status\":{\"controller\":null}}'")
        .formatted(owner, ours, set.getMetadata().getName(), set.getMetadata().getNamespace());
  }
}
