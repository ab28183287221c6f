package dev.runnerset.controller.autoscalingrunnerset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.autoscalingrunnerset.status.Registration;
import dev.runnerset.controller.autoscalingrunnerset.status.RunnerSetStatus;
import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.gc.CollectionState;
import dev.runnerset.controller.timing.Pause;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.ScaleSetProvenance;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes the status of runner sets: one merge patch of what differs, per set once a second. Which
 * limits a schedule sets is written at once: that changes a few times a day.
 */
public final class StatusWriter {
  public static final Duration INTERVAL = Duration.ofSeconds(1);

  private static final ObjectMapper JSON = new ObjectMapper();

  private final KubeApi kube;
  private final Map<String, Instant> notBeforeByUid = new ConcurrentHashMap<>();

  public StatusWriter(KubeApi kube) {
    this.kube = kube;
  }

  /**
   * Writes what differs, unless it is too early.
   *
   * @return when to try again; never if nothing is left to write
   */
  public RequeueTime write(
      AutoScalingRunnerSet set, RunnerSetStatus wanted, WriteCache cache, Instant now) {
    var patch = wanted.patchFrom(set.statusOrNone());
    if (patch.isEmpty()) {
      return RequeueTime.NEVER;
    }
    var uid = set.getMetadata().getUid();
    var notBefore = notBeforeByUid.getOrDefault(uid, Instant.EPOCH);
    if (!patch.get().has("schedule") && Pause.isOn(notBefore, INTERVAL, now)) {
      return RequeueTime.at(notBefore);
    }
    notBeforeByUid.put(uid, now.plus(INTERVAL));
    cache.changed(set, kube.mergeStatus(AutoScalingRunnerSet.class, Resource.of(set), patch.get()));
    return RequeueTime.NEVER;
  }

  /**
   * Writes what differs, at once: to be called before the service is asked, which may take long.
   * Neither waits for an earlier write, nor makes the next one wait.
   */
  public AutoScalingRunnerSet beforeAsking(
      AutoScalingRunnerSet set, RunnerSetStatus wanted, WriteCache cache) {
    var patch = wanted.patchFrom(set.statusOrNone());
    if (patch.isEmpty()) {
      return set;
    }
    var changed = kube.mergeStatus(AutoScalingRunnerSet.class, Resource.of(set), patch.get());
    cache.changed(set, changed);
    return changed;
  }

  /** Writes the id of the scale set at once, and who made it, so that no crash loses them. */
  public AutoScalingRunnerSet registered(
      AutoScalingRunnerSet set, Registration.Registered registered, WriteCache cache) {
    if (Integer.valueOf(registered.id().value()).equals(set.statusOrNone().scaleSetId())) {
      return set;
    }
    var patch =
        JsonNodeFactory.instance
            .objectNode()
            .put("scaleSetId", registered.id().value())
            .put("runnerGroupId", registered.group().value());
    var origin = registered.origin();
    patch
        .putObject("scaleSet")
        .put("origin", origin == null ? null : origin.word())
        .putNull("intent");
    var changed = kube.mergeStatus(AutoScalingRunnerSet.class, Resource.of(set), patch);
    cache.changed(set, changed);
    return changed;
  }

  /** Writes which scale set is about to be made, or, with null, that none is (NM5). */
  public AutoScalingRunnerSet making(
      AutoScalingRunnerSet set, ScaleSetProvenance.@Nullable Intent intent, WriteCache cache) {
    var patch = JsonNodeFactory.instance.objectNode();
    if (intent == null) {
      patch.putObject("scaleSet").putNull("intent");
    } else {
      patch
          .putObject("scaleSet")
          .putObject("intent")
          .put("name", intent.name())
          .put("runnerGroupId", intent.runnerGroupId())
          .put("at", intent.at().toString());
    }
    var changed = kube.mergeStatus(AutoScalingRunnerSet.class, Resource.of(set), patch);
    cache.changed(set, changed);
    return changed;
  }

  /** Writes the memory of age collection at once: the wanted number of runners depends on it. */
  public AutoScalingRunnerSet collected(
      AutoScalingRunnerSet set, CollectionState state, WriteCache cache) {
    var patch = JsonNodeFactory.instance.objectNode();
    if (state.released() > 0) {
      patch.put("releasedIdle", state.released());
    } else {
      patch.putNull("releasedIdle");
    }
    if (state.since() == null) {
      patch.putNull("idleCollections");
    } else {
      patch
          .putObject("idleCollections")
          .put("count", state.collected())
          .put("since", state.since().toString());
    }
    var changed = kube.mergeStatus(AutoScalingRunnerSet.class, Resource.of(set), patch);
    cache.changed(set, changed);
    return changed;
  }

  /** Writes that the set belongs to that controller, unless somebody else wrote meanwhile. */
  AutoScalingRunnerSet claimed(AutoScalingRunnerSet set, String controller, WriteCache cache) {
    var told =
        StatusConditions.find(set.statusOrNone().conditions(), ConditionType.OTHER_CONTROLLER);
    var status = JsonNodeFactory.instance.objectNode().put("controller", controller);
    if (told.isPresent()) {
      var rest =
          StatusConditions.without(set.statusOrNone().conditions(), ConditionType.OTHER_CONTROLLER);
      status.set("conditions", JSON.valueToTree(rest));
    }
    return unlessChanged(set, status, cache);
  }

  /** Writes one condition, unless somebody wrote meanwhile. */
  AutoScalingRunnerSet told(AutoScalingRunnerSet set, Condition condition, WriteCache cache) {
    var all = StatusConditions.with(set.statusOrNone().conditions(), condition);
    var status = JsonNodeFactory.instance.objectNode();
    status.set("conditions", JSON.valueToTree(all));
    return unlessChanged(set, status, cache);
  }

  private AutoScalingRunnerSet unlessChanged(
      AutoScalingRunnerSet set, JsonNode status, WriteCache cache) {
    var body = JsonNodeFactory.instance.objectNode();
    body.putObject("metadata").put("resourceVersion", set.getMetadata().getResourceVersion());
    body.set("status", status);
    var changed = kube.mergeStatusBody(AutoScalingRunnerSet.class, Resource.of(set), body);
    cache.changed(set, changed);
    return changed;
  }

  public void forget(String uid) {
    notBeforeByUid.remove(uid);
  }

  /** Whether the status has a condition Registered for the present spec. */
  static boolean tellsOfRegistration(AutoScalingRunnerSet set) {
    var generation = set.getMetadata().getGeneration();
    return StatusConditions.find(set.statusOrNone().conditions(), ConditionType.REGISTERED)
        .filter(c -> Objects.equals(c.getObservedGeneration(), generation))
        .isPresent();
  }
}
