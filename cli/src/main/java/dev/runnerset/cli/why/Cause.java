package dev.runnerset.cli.why;

import dev.runnerset.base.Pure;
import dev.runnerset.cli.view.SetHealth;
import dev.runnerset.cli.view.Texts;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.RunnerSetReason;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Which condition of a set names the cause of its problem. */
@Pure
final class Cause {
  /** They repeat what another condition says. */
  private static final Set<ConditionType> REPEATERS =
      EnumSet.of(ConditionType.READY, ConditionType.DEGRADED);

  private Cause() {}

  /**
   * The first problem in the order of {@link SetHealth#problems}, or the condition it repeats; what
   * every start has comes after what only this one has.
   */
  static Optional<Condition> of(List<Condition> conditions) {
    var problems = SetHealth.problems(conditions);
    return problems.stream()
        .filter(c -> !RunnerSetReason.isOfAStart(Objects.requireNonNullElse(c.getReason(), "")))
        .findFirst()
        .or(() -> problems.stream().findFirst())
        .map(first -> isRepeater(first) ? said(first, problems) : first);
  }

  private static Condition said(Condition repeater, List<Condition> problems) {
    var reason = Objects.requireNonNullElse(repeater.getReason(), "");
    return problems.stream()
        .filter(c -> !isRepeater(c))
        .filter(c -> reason.equals(c.getReason()) || reason.equals(c.getType()))
        .findFirst()
        .orElse(repeater);
  }

  private static boolean isRepeater(Condition condition) {
    return REPEATERS.stream().anyMatch(type -> type.word().equals(condition.getType()));
  }

  /** {@code Reason: message}, in one line. */
  static String words(Condition condition) {
    return Texts.reasoned(condition.getReason(), condition.getMessage());
  }
}
