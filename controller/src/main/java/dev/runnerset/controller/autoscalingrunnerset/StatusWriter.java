package dev.runnerset.controller.autoscalingrunnerset;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.autoscalingrunnerset.status.Registration;
import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.timing.Pause;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.AutoScalingRunnerSetStatus;
import dev.runnerset.crds.AutoScalingRunnerSetStatusBuilder;
import dev.runnerset.crds.HistoryEntry;
import dev.runnerset.crds.ScaleSetProvenance;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.MergePatch;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes the status of runner sets: one merge patch of what differs, per set once a second. Which
 * limits a schedule sets is written at once: that changes a few times a day.
 */
public final class StatusWriter {
  public static final Duration INTERVAL = Duration.ofSeconds(1);

  private static final int CONFLICT = 409;
  private static final String HISTORY = "history";

  /** What changes a few times a day does not wait for its turn. */
  private static final List<String> AT_ONCE = List.of("schedule", HISTORY);

  private static final List<String> ENTRY_KEY = List.of("revision", "startedTime");

  private static final Set<String> ENTRY_FIELDS =
      Arrays.stream(HistoryEntry.class.getRecordComponents())
          .map(RecordComponent::getName)
          .collect(Collectors.toSet());

  private final KubeApi kube;
  private final Map<String, Instant> notBeforeByUid;

  public StatusWriter(KubeApi kube, Memories memories) {
    this.notBeforeByUid = memories.byUid();
    this.kube = kube;
  }

  /**
   * Writes what differs, unless it is too early.
   *
   * @param wanted made from the status of {@code set}
   * @param stored called when something was written
   * @return when to try again; never if nothing is left to write
   */
  public RequeueTime write(
      AutoScalingRunnerSet set,
      AutoScalingRunnerSetStatus wanted,
      WriteCache cache,
      Instant now,
      Runnable stored) {
    var patch = MergePatch.between(set.statusOrNone(), wanted);
    if (patch.isEmpty()) {
      return RequeueTime.NEVER;
    }
    var uid = set.getMetadata().getUid();
    var notBefore = notBeforeByUid.getOrDefault(uid, Instant.EPOCH);
    if (AT_ONCE.stream().noneMatch(patch.get()::has) && Pause.isOn(notBefore, INTERVAL, now)) {
      return RequeueTime.at(notBefore);
    }
    notBeforeByUid.put(uid, now.plus(INTERVAL));
    if (patch.get().get(HISTORY) instanceof ArrayNode entries) {
      try {
        keepUnknown(set, entries);
        patchedUnlessChanged(set, patch.get(), cache);
      } catch (KubernetesClientException e) {
        if (e.getCode() != CONFLICT) {
          throw e;
        }
        return RequeueTime.at(now.plus(INTERVAL)); // it is computed again from what stands then
      }
    } else {
      var _ = patched(set, patch.get(), cache);
    }
    stored.run();
    return RequeueTime.NEVER;
  }

  /** The list is written as a whole: an entry keeps what a newer version wrote into it. */
  private void keepUnknown(AutoScalingRunnerSet set, ArrayNode entries) {
    for (var there : kube.getWhole(Resource.of(set)).at("/status/history")) {
      for (var entry : entries) {
        if (ENTRY_KEY.stream().allMatch(field -> there.path(field).equals(entry.path(field)))) {
          there.properties().stream()
              .filter(field -> !ENTRY_FIELDS.contains(field.getKey()))
              .forEach(field -> ((ObjectNode) entry).set(field.getKey(), field.getValue()));
        }
      }
    }
  }

  /**
   * Writes what differs, at once, as before the service is asked, which may take long. Neither
   * waits for an earlier write, nor makes the next one wait.
   *
   * @param wanted made from the status of {@code set}
   */
  public AutoScalingRunnerSet atOnce(
      AutoScalingRunnerSet set, AutoScalingRunnerSetStatus wanted, WriteCache cache) {
    return MergePatch.between(set.statusOrNone(), wanted)
        .map(patch -> patched(set, patch, cache))
        .orElse(set);
  }

  private AutoScalingRunnerSet patched(
      AutoScalingRunnerSet set, ObjectNode status, WriteCache cache) {
    var changed = kube.mergeStatus(AutoScalingRunnerSet.class, Resource.of(set), status);
    cache.changed(set, changed);
    return changed;
  }

  /** Writes the id of the scale set at once, and who made it, so that no crash loses them. */
  public AutoScalingRunnerSet registered(
      AutoScalingRunnerSet set, Registration.Registered registered, WriteCache cache) {
    return Integer.valueOf(registered.id().value()).equals(set.statusOrNone().scaleSetId())
        ? set
        : atOnce(
            set,
            status(set)
                .scaleSetId(registered.id().value())
                .runnerGroupId(registered.group().value())
                .scaleSet(new ScaleSetProvenance(registered.origin(), null))
                .build(),
            cache);
  }

  /** Writes which scale set is about to be made, or, with null, that none is (NM5). */
  public AutoScalingRunnerSet making(
      AutoScalingRunnerSet set, ScaleSetProvenance.@Nullable Intent intent, WriteCache cache) {
    var provenance = new ScaleSetProvenance(set.statusOrNone().scaleSetOrigin(), intent);
    return atOnce(set, status(set).scaleSet(provenance).build(), cache);
  }

  private static AutoScalingRunnerSetStatusBuilder status(AutoScalingRunnerSet set) {
    return AutoScalingRunnerSetStatusBuilder.builder(set.statusOrNone());
  }

  /** Writes that the set belongs to that controller, unless somebody else wrote meanwhile. */
  AutoScalingRunnerSet claimed(AutoScalingRunnerSet set, String controller, WriteCache cache) {
    var conditions = set.statusOrNone().conditions();
    return unlessChanged(
        set,
        status ->
            status
                .controller(controller)
                .conditions(StatusConditions.without(conditions, ConditionType.OTHER_CONTROLLER)),
        cache);
  }

  /** Writes one condition, unless somebody wrote meanwhile. */
  AutoScalingRunnerSet report(AutoScalingRunnerSet set, Condition condition, WriteCache cache) {
    var conditions = StatusConditions.with(set.statusOrNone().conditions(), condition);
    return unlessChanged(set, status -> status.conditions(conditions), cache);
  }

  private AutoScalingRunnerSet unlessChanged(
      AutoScalingRunnerSet set,
      UnaryOperator<AutoScalingRunnerSetStatusBuilder> change,
      WriteCache cache) {
    var before = set.statusOrNone();
    var after = change.apply(AutoScalingRunnerSetStatusBuilder.builder(before)).build();
    var patch = MergePatch.between(before, after);
    if (patch.isEmpty()) {
      return set;
    }
    return patchedUnlessChanged(set, patch.get(), cache);
  }

  private AutoScalingRunnerSet patchedUnlessChanged(
      AutoScalingRunnerSet set, ObjectNode status, WriteCache cache) {
    var body = JsonNodeFactory.instance.objectNode();
    body.putObject("metadata").put("resourceVersion", set.getMetadata().getResourceVersion());
    body.set("status", status);
    var changed = kube.mergeStatusBody(AutoScalingRunnerSet.class, Resource.of(set), body);
    cache.changed(set, changed);
    return changed;
  }

  /** Whether the status has a condition Registered for the present spec. */
  static boolean tellsOfRegistration(AutoScalingRunnerSet set) {
    var generation = set.getMetadata().getGeneration();
    return StatusConditions.find(set.statusOrNone().conditions(), ConditionType.REGISTERED)
        .filter(c -> Objects.equals(c.getObservedGeneration(), generation))
        .isPresent();
  }
}
