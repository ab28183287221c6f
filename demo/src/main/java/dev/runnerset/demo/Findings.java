package dev.runnerset.demo;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one scenario found beside the common figures. The components are fields of the JSON's {@code
 * extra}, where a boolean is 1 or 0.
 */
sealed interface Findings {
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

  /** Programs and kinds were replaced while jobs came. */
  record Upgrade(List<Change> changes, @JsonUnwrapped Kinds kinds, @JsonUnwrapped Stayed stayed)
      implements Findings {}

  /**
   * What was told of the kinds and of the listener.
   *
   * @param olderKindsToldMs until the set told that its kinds are too old; -1 for never
   * @param healedMs from the upgrade of the kinds until the set told so no longer; -1 for never
   * @param protocolLevel as the listener object has it in the end
   */
  record Kinds(long olderKindsToldMs, long healedMs, long protocolLevel) {}

  /**
   * What was to stay.
   *
   * @param objectsGone of the set, its EphemeralRunnerSet and its listener object
   * @param laterFieldsGone of those that neither version knows
   * @param runnersRemoved removal requests to the service
   */
  record Stayed(long objectsGone, long laterFieldsGone, long historyEntries, long runnersRemoved) {}

  /**
   * A part that is replaced.
   *
   * @param pair the programs that work together then
   * @param reads which of them reads what the former one wrote; empty for none
   */
  record Stage(String goes, String pair, String reads) {}

  /**
   * One part was replaced.
   *
   * @param longestWaitMs of a job that came meanwhile, from its queue to its start
   * @param takenOverMs until the next process held the lease
   * @param capacitySeconds until the service was told another limit; null for never
   * @param untold runners of jobs that came afterwards, and what they do not tell
   */
  record Change(
      @JsonUnwrapped Stage stage,
      long longestWaitMs,
      long takenOverMs,
      @Nullable Double capacitySeconds,
      @JsonUnwrapped Handover handover,
      List<String> untold) {}

  /**
   * What became of what the former process left.
   *
   * @param carriedOver jobs that ran before the change, and still after it
   * @param earlyUntold runners of jobs that came before it, and what they do not tell
   * @param keptWrongly finished runners: how many more or fewer there are than the set keeps
   * @param lostFields of the set and its children that were there before
   */
  record Handover(
      long carriedOver, List<String> earlyUntold, long keptWrongly, List<String> lostFields) {}

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

  /**
   * Sets were stalled.
   *
   * @param bystanderTroubles looks at which a set that nothing was done to told of a trouble
   * @param jobsLeft jobs of the stalled sets that were not done at the end
   * @param setsLeft sets that could not be deleted
   */
  record Stalls(
      List<Told> stalls,
      long bystanderTroubles,
      long jobsLeft,
      long jobsLost,
      long violations,
      long setsLeft)
      implements Findings {}

  /**
   * What one set said of what stalled it.
   *
   * @param said the condition; what the set said instead if it did not tell
   * @param left what it said at the end if it did not become well
   * @param registrations how many runners were registered from the cause to the repair
   * @param touched whether somebody changed the set
   */
  record Told(
      String set,
      @JsonUnwrapped Delays delays,
      String said,
      List<String> left,
      long registrations,
      @JsonFormat(shape = JsonFormat.Shape.NUMBER) boolean touched) {}

  /**
   * How long a set took to tell of what stalled it, and to become well.
   *
   * @param barSeconds how long it may take for either
   * @param toldSeconds from the cause to a condition of the set that tells of it; null if none did
   * @param eventSeconds from the cause to an event of the set that tells of it
   * @param metricSeconds from the cause to a series of the set with the condition's reason
   * @param healedSeconds from the repair to a set that is well; null if it did not become well
   */
  record Delays(
      long barSeconds,
      @Nullable Double toldSeconds,
      @Nullable Double eventSeconds,
      @Nullable Double metricSeconds,
      @Nullable Double healedSeconds) {}

