package dev.runnerset.controller.hooks;

import dev.runnerset.base.Pure;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.StatusConditions;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A condition of an object, and how it is judged at each reconcile.
 *
 * @param verdict from what was observed; empty if the condition is not there
 * @param <I> what is observed
 */
@Pure
public record ConditionRule<I>(ConditionType type, Function<I, Optional<Verdict>> verdict) {
  /** The verdict on what was observed; empty if the condition is not there. */
  public Optional<Verdict> of(I observed) {
    return verdict.apply(observed);
  }

  /**
   * The conditions that are there, in the order of their rules.
   *
   * @param before the conditions as they stand
   * @param generation of the spec that was judged
   * @param now the transition time of those whose status changed
   */
  public static <I> Stream<Condition> conditions(
      List<ConditionRule<I>> rules,
      I observed,
      List<Condition> before,
      long generation,
      Instant now) {
    return conditions(verdicts(rules, observed), before, generation, now);
  }

  /** The verdicts of the conditions that are there, in the order of their rules. */
  public static <I> SequencedMap<ConditionType, Verdict> verdicts(
      List<ConditionRule<I>> rules, I observed) {
    var verdicts = new LinkedHashMap<ConditionType, Verdict>();
    rules.forEach(rule -> rule.of(observed).ifPresent(found -> verdicts.put(rule.type, found)));
    return verdicts;
  }

  /** Like the other method, from verdicts. */
  public static Stream<Condition> conditions(
      SequencedMap<ConditionType, Verdict> verdicts,
      List<Condition> before,
      long generation,
      Instant now) {
    return verdicts.entrySet().stream()
        .map(entry -> {
          var verdict = entry.getValue();
          return StatusConditions.build(
              before,
              entry.getKey(),
              verdict.value(),
              verdict.reason(),
              verdict.message(),
              generation,
              now);
        });
  }
}
