package dev.runnerset.controller.autoscalingrunnerset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.autoscalingrunnerset.children.ChildWriter;
import dev.runnerset.controller.autoscalingrunnerset.planning.RolloutFacts;
import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.history.HistoryPolicy;
import dev.runnerset.controller.history.HistoryPruner.Removed;
import dev.runnerset.controller.history.Rollout;
import dev.runnerset.controller.history.RolloutHistory;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.metrics.Meters;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.HistoryEntry;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes {@code status.history} only, with the resourceVersion that it was computed from. After a
 * conflict it reads the set again and computes again, so that no entry is lost or doubled.
 * Stateless.
 */
final class HistoryWriter {
  private static final Logger LOG = LoggerFactory.getLogger(HistoryWriter.class);
  private static final int CONFLICT = 409;
  private static final int TRIES = 5;
  private static final Duration SOON = Duration.ofSeconds(1);

  /**
   * The result.
   *
   * @param set the stored set, or the given one if nothing was written
   * @param requeue when to reconcile without an event: an entry just begun may be complete
   */
  record Recorded(AutoScalingRunnerSet set, RequeueTime requeue) {}

  private final KubeApi kube;
  private final Meters meters;
  private final HistoryPolicy policy;
  private final Clock clock;

  HistoryWriter(KubeApi kube, Meters meters, HistoryPolicy policy, Clock clock) {
    this.kube = kube;
    this.meters = meters;
    this.policy = policy;
    this.clock = clock;
  }

  /**
   * Records what is rolled out now, if the history does not have it; blocks for requests only then.
   *
   * @throws KubernetesClientException if the API server refuses, or after five conflicts
   */
  Recorded record(
      AutoScalingRunnerSet set,
      EphemeralRunnerSet ers,
      @Nullable AutoScalingListener listener,
      WriteCache cache) {
    if (ChildWriter.isTerminating(ers)) {
      return new Recorded(set, RequeueTime.NEVER);
    }
    var seen = RolloutFacts.of(set, ers, listener);
    var recorded = recorded(set, seen, cache);
    var open = RolloutHistory.isOpen(recorded.statusOrNone().history(), seen);
    return new Recorded(
        recorded, open ? RequeueTime.at(clock.instant().plus(SOON)) : RequeueTime.NEVER);
  }

  private AutoScalingRunnerSet recorded(AutoScalingRunnerSet set, Rollout seen, WriteCache cache) {
    var freshest = set;
    for (int tries = 1; ; tries++) {
      try {
        return written(freshest, seen, cache);
      } catch (KubernetesClientException e) {
        if (e.getCode() != CONFLICT || tries == TRIES) {
          throw e;
        }
        var read = kube.get(AutoScalingRunnerSet.class, Resource.of(set));
        if (read == null || !isSame(read, set)) {
          return set; // it was computed from another spec, whose event follows
        }
        freshest = read;
      }
    }
  }

  private static boolean isSame(AutoScalingRunnerSet read, AutoScalingRunnerSet set) {
    return Objects.equals(read.getMetadata().getUid(), set.getMetadata().getUid())
        && Objects.equals(read.getMetadata().getGeneration(), set.getMetadata().getGeneration());
  }

  private AutoScalingRunnerSet written(AutoScalingRunnerSet set, Rollout seen, WriteCache cache) {
    var stored = set.statusOrNone().history();
    var change = RolloutHistory.next(stored, seen, policy, clock.instant());
    if (change.isEmpty()) {
      return set;
    }
    var entries = change.get().entries();
    var changed =
        kube.mergeStatusBody(AutoScalingRunnerSet.class, Resource.of(set), body(set, entries));
    cache.changed(set, changed);
    log(set, "changed the history of rollouts", entries.getFirst());
    change.get().removed().forEach(removed -> report(set, removed));
    return changed;
  }

  /** The list is written as a whole: an entry keeps what a newer version wrote into it. */
  private ObjectNode body(AutoScalingRunnerSet set, List<HistoryEntry> entries) {
    var body = JsonNodeFactory.instance.objectNode();
    body.putObject("metadata").put("resourceVersion", set.getMetadata().getResourceVersion());
    var list = body.putObject("status").putArray("history");
    var stored = kube.getWhole(Resource.of(set)).at("/status/history");
    for (var entry : entries) {
      var node = asStored(stored, entry);
      list.add(node);
      node.put("state", entry.state() == HistoryEntry.State.COMPLETED ? "Completed" : "Partial")
          .put("version", entry.version())
          .put("image", entry.image())
          .put("revision", entry.revision())
          .put("startedTime", entry.startedTime().toString());
      if (entry.completionTime() != null) {
        node.put("completionTime", entry.completionTime().toString());
      } else {
        node.remove("completionTime");
      }
      if (entry.reason() != null) {
        node.put("reason", entry.reason());
      } else {
        node.remove("reason");
      }
    }
    return body;
  }

  private static ObjectNode asStored(JsonNode stored, HistoryEntry entry) {
    for (var there : stored) {
      if (there.path("revision").asText().equals(entry.revision())
          && there.path("startedTime").asText().equals(entry.startedTime().toString())) {
        return there.deepCopy();
      }
    }
    return JsonNodeFactory.instance.objectNode();
  }

  private static void log(AutoScalingRunnerSet set, String message, HistoryEntry newest) {
    LOG.atInfo()
        .addKeyValue("namespace", set.getMetadata().getNamespace())
        .addKeyValue("set", set.getMetadata().getName())
        .addKeyValue("state", newest.state())
        .addKeyValue("version", newest.version())
        .addKeyValue("revision", newest.revision())
        .log(message);
  }

  private void report(AutoScalingRunnerSet set, Removed removed) {
    var meta = set.getMetadata();
    LOG.atInfo()
        .addKeyValue("namespace", meta.getNamespace())
        .addKeyValue("set", meta.getName())
        .addKeyValue("why", removed.reason().phrase())
        .addKeyValue("version", removed.entry().version())
        .addKeyValue("revision", removed.entry().revision())
        .addKeyValue("index", removed.index())
        .addKeyValue("rank", BigDecimal.valueOf(removed.rank(), 2))
        .log("dropped a rollout from the history");
    meters.count(
        Meter.ROLLOUT_HISTORY_PRUNED, meta.getNamespace(), meta.getName(), removed.reason().word());
  }
}