  /**
   * Nodes were drained.
   *
   * @param retired runners that the service was asked to remove when two nodes were cordoned
   */
  record Drains(List<Drain> drains, long retired) implements Findings {}

  /**
   * What the drain of one node met.
   *
   * @param idleLeftSeconds from the cordon until no runner without a job was there; null if the
   *     drain did not wait for that
   * @param busyMet runners with a job that the drain met
   * @param idleMet runners without one
   * @param drainedSeconds until no pod was there; null if the drain did not complete
   * @param refusals evictions that were refused
   * @param evictions those that were carried out
   */
  record Drain(
      String node,
      @Nullable Double idleLeftSeconds,
      long busyMet,
      long idleMet,
      @Nullable Double drainedSeconds,
      long refusals,
      long evictions) {}

  /** Sets and parts of them were deleted. */
  record Deletions(List<Deleted> deletions) implements Findings {}

  /**
   * What became of one deletion.
   *
   * @param toldSeconds from the deletion to a condition that tells what it waits for; null if none
   *     did
   * @param goneSeconds until it was gone, from the moment at which nothing was in its way: the end
   *     of the last job, the repair, the start of the programs
   * @param said that condition; what was said instead if it did not tell
   * @param left what of the set was there at the end
   */
  record Deleted(
      String set,
      double barSeconds,
      @Nullable Double toldSeconds,
      @Nullable Double goneSeconds,
      String said,
      @JsonUnwrapped Killed killed,
      List<String> left) {}

  /**
   * Jobs that did not end by themselves.
   *
   * @param jobsForced how many of them somebody wanted to be killed
   */
  record Killed(long jobsKilled, long jobsForced) {}

  /**
   * Faults of many kinds came under running jobs.
   *
   * @param seed the order of the faults and the jobs follow from it
   * @param faults a row for each time that a fault came
   * @param leftOut faults that cannot be brought about here
   */
  record Chaos(
      long seed,
      List<UnderFault> faults,
      List<String> leftOut,
      @JsonUnwrapped Convergence convergence)
      implements Findings {}

  /**
   * What became of everything after the last fault.
   *
   * @param doneSeconds from the end of the last fault until every job was done
   * @param clearSeconds from the end of the last fault until nothing was left of the sets, in the
   *     cluster and at the services; they were deleted when every job was done
   * @param lost jobs that were lost, as the services count
   * @param killedAtNode jobs whose pod was gone before they ended, as the node counts
   */
  record Convergence(
      long jobs, double doneSeconds, double clearSeconds, long lost, long killedAtNode) {}

  /**
   * What one fault did.
   *
   * @param barSeconds within which sets must tell it; what they say is to be no older
   * @param wellWithinSeconds within which all sets must be well again after its end
   * @param jobsDone jobs that ended from its begin to the end of the run
   * @param restarts how often a program was started again
   */
  record UnderFault(
      String fault,
      long barSeconds,
      long wellWithinSeconds,
      @JsonUnwrapped FaultTimes times,
      @JsonUnwrapped TruthOfStatus truth,
      long jobsDone,
      long restarts) {}

  /**
   * How long a fault and its traces lasted.
   *
   * @param toldSeconds from its begin to a condition that tells of it; null if none did
   * @param wellSeconds from its end until each set was well; null if one did not become well
   */
  record FaultTimes(
      @Nullable Double heldSeconds, @Nullable Double toldSeconds, @Nullable Double wellSeconds) {}

  /**
   * What sets said of themselves under a fault.
   *
   * @param mustTell whether a condition had to tell of the fault
   * @param said the condition that told
   * @param untrue what was said and was not so
   * @param oldestNumbersSeconds how old the numbers of jobs were at most, while no trouble was told
   * @param longestWaitSeconds how long a job waited at most for its start while its set said that
   *     it was well
   * @param unreadableSeconds for how long nobody could read the sets at most
   */
  record TruthOfStatus(
      boolean mustTell,
      String said,
      List<String> untrue,
      double oldestNumbersSeconds,
      double longestWaitSeconds,
      double unreadableSeconds) {}
}
