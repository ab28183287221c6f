package dev.runnerset.controller.autoscalingrunnerset.status;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.controller.references.ChildReferences;
import dev.runnerset.controller.references.EmbeddedStatus;
import dev.runnerset.controller.scaling.CapacityPlan;
import dev.runnerset.crds.AdvertisedCapacity;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingRunnerSetStatus;
import dev.runnerset.crds.ChildReference;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.JobCounts;
import dev.runnerset.crds.RunnerCounts;
import dev.runnerset.crds.ScheduleStatus;
import dev.runnerset.kube.MergeDiff;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The status of a runner set as it must be, and the patch that makes it so.
 *
 * @param registered the scale set; null leaves the ids in the status as they are
 * @param schedule null for a set without one
 */
public record RunnerSetStatus(
    long observedGeneration,
    String revision,
    Registration.@Nullable Registered registered,
    List<Condition> conditions,
    Counts counts,
    @Nullable ScheduleStatus schedule,
    List<ChildReference> childReferences) {
  private static final ObjectMapper JSON = new ObjectMapper();

  public RunnerSetStatus {
    conditions = List.copyOf(conditions);
    childReferences = List.copyOf(childReferences);
  }

  /**
   * The numbers in a status.
   *
   * @param jobs null while the service has told none
   * @param runners null while there is no EphemeralRunnerSet
   */
  public record Counts(
      @Nullable JobCounts jobs, @Nullable RunnerCounts runners, AdvertisedCapacity capacity) {
    /**
     * The numbers of a runner set whose EphemeralRunnerSet is {@code ers}.
     *
     * @param desired how many runners are wanted now
     */
    public static Counts of(@Nullable EphemeralRunnerSet ers, int desired, CapacityPlan plan) {
      var limit = plan.limitedBy();
      var capacity =
          new AdvertisedCapacity(plan.advertised(), limit == null ? null : limit.reason().word());
      return new Counts(RunnerSetStatus.jobs(ers), RunnerSetStatus.runners(ers, desired), capacity);
    }
  }

  /** References to the children that exist, unless references are off (RF1, RF5). */
  public static List<ChildReference> children(
      @Nullable EphemeralRunnerSet ers,
      @Nullable AutoScalingListener listener,
      EmbeddedStatus embedded) {
    return embedded.hasReferences()
        ? ChildReferences.of(Stream.of(ers, listener).flatMap(Stream::ofNullable).toList()).list()
        : List.of();
  }

  /** The service's counts; null while it has told none. */
  public static @Nullable JobCounts jobs(@Nullable EphemeralRunnerSet ers) {
    var demand = ers == null ? null : ers.statusOrNone().demand();
    return demand == null || demand.assigned() == null
        ? null
        : JobCounts.of(demand.assigned(), demand.running(), demand.available());
  }

  /** The runners' counts, with the number that is wanted now. */
  private static @Nullable RunnerCounts runners(@Nullable EphemeralRunnerSet ers, int desired) {
    if (ers == null) {
      return null;
    }
    var counts = ers.statusOrNone().runners();
    return counts == null
        ? new RunnerCounts(desired, 0, 0, 0, 0, 0, 0)
        : new RunnerCounts(
            desired,
            counts.live(),
            counts.pending(),
            counts.idle(),
            counts.busy(),
            counts.finished(),
            counts.stuck());
  }

  /** A merge patch of what differs from the status as it is now; empty if nothing does. */
  public Optional<ObjectNode> patchFrom(AutoScalingRunnerSetStatus now) {
    var patch = JSON.createObjectNode();
    if (!Objects.equals(now.observedGeneration(), observedGeneration)) {
      patch.put("observedGeneration", observedGeneration);
    }
    if (registered != null) {
      putId(patch, "scaleSetId", now.scaleSetId(), registered.id().value());
      putId(patch, "runnerGroupId", now.runnerGroupId(), registered.group().value());
    }
    if (!revision.equals(now.revision())) {
      patch.put("revision", revision);
    }
    if (!conditions.equals(now.conditions())) {
      patch.set("conditions", JSON.valueToTree(conditions));
    }
    put(patch, "jobs", now.jobs(), counts.jobs());
    put(patch, "runners", now.runners(), counts.runners());
    put(patch, "capacity", now.capacity(), counts.capacity());
    put(patch, "schedule", now.schedule(), schedule);
    ChildReferences.change(now.childReferences(), childReferences)
        .ifPresent(change -> patch.set("childReferences", change));
    return patch.isEmpty() ? Optional.empty() : Optional.of(patch);
  }

  private static void putId(ObjectNode patch, String field, @Nullable Integer now, int wanted) {
    if (now == null || now != wanted) {
      patch.put(field, wanted);
    }
  }

  private static void put(
      ObjectNode patch, String field, @Nullable Object now, @Nullable Object wanted) {
    if (wanted != null) {
      var before = now == null ? JSON.createObjectNode() : JSON.<ObjectNode>valueToTree(now);
      MergeDiff.between(before, JSON.<ObjectNode>valueToTree(wanted))
          .ifPresent(difference -> patch.set(field, difference));
    } else if (now != null) {
      patch.putNull(field);
    }
  }
}
