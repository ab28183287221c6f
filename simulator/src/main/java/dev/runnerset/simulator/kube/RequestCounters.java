package dev.runnerset.simulator.kube;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.simulator.kube.json.Json;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Every request, counted by who asked for what and how it was answered. A request is counted when
 * its answer is known, a watch when it begins. The garbage collector's own deletes are counted
 * under the writer {@value #GARBAGE_COLLECTOR}, though they are no requests here: on a real server
 * they are. Thread-safe.
 */
public final class RequestCounters {
  public static final String GARBAGE_COLLECTOR = "garbage-collector";

  /** More series than this are counted as one, so that odd user agents cannot fill the memory. */
  private static final int LIMIT = 20_000;

  private static final Key REST = new Key("other", "other", "other", "", 0);

  /** What changes something, in the words of the audit log. */
  public static final Set<String> WRITE_VERBS =
      Set.of("create", "update", "patch", "delete", "deletecollection");

  /**
   * @param writer the User-Agent up to its first '/' or space
   * @param verb get, list, watch, create, update, patch, delete or deletecollection
   * @param resource plural with group: {@code pods}, {@code leases.coordination.k8s.io}; for a path
   *     that is no resource, {@code /} and its first segment
   * @param subresource empty for the object itself
   * @param code HTTP status
   */
  public record Key(String writer, String verb, String resource, String subresource, int code) {
    public boolean isWrite() {
      return WRITE_VERBS.contains(verb) && !resource.endsWith("reviews.authorization.k8s.io");
    }
  }

  private final Map<Key, LongAdder> countByKey = new ConcurrentHashMap<>();

  void count(Key key) {
    Key counted = countByKey.size() < LIMIT || countByKey.containsKey(key) ? key : REST;
    countByKey.computeIfAbsent(counted, k -> new LongAdder()).increment();
  }

  void countCollected(String resource) {
    count(new Key(GARBAGE_COLLECTOR, "delete", resource, "", 200));
  }

  /** All counts so far: a copy, in a stable order. */
  public Map<Key, Long> snapshot() {
    Map<Key, Long> copy =
        new TreeMap<>(
            Comparator.comparing(Key::writer)
                .thenComparing(Key::resource)
                .thenComparing(Key::subresource)
                .thenComparing(Key::verb)
                .thenComparing(Key::code));
    countByKey.forEach((key, count) -> copy.put(key, count.sum()));
    return copy;
  }

  /** The document at {@code /_counters}. */
  ObjectNode json() {
    ObjectNode root = Json.object();
    ArrayNode requests = root.putArray("requests");
    snapshot()
        .forEach((key, n) ->
            requests
                .addObject()
                .put("writer", key.writer())
                .put("verb", key.verb())
                .put("resource", key.resource())
                .put("subresource", key.subresource())
                .put("code", key.code())
                .put("count", n));
    return root;
  }
}
