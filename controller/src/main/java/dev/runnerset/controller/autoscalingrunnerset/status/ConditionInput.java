package dev.runnerset.controller.autoscalingrunnerset.status;

import dev.runnerset.controller.scaling.CapacityPlan;
import dev.runnerset.controller.schedule.Limits;
import dev.runnerset.crds.AutoScalingListenerStatus;
import dev.runnerset.crds.JobCounts;
import dev.runnerset.crds.Retention;
import dev.runnerset.crds.RunnerCounts;
import dev.runnerset.crds.RunnerMode;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the conditions of a runner set are computed from.
 *
 * @param jobs the service's counts; null while it has told none
 * @param listener the status of its listener object; null while that object does not exist
 */
public record ConditionInput(
    RunnerMode mode,
    Fields fields,
    @Nullable JobCounts jobs,
    Obstacles obstacles,
    @Nullable AutoScalingListenerStatus listener,
    CapacityPlan capacity,
    RunnerFacts runners) {

  /**
   * Fields of the spec that may not do what they say.
   *
   * @param retention the set's rules for finished runners; null if it has none
   * @param shieldLacks what is missing for {@code spec.protection}; null if nothing
   * @param upgrade which part of the installation is too old for the others; null if none is
   * @param limits what the schedule makes of the limits now
   */
  public record Fields(
      @Nullable Retention retention,
      @Nullable Finding shieldLacks,
      @Nullable Finding upgrade,
      Limits limits) {
    /** None of them is set. */
    public static final Fields NONE = new Fields(null, null, null, Limits.DEFAULT);
  }

  /**
   * What keeps the set from running jobs.
   *
   * @param deletion what its deletion waits for; null while it is not being deleted
   * @param template what the API server has against its template
   * @param formerTemplate whether runners of an accepted template before it are made meanwhile
   * @param cluster why its children could not be written; null if they were
   */
  public record Obstacles(
      @Nullable String deletion,
      TemplateFindings template,
      boolean formerTemplate,
      Registration registration,
      @Nullable Finding cluster) {}

  /**
   * What is known of its runners.
   *
   * @param counts null while there is no EphemeralRunnerSet
   * @param mirrored the conditions of the children that the set repeats
   * @param rolloutStalled why its rollout makes no progress; null if it does
   */
  public record RunnerFacts(
      @Nullable RunnerCounts counts,
      List<Condition> mirrored,
      @Nullable String rolloutStalled,
      AgeCollection ages) {
    public RunnerFacts {
      mirrored = List.copyOf(mirrored);
    }

    /** No runners, or nothing wrong with them. */
    public static final RunnerFacts NONE =
        new RunnerFacts(null, List.of(), null, AgeCollection.NONE);
  }

  /**
   * What age collection did.
   *
   * @param refused why the set's own maximum age is not followed; null if it is, or if it has none
   * @param failing why the last sweep could not remove what it should; null if it could
   * @param thrashing that too many were removed since the last job; null if not
   */
  public record AgeCollection(
      @Nullable Finding refused, @Nullable String failing, @Nullable String thrashing) {
    /** Nothing was refused and nothing collected. */
    public static final AgeCollection NONE = new AgeCollection(null, null, null);
  }
}
