package dev.runnerset.cli.doctor;

import dev.runnerset.base.Pure;
import dev.runnerset.cli.cluster.Listing;
import dev.runnerset.cli.view.SetHealth;
import dev.runnerset.cli.view.Texts;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.RunnerSetReason;
import dev.runnerset.crds.condition.StatusConditions;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What the status of a set, and the quotas of its namespace, say. */
@Pure
final class SetChecks {
  private SetChecks() {}

  /** All that needs the set alone. */
  static List<Check> of(AutoScalingRunnerSet set) {
    var conditions = set.statusOrNone().conditions();
    var checks = new ArrayList<Check>();
    checks.add(health(set));
    checks.addAll(ServiceLadder.of(conditions));
    checks.add(
        positive(
            conditions,
            ConditionType.UPGRADE_REQUIRED,
            "versions of the parts",
            "they fit together"));
    checks.add(
        positive(
            conditions,
            ConditionType.SHIELD_INCOMPLETE,
            "shield of running jobs",
            "it is complete"));
    checks.add(runnerVersion(set, conditions));
    return checks;
  }

  private static Check health(AutoScalingRunnerSet set) {
    var health = SetHealth.of(set);
    var says = Texts.reasoned(health.reason(), health.sentence());
    return switch (health.level()) {
      case NOT_SERVED, PROBLEM ->
          Check.wrong(
              "health",
              says,
              "kubectl runnerset why %s -n %s has the cause"
                  .formatted(set.getMetadata().getName(), set.getMetadata().getNamespace()));
      case STARTING -> Check.unknown("health", says);
      case LIMITED, ASKED -> Check.ok("health", says);
      case WELL -> Check.ok("health", "a job that comes now gets a runner");
    };
  }

  /** A condition that is there only while something is wrong; Unknown where nobody may look. */
  private static Check positive(
      List<Condition> conditions, ConditionType type, String name, String well) {
    var found = StatusConditions.find(conditions, type);
    if (found.isEmpty()) {
      return conditions.isEmpty()
          ? Check.unknown(name, "no controller has reconciled the set")
          : Check.ok(name, well);
    }
    var condition = found.get();
    var says = words(condition);
    return StatusConditions.has(condition, StatusConditions.Value.TRUE)
        ? Check.wrong(name, says, "the message says what to change")
        : Check.unknown(name, says);
  }

  private static Check runnerVersion(AutoScalingRunnerSet set, List<Condition> conditions) {
    var name = "version of the runners";
    for (var type :
        List.of(ConditionType.RUNNER_VERSION_EXPIRED, ConditionType.RUNNER_VERSION_EXPIRING)) {
      var found = StatusConditions.find(conditions, type, StatusConditions.Value.TRUE);
      if (found.isPresent()) {
        return Check.wrong(name, words(found.get()), "docs/operate/runner-versions.md");
      }
    }
    var version = set.statusOrNone().runnerVersion();
    return version == null || version.version() == null
        ? Check.unknown(name, "it is read once a day, when a runner has connected")
        : Check.ok(
            name,
            Texts.line(version.version())
                + (version.servedUntil() == null ? "" : ", served until " + version.servedUntil()));
  }

  /** Whether quotas have room for another runner. */
  static Check quota(AutoScalingRunnerSet set, Listing<ResourceQuota> quotas) {
    var name = "quota";
    if (quotas.gap().isPresent()) {
      return Check.unknown(name, quotas.gap().get());
    }
    var full = new ArrayList<String>();
    quotas.items().forEach(quota -> full.addAll(full(quota)));
    var capacity = set.statusOrNone().capacity();
    var limit =
        capacity == null
            ? ""
            : capacity.limits().stream()
                .filter(each -> each.reason().equals(RunnerSetReason.QUOTA.word()))
                .findFirst()
                .map(each ->
                    "%s leaves %d places for runners"
                        .formatted(
                            each.of() == null ? "a quota" : Texts.line(each.of()), each.places()))
                .orElse("");
    if (!full.isEmpty()) {
      return Check.wrong(
          name,
          "used up: " + String.join(", ", full) + (limit.isEmpty() ? "" : "; " + limit),
          "raise the quota, or lower spec.maxRunners (docs/operate/capacity.md)");
    }
    if (!limit.isEmpty()) {
      return Check.ok(name, limit);
    }
    return Check.ok(
        name, quotas.items().isEmpty() ? "the namespace has none" : "none limits the set");
  }

  private static List<String> full(ResourceQuota quota) {
    var status = quota.getStatus();
    if (status == null || status.getHard() == null) {
      return List.of();
    }
    Map<String, Quantity> used = Objects.requireNonNullElse(status.getUsed(), Map.of());
    return status.getHard().entrySet().stream()
        .filter(hard -> {
          var of = used.get(hard.getKey());
          return of != null
              && of.getNumericalAmount().compareTo(hard.getValue().getNumericalAmount()) >= 0;
        })
        .map(hard ->
            Texts.line(quota.getMetadata().getName() + " " + hard.getKey() + " " + hard.getValue()))
        .toList();
  }

  private static String words(Condition condition) {
    return Texts.reasoned(condition.getReason(), condition.getMessage());
  }
}
