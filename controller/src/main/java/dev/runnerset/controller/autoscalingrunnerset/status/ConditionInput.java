package dev.runnerset.controller.autoscalingrunnerset.status;

import dev.runnerset.controller.hooks.RunnersReport;
import dev.runnerset.controller.scaling.CapacityPlan;
import dev.runnerset.crds.AutoScalingListenerStatus;
import dev.runnerset.crds.JobCounts;
import dev.runnerset.crds.RunnerCounts;
import dev.runnerset.crds.RunnerMode;
import org.jspecify.annotations.Nullable;

/**
 * What the conditions of a runner set are computed from.
 *
 * @param maximum the field that bounds the runners now
 * @param jobs the service's counts; null while it has reported none
 * @param listener the status of its listener object; null while that object does not exist
 * @param counts of its runners; null while there is no EphemeralRunnerSet
 * @param runners what is wrong with its runners
 */
public record ConditionInput(
    RunnerMode mode,
    String maximum,
    @Nullable JobCounts jobs,
    Obstacles obstacles,
    @Nullable AutoScalingListenerStatus listener,
    CapacityPlan capacity,
    @Nullable RunnerCounts counts,
    RunnersReport runners) {
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
      @Nullable Finding cluster) {
    /** What is being deleted waits for that. */
    public static Obstacles ofDeletion(String sentence, Registration registration) {
      return new Obstacles(sentence, TemplateFindings.NONE, false, registration, null);
    }

    /** The same with another template finding. */
    public Obstacles with(TemplateFindings findings) {
      return new Obstacles(deletion, findings, formerTemplate, registration, cluster);
    }
  }
}
