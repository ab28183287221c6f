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
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The status of a set as it is to be, and the patch to get there. Pure. */
public record RunnerSetStatus(
    long observedGeneration,
    @Nullable Integer scaleSetId,
    @Nullable Integer runnerGroupId,
    String revision,
    List<Condition> conditions,
    @Nullable JobCounts jobs,
    @Nullable RunnerCounts runners,
    AdvertisedCapacity capacity,
    List<ChildReference> childReferences) {
  private static final ObjectMapper JSON = new ObjectMapper();

  public RunnerSetStatus {
    conditions = List.copyOf(conditions);
    childReferences = List.copyOf(childReferences);
  }

  public static AdvertisedCapacity capacity(CapacityPlan plan) {
    var limit = plan.limitedBy();
    return new AdvertisedCapacity(plan.advertised(), limit == null ? null : limit.word());
  }

  /** The children that there are, unless references are not wanted (RF1, RF5). */
  public static List<ChildReference> children(
      @Nullable EphemeralRunnerSet ers,
      @Nullable AutoScalingListener listener,
      EmbeddedStatus embedded) {
    return embedded.hasReferences()
        ? ChildReferences.of(Stream.of(ers, listener).flatMap(Stream::ofNullable).toList()).list()
        : List.of();
  }

  /** The service's counts, or null while nobody heard any. */
  public static @Nullable JobCounts jobs(@Nullable EphemeralRunnerSet ers) {
    var demand = ers == null || ers.getStatus() == null ? null : ers.getStatus().demand();
    return demand == null || demand.assigned() == null
        ? null
        : new JobCounts(demand.assigned(), demand.running() == null ? 0 : demand.running());
  }

  /** The runners' counts with the number that is wanted now. */
  public static @Nullable RunnerCounts runners(@Nullable EphemeralRunnerSet ers, int desired) {
    if (ers == null) {
      return null;
    }
    var counts = ers.getStatus() == null ? null : ers.getStatus().runners();
    return counts == null
        ? new RunnerCounts(desired, 0, 0, 0, 0, 0)
        : new RunnerCounts(
            desired,
            counts.live(),
            counts.pending(),
            counts.idle(),
            counts.busy(),
            counts.finished());
  }

  /** A merge patch of what differs, or empty; an absent id stays what it was. */
  public Optional<ObjectNode> patchFrom(AutoScalingRunnerSetStatus now) {
    var patch = JSON.createObjectNode();
    if (!Objects.equals(now.observedGeneration(), observedGeneration)) {
      patch.put("observedGeneration", observedGeneration);
    }
    if (scaleSetId != null && !scaleSetId.equals(now.scaleSetId())) {
      patch.put("scaleSetId", scaleSetId);
    }
    if (runnerGroupId != null && !runnerGroupId.equals(now.runnerGroupId())) {
      patch.put("runnerGroupId", runnerGroupId);
    }
    if (!revision.equals(now.revision())) {
      patch.put("revision", revision);
    }
    if (!conditions.equals(now.conditions())) {
      patch.set("conditions", JSON.valueToTree(conditions));
    }
    put(patch, "jobs", now.jobs(), jobs);
    put(patch, "runners", now.runners(), runners);
    put(patch, "capacity", now.capacity(), capacity);
    ChildReferences.change(now.childReferences(), childReferences)
        .ifPresent(change -> patch.set("childReferences", change));
    return patch.isEmpty() ? Optional.empty() : Optional.of(patch);
  }

  private static void put(
      ObjectNode patch, String field, @Nullable Object now, @Nullable Object wanted) {
    if (!Objects.equals(now, wanted)) {
      var value = JSON.createObjectNode();
      if (wanted != null) {
        value = JSON.valueToTree(wanted);
        // a merge patch keeps what it does not name
        var before = now == null ? JSON.createObjectNode() : JSON.<ObjectNode>valueToTree(now);
        for (var name : before.properties()) {
          if (!value.has(name.getKey())) {
            value.putNull(name.getKey());
          }
        }
        patch.set(field, value);
      } else {
        patch.putNull(field);
      }
    }
  }
}
