package dev.runnerset.controller.autoscalingrunnerset.status;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.Mending;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.crds.condition.RunnerSetReason;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.crds.condition.StatusConditions.Value;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The condition {@code Stalled} of a set, which repeats another one that only a user can mend
 * (WR3). Who waits for a set by kstatus, as GitOps and Helm do, fails at once when it is True. So
 * what stands beside the spec has a minute: it may be applied in the same batch.
 */
public final class StallCondition {
  /** How long what the spec needs beside it may be missing. */
  static final Duration BESIDE_SPEC = Duration.ofSeconds(60);

  /**
   * A problem beside the spec of that generation.
   *
   * @param since when this process first saw it
   */
  public record Seen(String reason, long generation, Instant since) {}

  /**
   * What is found.
   *
   * @param condition null while the set is not stalled
   * @param seen to be given to the next call; null for nothing
   * @param requeueAt when the set is stalled if nothing changes
   */
  public record Found(@Nullable Condition condition, @Nullable Seen seen, RequeueTime requeueAt) {}

  private StallCondition() {}

  /**
   * Whether a set with these conditions is stalled.
   *
   * @param conditions as they are about to be written, all of that generation
   * @param before the conditions as they stand
   * @param known what the last call found
   */
  public static Found of(
      List<Condition> conditions,
      List<Condition> before,
      @Nullable Seen known,
      long generation,
      Instant now) {
    var inSpec = first(conditions, Mending.SPEC);
    if (inSpec.isPresent()) {
      return new Found(repeated(inSpec.get(), before, generation, now), null, RequeueTime.NEVER);
    }
    var beside = first(conditions, Mending.BESIDE_SPEC);
    if (beside.isEmpty()) {
      return new Found(null, null, RequeueTime.NEVER);
    }
    var seen = new Seen(beside.get().getReason(), generation, now);
    if (known != null && known.equals(new Seen(seen.reason(), generation, known.since()))) {
      seen = known;
    }
    var due = seen.since().plus(BESIDE_SPEC);
    // a former process saw it for long enough, also when the clock was put back since
    boolean stands = stands(before, seen.reason(), generation);
    return stands || !now.isBefore(due)
        ? new Found(repeated(beside.get(), before, generation, now), seen, RequeueTime.NEVER)
        : new Found(null, seen, RequeueTime.at(due));
  }

  private static Optional<Condition> first(List<Condition> conditions, Mending mending) {
    return conditions.stream()
        .filter(StatusConditions::isProblem)
        .filter(c -> !ConditionType.TEMPLATE_WARNING.word().equals(c.getType())) // pods are made
        .filter(c -> Mending.of(Objects.requireNonNullElse(c.getReason(), "")) == mending)
        .findFirst();
  }

  private static boolean stands(List<Condition> before, String reason, long generation) {
    return StatusConditions.find(before, ConditionType.STALLED, Value.TRUE)
        .filter(c -> reason.equals(c.getReason()))
        .filter(c -> Objects.equals(c.getObservedGeneration(), generation))
        .isPresent();
  }

  private static Condition repeated(
      Condition problem, List<Condition> before, long generation, Instant now) {
    return StatusConditions.build(
        before,
        ConditionType.STALLED,
        Value.TRUE,
        Reason.mirrored(problem.getReason(), RunnerSetReason.READY),
        StatusConditions.message(problem),
        generation,
        now);
  }
}
