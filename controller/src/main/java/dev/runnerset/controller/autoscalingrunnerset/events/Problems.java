package dev.runnerset.controller.autoscalingrunnerset.events;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.crds.Timestamps;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.RunnerSetReason;
import dev.runnerset.crds.condition.StatusConditions;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.stream.Stream;

/**
 * Which conditions of a set are reported as a problem ({@link StatusConditions#isProblem}). What
 * the user asked for is none, and neither is the normal start of a set.
 *
 * @param messageByReason the problems of now; conditions that give the same reason are one problem
 * @param requeueAt when a start that goes on is no normal one any more
 */
record Problems(SequencedMap<String, String> messageByReason, RequeueTime requeueAt) {
  static Problems of(List<Condition> conditions, Instant now) {
    var messageByReason = new LinkedHashMap<String, String>();
    var requeueAt = RequeueTime.NEVER;
    for (var condition : mostSpecificFirst(conditions)) {
      var reason = Objects.requireNonNullElse(condition.getReason(), "");
      if (!StatusConditions.isProblem(condition)
          || RunnerSetReason.isAskedFor(reason)
          || RunnerSetReason.PENDING.word().equals(reason) // nobody has looked at the set
          || isOf(condition, ConditionType.STALLED)) { // it repeats another one
        continue;
      }
      if (reason.equals(RunnerSetReason.NO_LISTENER.word()) && !isRegistered(conditions)) {
        continue; // it follows from that, and the last event is what a person reads
      }
      var patientUntil = patientUntil(condition, reason);
      if (now.isBefore(patientUntil)) {
        requeueAt = requeueAt.or(patientUntil);
      } else {
        messageByReason.putIfAbsent(
            reason, condition.getType() + ": " + StatusConditions.message(condition));
      }
    }
    return new Problems(messageByReason, requeueAt);
  }

  /** Ready repeats what another condition says: that one is asked first. */
  private static List<Condition> mostSpecificFirst(List<Condition> conditions) {
    return Stream.concat(
            conditions.stream().filter(c -> !isOf(c, ConditionType.READY)),
            conditions.stream().filter(c -> isOf(c, ConditionType.READY)))
        .toList();
  }

  private static boolean isRegistered(List<Condition> conditions) {
    return conditions.stream()
        .filter(c -> isOf(c, ConditionType.REGISTERED))
        .noneMatch(StatusConditions::isProblem);
  }

  private static Instant patientUntil(Condition condition, String reason) {
    var since = Timestamps.parse(condition.getLastTransitionTime());
    return since != null && RunnerSetReason.isOfAStart(reason)
        ? since.plus(SetEventTimes.START)
        : Instant.EPOCH;
  }

  static boolean isOf(Condition condition, ConditionType type) {
    return type.word().equals(condition.getType());
  }
}
