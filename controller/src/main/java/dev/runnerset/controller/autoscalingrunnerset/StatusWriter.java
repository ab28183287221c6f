package dev.runnerset.controller.autoscalingrunnerset;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.autoscalingrunnerset.status.Registration;
import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.memory.Slots.Slot;
import dev.runnerset.controller.timing.Unwritten;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.AutoScalingRunnerSetStatus;
import dev.runnerset.crds.AutoScalingRunnerSetStatusBuilder;
import dev.runnerset.crds.HistoryEntry;
import dev.runnerset.crds.ScaleSetIdentity;
import dev.runnerset.crds.ScaleSetProvenance;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.crds.condition.StatusConditions.Value;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.MergePatch;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.lang.reflect.RecordComponent;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes the status of runner sets: one merge patch of what differs, per set once a second, and of
 * counts alone when they have stood still. Which limits a schedule sets, and a rollout, are written
 * at once: they change a few times a day.
 */
public record StatusWriter(KubeApi kube, WriteCache cache, Memories memories) {
  private static final Slot<Unwritten> UNWRITTEN = new Slot<>(Unwritten.NONE);

  private static final List<String> ENTRY_KEY = List.of("revision", "startedTime");

  private static final Set<String> ENTRY_FIELDS =
      Arrays.stream(HistoryEntry.class.getRecordComponents())
          .map(RecordComponent::getName)
          .collect(Collectors.toSet());

