package dev.runnerset.controller.hooks;

import dev.runnerset.base.Pure;
import dev.runnerset.crds.condition.ConditionType;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the last pass over an EphemeralRunnerSet found wrong with its runners. The pass over the
 * runner set judges by it, so that no decision rests on conditions that were written for people.
 *
 * @param verdicts by the type of the condition, each of them True
 */
@Pure
public record RunnersReport(Map<ConditionType, Verdict> verdicts) {
  /** Nothing is wrong. */
  public static final RunnersReport NONE = new RunnersReport(Map.of());

  /** Copies the verdicts. */
  public RunnersReport {
    verdicts = Map.copyOf(verdicts);
  }

  /** The verdict of that type; empty if there is nothing to report. */
  public Optional<Verdict> of(ConditionType type) {
    return Optional.ofNullable(verdicts.get(type));
  }

  /** This report and one more verdict. */
  public RunnersReport with(ConditionType type, Verdict verdict) {
    var all = new EnumMap<ConditionType, Verdict>(ConditionType.class);
    all.putAll(verdicts);
    all.put(type, verdict);
    return new RunnersReport(all);
  }
}
