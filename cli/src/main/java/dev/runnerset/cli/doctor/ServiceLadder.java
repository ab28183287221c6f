package dev.runnerset.cli.doctor;

import dev.runnerset.base.Pure;
import dev.runnerset.cli.view.Texts;
import dev.runnerset.crds.condition.AccessReason;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.ListenerReason;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.crds.condition.RunnerSetReason;
import dev.runnerset.crds.condition.StatusConditions;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How far a set comes with the Actions service, by its own conditions: what is before the step that
 * fails has answered, and what is after it has not been asked.
 */
@Pure
final class ServiceLadder {
  private record Step(String name, Set<String> reasons) {
    static Step of(String name, Reason... reasons) {
      return new Step(name, Stream.of(reasons).map(Reason::word).collect(Collectors.toSet()));
    }
  }

  private static final List<Step> STEPS =
      List.of(
          Step.of(
              "host",
              AccessReason.INVALID_CONFIG_URL,
              AccessReason.INVALID_CONNECTION,
              AccessReason.HOST_NOT_FOUND,
              AccessReason.HOST_NOT_ALLOWED,
              AccessReason.CONNECTION_REFUSED),
          Step.of(
              "TLS and proxy",
              AccessReason.CERTIFICATE_NOT_FOUND,
              AccessReason.CERTIFICATE_INVALID,
              AccessReason.CERTIFICATE_NOT_TRUSTED,
              AccessReason.PROXY_INVALID,
              AccessReason.PROXY_FAILED,
              AccessReason.MALFORMED_ANSWER),
          Step.of(
              "permissions at GitHub",
              AccessReason.UNAUTHORIZED,
              AccessReason.FORBIDDEN,
              AccessReason.NOT_FOUND),
          Step.of("runner group", RunnerSetReason.RUNNER_GROUP_NOT_FOUND),
          Step.of(
              "scale set",
              RunnerSetReason.SCALE_SET_NAME_TAKEN,
              RunnerSetReason.ADOPTION_REQUIRED,
              RunnerSetReason.SCALE_SET_SHARED,
              RunnerSetReason.LABELS_NOT_TAKEN,
              ListenerReason.SCALE_SET_NOT_OURS,
              ListenerReason.SESSION_CONFLICT));

  private ServiceLadder() {}

  /** A check for each step. */
  static List<Check> of(List<Condition> conditions) {
    var failing = failing(conditions);
    var registered = StatusConditions.find(conditions, ConditionType.REGISTERED);
    boolean isRegistered =
        registered.filter(c -> StatusConditions.has(c, StatusConditions.Value.TRUE)).isPresent();
    var checks = new ArrayList<Check>();
    boolean reached = failing.isPresent() || isRegistered;
    for (var step : STEPS) {
      var found = failing.filter(c -> step.reasons().contains(reason(c)));
      if (found.isPresent()) {
        checks.add(
            Check.wrong(
                step.name(),
                Texts.reasoned(found.get().getReason(), found.get().getMessage()),
                "docs/reference/conditions.md has more about " + Texts.line(reason(found.get()))));
        reached = false;
      } else if (reached) {
        checks.add(Check.ok(step.name(), "the service answers the set"));
      } else {
        checks.add(Check.unknown(step.name(), notAsked(failing, registered)));
      }
    }
    return checks;
  }

  /** The first problem that is one of a step. */
  private static Optional<Condition> failing(List<Condition> conditions) {
    return STEPS.stream()
        .flatMap(step ->
            conditions.stream()
                .filter(StatusConditions::isProblem)
                .filter(c -> step.reasons().contains(reason(c))))
        .findFirst();
  }

  private static String notAsked(Optional<Condition> failing, Optional<Condition> registered) {
    return failing
        .or(() -> registered)
        .map(c ->
            "not known while the set says "
                + Texts.line(c.getType())
                + " "
                + Texts.line(c.getStatus())
                + ", "
                + Texts.line(reason(c)))
        .orElse("not known: no controller has reconciled the set");
  }

  private static String reason(Condition condition) {
    return Objects.requireNonNullElse(condition.getReason(), "");
  }
}
