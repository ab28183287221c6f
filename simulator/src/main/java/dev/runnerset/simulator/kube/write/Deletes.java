package dev.runnerset.simulator.kube.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.simulator.kube.http.Query;
import dev.runnerset.simulator.kube.json.Json;
import dev.runnerset.simulator.kube.kind.ResourceType;
import dev.runnerset.simulator.kube.status.ApiException;
import dev.runnerset.simulator.kube.store.Cluster;
import dev.runnerset.simulator.kube.store.ObjectRef;
import dev.runnerset.simulator.kube.store.ResourceStore;
import dev.runnerset.simulator.kube.store.StoredObject;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Deletion: preconditions, grace of pods, finalizers, and what is left to the garbage collector.
 */
public final class Deletes {
  static final String FOREGROUND = "foregroundDeletion";

  private final Cluster cluster;

  public Deletes(Cluster cluster) {
    this.cluster = cluster;
  }

  /**
   * @param policy Background, Foreground, or empty for the default
   * @param graceSeconds null for the pod's own
   * @param uid empty for any, as is {@code resourceVersion}
   */
  public record Options(
      String policy,
      @Nullable Long graceSeconds,
      String uid,
      String resourceVersion,
      boolean dryRun) {

    public static final Options BACKGROUND = new Options("Background", null, "", "", false);

    public static Options parse(JsonNode body, Query query) {
      JsonNode grace = body.path("gracePeriodSeconds");
      Long seconds = grace.isNumber() ? Long.valueOf(grace.asLong()) : null;
      if (seconds == null && query.has("gracePeriodSeconds")) {
        seconds = query.number("gracePeriodSeconds", 0);
      }
      boolean dryRun = query.dryRun() || Json.texts(body.path("dryRun")).contains("All");
      return new Options(
          policy(body, query),
          seconds,
          body.at("/preconditions/uid").asText(""),
          body.at("/preconditions/resourceVersion").asText(""),
          dryRun);
    }

    private static String policy(JsonNode body, Query query) {
      String policy = body.path("propagationPolicy").asText(query.text("propagationPolicy"));
      if (!Set.of("", "Background", "Foreground").contains(policy)) {
        throw ApiException.of(
            422, "Invalid", "propagationPolicy: Unsupported value: \"" + policy + '"');
      }
      return policy;
    }
  }

  /**
   * @param gone false while finalizers, a kubelet or a namespace's content hold it
   */
  public record Outcome(StoredObject object, boolean gone) {}

  public Outcome delete(ObjectRef ref, String name, Options options) {
    ResourceStore store = cluster.store(ref.type());
    return store.locked(() -> {
      StoredObject old = store.find(ref.key());
      if (old == null) {
        throw ApiException.notFound(ref.type().resource(), name);
      }
      requirePreconditions(ref.type(), old, options);
      ObjectNode next = old.json().deepCopy();
      setGarbageFinalizer(next, options.policy());
      boolean held = mark(ref.type(), next, options);
      if (options.dryRun()) {
        return new Outcome(old, !held);
      }
      if (!held) {
        return new Outcome(store.remove(ref.type(), ref.key(), next), true);
      }
      boolean same = next.equals(old.json());
      return new Outcome(same ? old : store.put(ref.type(), ref.key(), next), false);
    });
  }

  private static void requirePreconditions(ResourceType type, StoredObject old, Options options) {
    if (!options.uid().isEmpty() && !options.uid().equals(old.uid())) {
      throw ApiException.conflict(
          type.resource(),
          old.name(),
          "Precondition failed: UID in precondition: "
              + options.uid()
              + ", UID in object meta: "
              + old.uid());
    }
    String revision = old.json().at("/metadata/resourceVersion").asText();
    if (!options.resourceVersion().isEmpty() && !options.resourceVersion().equals(revision)) {
      throw ApiException.conflict(
          type.resource(),
          old.name(),
          "Precondition failed: ResourceVersion in precondition: "
              + options.resourceVersion()
              + ", ResourceVersion in object meta: "
              + revision);
    }
  }

  private static void setGarbageFinalizer(ObjectNode object, String policy) {
    if (policy.isEmpty()) {
      return; // finalizers already there keep their say
    }
    ObjectNode metadata = object.withObjectProperty("metadata");
    List<String> finalizers = new ArrayList<>(Json.texts(metadata.path("finalizers")));
    finalizers.remove(FOREGROUND);
    if (policy.equals("Foreground")) {
      finalizers.add(FOREGROUND);
    }
    if (finalizers.isEmpty()) {
      metadata.remove("finalizers");
    } else {
      metadata.set("finalizers", Json.strings(finalizers));
    }
  }

  /** Marks the object as being deleted if something holds it; says whether something does. */
  private boolean mark(ResourceType type, ObjectNode object, Options options) {
    ObjectNode metadata = object.withObjectProperty("metadata");
    long grace = type.is(ResourceType.PODS) ? podGrace(object, options) : 0;
    boolean namespace = type.is(ResourceType.NAMESPACES);
    if (grace == 0 && metadata.path("finalizers").isEmpty() && !namespace) {
      return false;
    }
    boolean first = !metadata.has("deletionTimestamp");
    if (first || grace < metadata.path("deletionGracePeriodSeconds").asLong()) {
      var end = cluster.clock().instant().truncatedTo(ChronoUnit.SECONDS);
      metadata.put("deletionTimestamp", end.plus(Duration.ofSeconds(grace)).toString());
      metadata.put("deletionGracePeriodSeconds", (int) grace);
    }
    if (first && metadata.has("generation")) {
      metadata.put("generation", metadata.path("generation").asInt() + 1);
    }
    if (namespace) {
      object.withObjectProperty("status").put("phase", "Terminating");
    }
    return true;
  }

  /** The kubelet ends a pod that runs on a node; any other pod is deleted at once. */
  private static long podGrace(ObjectNode pod, Options options) {
    String phase = pod.at("/status/phase").asText();
    if (pod.at("/spec/nodeName").asText().isEmpty()
        || phase.equals("Succeeded")
        || phase.equals("Failed")) {
      return 0;
    }
    long own = pod.at("/spec/terminationGracePeriodSeconds").asLong(30);
    long wanted = options.graceSeconds() == null ? own : Math.max(0, options.graceSeconds());
    JsonNode set = pod.at("/metadata/deletionGracePeriodSeconds");
    return set.isNumber() ? Math.min(wanted, set.asLong()) : wanted;
  }
}
