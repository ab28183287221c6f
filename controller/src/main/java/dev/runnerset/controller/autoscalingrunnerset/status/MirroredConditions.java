package dev.runnerset.controller.autoscalingrunnerset.status;

import dev.runnerset.crds.AutoScalingListenerStatus;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.crds.condition.StatusConditions.Value;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The conditions of a set's children that the set repeats: those whose type both have ({@link
 * ConditionType#mirroredFrom}), while they are True.
 */
public final class MirroredConditions {
  private MirroredConditions() {}

  /** What the set repeats; first of its EphemeralRunnerSet, then of its listener object. */
  public static List<Condition> of(
      @Nullable EphemeralRunnerSet ers, @Nullable AutoScalingListenerStatus listener) {
    var ofRunners =
        ers == null
            ? Stream.<Condition>empty()
            : standing(ers.statusOrNone().conditions(), ConditionType.Kind.EPHEMERAL_RUNNER_SET);
    var ofListener =
        listener == null
            ? Stream.<Condition>empty()
            : standing(listener.conditions(), ConditionType.Kind.AUTOSCALING_LISTENER);
    return Stream.concat(ofRunners, ofListener).toList();
  }

  private static Stream<Condition> standing(List<Condition> conditions, ConditionType.Kind child) {
    return ConditionType.mirroredFrom(child).stream()
        .flatMap(type -> StatusConditions.find(conditions, type, Value.TRUE).stream());
  }
}