  /**
   * Writes what differs, unless it is too early.
   *
   * @param wanted made from the status of {@code set}
   * @param stored called when something was written
   * @return when to try again; never if nothing is left to write
   */
  public RequeueTime write(
      AutoScalingRunnerSet set, AutoScalingRunnerSetStatus wanted, Instant now, Runnable stored) {
    var before = set.statusOrNone();
    var memory = memories.of(set);
    var unwritten = memory.get(UNWRITTEN);
    if (before.equals(wanted)) {
      memory.put(UNWRITTEN, unwritten.equal());
      return RequeueTime.NEVER;
    }
    boolean ofHistory = !before.history().equals(wanted.history());
    if (!ofHistory && Objects.equals(before.schedule(), wanted.schedule())) {
      var still = Unwritten.still(kube.patchesTake());
      var longest = still.plus(Unwritten.RESTLESS);
      boolean early = unwritten.waits(now);
      var next = early ? unwritten : unwritten.differs(wanted, now);
      boolean held =
          withoutCounts(before).equals(withoutCounts(wanted)) && next.holds(still, longest, now);
      if (held || early) {
        memory.put(UNWRITTEN, next);
        return RequeueTime.at(early ? next.comparedAt() : next.dueAt(still, longest));
      }
    }
    memory.put(UNWRITTEN, Unwritten.written(now));
    try {
      var _ = ofHistory ? withHistory(set, wanted) : atOnce(set, wanted);
    } catch (KubernetesClientException e) {
      if (!ofHistory) {
        throw e;
      }
      // what keeps the history from being written keeps nothing else
      var without = AutoScalingRunnerSetStatusBuilder.builder(wanted).history(before.history());
      var _ = atOnce(set, without.build());
      if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
        throw e;
      }
      return RequeueTime.at(
          now.plus(Unwritten.STILL)); // it is computed again from what stands then
    }
    stored.run();
    return RequeueTime.NEVER;
  }

  /**
   * The same without what changes with each job and runner: the counts, and the message of a set
   * that is ready, which says whether all its places are taken.
   */
  private static AutoScalingRunnerSetStatus withoutCounts(AutoScalingRunnerSetStatus status) {
    var conditions = status.conditions();
    var without = AutoScalingRunnerSetStatusBuilder.builder(status).jobs(null).runners(null);
    StatusConditions.find(conditions, ConditionType.READY, Value.TRUE)
        .map(ready -> new ConditionBuilder(ready).withMessage("").build())
        .ifPresent(ready -> without.conditions(StatusConditions.with(conditions, ready)));
    return without.build();
  }

  /** The list is written as a whole: an entry keeps what a newer version wrote into it. */
  private AutoScalingRunnerSet withHistory(
      AutoScalingRunnerSet set, AutoScalingRunnerSetStatus wanted) {
    var patch = MergePatch.between(set.statusOrNone(), wanted).orElseThrow();
    for (var there : kube.getWhole(Resource.of(set)).at("/status/history")) {
      for (var entry : patch.path("history")) {
        if (ENTRY_KEY.stream().allMatch(field -> there.path(field).equals(entry.path(field)))) {
          there.properties().stream()
              .filter(field -> !ENTRY_FIELDS.contains(field.getKey()))
              .forEach(field -> ((ObjectNode) entry).set(field.getKey(), field.getValue()));
        }
      }
    }
    var body = MergePatch.ifUnchanged(set).set("status", patch);
    return cached(set, kube.mergeStatusBody(AutoScalingRunnerSet.class, Resource.of(set), body));
  }

  /**
   * Writes what differs, at once, as before the service is asked, which may take long. Neither
   * waits for an earlier write, nor makes the next one wait.
   *
   * @param wanted made from the status of {@code set}
   */
  public AutoScalingRunnerSet atOnce(AutoScalingRunnerSet set, AutoScalingRunnerSetStatus wanted) {
    return cached(set, kube.writeStatus(set, set.statusOrNone(), wanted));
  }

  /** Like the write of a status, but a 409 if the set has changed since it was read. */
  AutoScalingRunnerSet ifUnchanged(AutoScalingRunnerSet set, AutoScalingRunnerSetStatus wanted) {
    return cached(set, kube.writeStatusIfUnchanged(set, set.statusOrNone(), wanted));
  }

  private AutoScalingRunnerSet cached(AutoScalingRunnerSet before, AutoScalingRunnerSet after) {
    if (after != before) {
      cache.changed(before, after);
    }
    return after;
  }

  /**
   * Writes the id of the scale set at once, who made it, and what it is known by, so that no crash
   * loses them.
   */
  public AutoScalingRunnerSet registered(
      AutoScalingRunnerSet set, Registration.Registered registered) {
    var status = set.statusOrNone();
    var identity = registered.identity();
    boolean sameId = Integer.valueOf(registered.id().value()).equals(status.scaleSetId());
    if (sameId && (identity == null || identity.equals(status.scaleSetIdentity()))) {
      return set;
    }
    return atOnce(
        set,
        AutoScalingRunnerSetStatusBuilder.builder(status)
            .scaleSetId(registered.id().value())
            .runnerGroupId(registered.group().value())
            .scaleSet(new ScaleSetProvenance(registered.origin(), null, identity))
            .build());
  }

  /** Writes the name and group that the scale set is about to get (NM5). */
  public AutoScalingRunnerSet changing(AutoScalingRunnerSet set, ScaleSetIdentity becoming) {
    var status = AutoScalingRunnerSetStatusBuilder.builder(set.statusOrNone());
    var origin = set.statusOrNone().scaleSetOrigin();
    return atOnce(set, status.scaleSet(new ScaleSetProvenance(origin, null, becoming)).build());
  }

  /** Writes that the set has no scale set any more: the id may be somebody else's (NM5). */
  public AutoScalingRunnerSet lost(AutoScalingRunnerSet set) {
    var status = AutoScalingRunnerSetStatusBuilder.builder(set.statusOrNone());
    var intent = set.statusOrNone().scaleSetIntent();
    var left = intent == null ? null : new ScaleSetProvenance(null, intent, null);
    return atOnce(set, status.scaleSetId(null).runnerGroupId(null).scaleSet(left).build());
  }

  /** Writes which scale set is about to be made, or, with null, that none is (NM5). */
  public AutoScalingRunnerSet making(
      AutoScalingRunnerSet set, ScaleSetProvenance.@Nullable Intent intent) {
    var status = AutoScalingRunnerSetStatusBuilder.builder(set.statusOrNone());
    var origin = set.statusOrNone().scaleSetOrigin();
    var identity = set.statusOrNone().scaleSetIdentity();
    return atOnce(set, status.scaleSet(new ScaleSetProvenance(origin, intent, identity)).build());
  }

  /** Writes these conditions; a 409 if the set has changed since it was read. */
  AutoScalingRunnerSet report(AutoScalingRunnerSet set, List<Condition> wanted) {
    var status = AutoScalingRunnerSetStatusBuilder.builder(set.statusOrNone());
    var conditions = set.statusOrNone().conditions();
    for (var condition : wanted) {
      conditions = StatusConditions.with(conditions, condition);
    }
    return ifUnchanged(set, status.conditions(conditions).build());
  }
}
