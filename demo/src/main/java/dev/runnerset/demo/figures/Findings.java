package dev.runnerset.demo.figures;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.jspecify.annotations.Nullable;

/**
 * What one scenario found beside the common figures. The components are fields of the JSON's {@code
 * extra}, where a boolean is 1 or 0.
 */
public sealed interface Findings {
  /** Of scenarios that the common figures are enough for. */
  record None() implements Findings {}

  /** A program was killed under load. */
  record Restart(long pollsBeforeRestart, long restartToAllDoneMs) implements Findings {}

  /**
   * Jobs came steadily.
   *
   * @param removedWarm warm runners that were removed while jobs came
   */
  record Steady(long removedWarm) implements Findings {}

  /**
   * Nothing happened for a while.
   *
   * @param idleWrites null where the API server cannot be asked
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Idle(@Nullable Long idleWrites, long idleCalls) implements Findings {}

  /** Warm runners were collected for their age. */
  record IdleAge(
      @JsonUnwrapped Pool pool,
      @JsonUnwrapped Ages ages,
      @JsonUnwrapped Collected collected,
      @JsonFormat(shape = JsonFormat.Shape.NUMBER) boolean toldByConfigz)
      implements Findings {}

  /**
   * The warm runners while they were collected and no job was there.
   *
   * @param leastIdle the fewest idle runners at any time
   * @param poolFilledAgain how often the last missing warm runner became idle
   * @param leastReplicas the lowest number of runners asked for
   */
  record Pool(long leastIdle, long poolFilledAgain, long leastReplicas) {}

  /**
   * For how long the containers of collected runners had run; -1 where none was collected.
   *
   * @param firstMs of the first one, by the set's own age
   * @param afterRestartMs of the first one after the controller was killed, by the operator's age
   * @param sinceRestartMs from the start of the new controller to that removal
   * @param whileNever how many were removed while the set's own age was never
   * @param annotatedStays whether the oldest was there until then, which was annotated
   */
  record Ages(
      long firstMs,
      long afterRestartMs,
      long sinceRestartMs,
      long whileNever,
      @JsonFormat(shape = JsonFormat.Shape.NUMBER) boolean annotatedStays) {}

  /**
   * What was counted.
   *
   * @param removedBeforeTheEnd removals that succeeded at the service, before the set was deleted
   * @param collectedForAge by the controller, before it was killed and after
   */
  record Collected(long removedBeforeTheEnd, long collectedForAge, long collectedForCapacity) {}

  /**
   * The references of a set, summed up over all looks at them.
   *
   * @param wrongLists looks at which the list of runners was not right in time
   * @param wrongListsOfTheSet looks at which the set did not name its two children
   * @param staleFields fields of a form that the flag no longer wanted
   * @param unexplained references without a valid reason or with another revision
   * @param bytesAReference the longest one; null when there was none
   * @param parentWritesInQuiet status writes while only runners changed; null where the API server
   *     cannot be asked
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record References(
      long wrongLists,
      long wrongListsOfTheSet,
      long staleFields,
      long unexplained,
      long forDemand,
      @Nullable Long bytesAReference,
      @Nullable Long parentWritesInQuiet)
      implements Findings {}

  /** Finished runners were kept, by rules that changed. */
  record Retention(
      long jobsAtFirst,
      @JsonUnwrapped AtCompletion atCompletion,
      @JsonUnwrapped AfterChanges afterChanges,
      @JsonUnwrapped Failures failures,
      @JsonUnwrapped Annotation annotation,
      @JsonUnwrapped Traces traces,
      @JsonUnwrapped Times times)
      implements Findings {}

  /**
   * What finished runners have, while a limit keeps them all.
   *
   * @param halfTold runners whose status does not say their end in one piece
   * @param secrets secrets of runners that are left
   * @param registrations registrations that are left
   * @param counted runners that the set counts as live, idle or busy
   */
  record AtCompletion(
      long kept, long halfTold, long secrets, long pods, long registrations, long counted) {}

  /**
   * Finished runners that stay or go against the rules after each change of them.
   *
   * @param wrongOnes after a lower limit
   * @param takenByTime after a time was set, which is not for older ones
   * @param takenWithItsRule after all rules were removed: those that finished before stay
   * @param wrongByDefault after failures with a rule for good ones only: the three newest stay
   */
  record AfterChanges(
      long wrongOnes, long takenByTime, long takenWithItsRule, long wrongByDefault) {}

  /**
   * Runners crashed, with a limit for failed ones and no pods kept.
   *
   * @param wrongFailed failed runners that stay or go against their limit
   * @param lostGood runners that ended well before, and went
   * @param podsOfFailed pods of them that are left
   * @param failedByJob runners that count as failed for their job alone, after one failed
   */
  record Failures(long wrongFailed, long lostGood, long podsOfFailed, long failedByJob) {}

  /**
   * One runner had the annotation that retains it.
   *
   * @param held looks at which it was there, though a limit, a time or no rule at all would have
   *     deleted it; of three
   * @param leftWithout 1 if it was still there when the annotation was taken away, else 0
   */
  record Annotation(long held, long leftWithout) {}

  /**
   * How long runners with a time were kept after their end.
   *
   * @param shortestGoodMs -1 if not each of them was seen to end well and to go
   * @param shortestFailedMs -1 if not each of them was seen to fail and to go
   * @param longestMs of both
   */
  record Times(long shortestGoodMs, long shortestFailedMs, long longestMs) {}

  /**
   * What the changes of the rules left behind.
   *
   * @param revisions distinct revisions of the set
   * @param events that tell of a deletion
   */
  record Traces(long revisions, long historyEntries, long events) {}

  /**
   * The image changed under running jobs.
   *
   * @param leastWarm the fewest idle runners at any time
   * @param imagesOfIdlePods distinct images
   */
  record History(
      long busyOnTheOldImage,
      long leastWarm,
      @JsonFormat(shape = JsonFormat.Shape.NUMBER) boolean historyAsExpected,
      long idleOfAnOlderImage,
      long imagesOfIdlePods,
      @JsonUnwrapped FullHistory fullHistory)
      implements Findings {}

  /**
   * What became of a history that was full before.
   *
   * @param leastWorthGone whether the entries that are worth least went, and no others
   * @param initialStays whether the initial one is still there
   */
  record FullHistory(
      long entries,
      @JsonFormat(shape = JsonFormat.Shape.NUMBER) boolean leastWorthGone,
      @JsonFormat(shape = JsonFormat.Shape.NUMBER) boolean initialStays) {}

  /**
   * A schedule was followed.
   *
   * @param changes changes of limits, each after a jump of the clock
   * @param toldBefore changes that the status told before they came
   * @param rightAfter changes after which limits, capacity and idle runners were as they must be
   * @param worstLagMs from a change to its status, at most
   * @param sessions sessions that were opened at the service
   * @param rollouts entries of the history; the first one is the making of the set
   * @param modesTold 1 if Paused, Draining and Drained were told, else 0
   */
  record Schedule(
      long changes,
      long toldBefore,
      long rightAfter,
      long worstLagMs,
      long sessions,
      long rollouts,
      long modesTold)
      implements Findings {}
}
