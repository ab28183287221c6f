package dev.runnerset.simulator.kube.kind;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.simulator.kube.json.Json;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;

/** What the containers of a pod, or the pod as a whole, request and are limited to. */
public final class PodResources {
  public static final String REQUESTS = "requests";
  public static final String LIMITS = "limits";
  private static final Set<String> OF_QUALITY = Set.of("cpu", "memory");

  private PodResources() {}

  /** The amounts of a list of resources; no entry for what is no quantity. */
  public static Map<String, Amount> amounts(JsonNode list) {
    Map<String, Amount> amounts = new TreeMap<>();
    list.properties()
        .forEach(entry -> {
          try {
            amounts.put(entry.getKey(), Amount.parse(entry.getValue().asText()));
          } catch (IllegalArgumentException _) {
            // this server takes what the real one would refuse
          }
        });
    return amounts;
  }

  public static List<JsonNode> containers(JsonNode spec) {
    return Stream.concat(
            spec.path("containers").valueStream(), spec.path("initContainers").valueStream())
        .toList();
  }

  /** Requests that are missing are as the limits; a pod's own as its containers' together. */
  static void fillRequests(ObjectNode spec) {
    for (JsonNode container : containers(spec)) {
      if (container.path("resources") instanceof ObjectNode resources) {
        fill(resources, REQUESTS, resources.path(LIMITS), Set.of());
      }
    }
    if (!(spec.path("resources") instanceof ObjectNode own)) {
      return;
    }
    if (!own.path(LIMITS).isEmpty() || !own.path(REQUESTS).isEmpty()) {
      ObjectNode pages = texts(ofContainers(spec, LIMITS));
      pages.properties().removeIf(entry -> !entry.getKey().startsWith("hugepages-"));
      Json.names(own.path(REQUESTS)).forEach(pages::remove);
      fill(own, LIMITS, pages, Set.of());
    }
    if (!own.path(LIMITS).isEmpty()) {
      fill(own, REQUESTS, texts(ofContainers(spec, REQUESTS)), OF_QUALITY);
      fill(own, REQUESTS, own.path(LIMITS), Set.of());
    }
  }

  private static ObjectNode texts(Map<String, Amount> amounts) {
    ObjectNode texts = Json.object();
    amounts.forEach((name, amount) -> texts.put(name, amount.toString()));
    return texts;
  }

  /** Only those of the named resources; of all if none is named. */
  private static void fill(ObjectNode resources, String list, JsonNode from, Set<String> named) {
    from.properties()
        .forEach(entry -> {
          if (named.isEmpty() || named.contains(entry.getKey())) {
            ObjectNode filled = resources.withObjectProperty(list);
            if (!filled.has(entry.getKey())) {
              filled.set(entry.getKey(), entry.getValue());
            }
          }
        });
  }

  /**
   * Of all containers while the pod runs, or while one of its init containers does.
   *
   * @param list {@link #REQUESTS} or {@link #LIMITS}
   */
  private static Map<String, Amount> ofContainers(JsonNode spec, String list) {
    Map<String, Amount> sideCars = new TreeMap<>();
    Map<String, Amount> starting = new TreeMap<>();
    for (JsonNode container : spec.path("initContainers")) {
      Map<String, Amount> own = amounts(container.path("resources").path(list));
      if (container.path("restartPolicy").asText().equals("Always")) {
        merge(sideCars, own, Amount::plus);
        merge(starting, sideCars, PodResources::larger);
      } else {
        merge(own, sideCars, Amount::plus);
        merge(starting, own, PodResources::larger);
      }
    }
    Map<String, Amount> running = new TreeMap<>(sideCars);
    for (JsonNode container : spec.path("containers")) {
      merge(running, amounts(container.path("resources").path(list)), Amount::plus);
    }
    merge(running, starting, PodResources::larger);
    return running;
  }

  private static Amount larger(Amount one, Amount other) {
    return one.compareTo(other) >= 0 ? one : other;
  }

  private static void merge(
      Map<String, Amount> into, Map<String, Amount> from, BinaryOperator<Amount> how) {
    from.forEach((name, amount) -> into.merge(name, amount, how));
  }

  /** Of the pod as a whole: its own resources win over its containers'. */
  public static Map<String, Amount> total(JsonNode spec, String list) {
    Map<String, Amount> total = ofContainers(spec, list);
    amounts(spec.path("resources").path(list))
        .forEach((name, amount) -> {
          if (OF_QUALITY.contains(name) || name.startsWith("hugepages-")) {
            total.put(name, amount);
          }
        });
    amounts(spec.path("overhead"))
        .forEach((name, amount) -> {
          if (list.equals(REQUESTS)) {
            total.merge(name, amount, Amount::plus);
          } else {
            total.computeIfPresent(
                name, (_, limit) -> limit.isPositive() ? limit.plus(amount) : limit);
          }
        });
    return total;
  }

  /** The quality of service: BestEffort, Burstable or Guaranteed. */
  public static String quality(JsonNode spec) {
    List<JsonNode> parts = spec.has("resources") ? List.of(spec) : containers(spec);
    Map<String, Amount> requests = new TreeMap<>();
    Map<String, Amount> limits = new TreeMap<>();
    boolean allLimited = true;
    for (JsonNode part : parts) {
      merge(requests, ofQuality(part.path("resources").path(REQUESTS)), Amount::plus);
      Map<String, Amount> own = ofQuality(part.path("resources").path(LIMITS));
      allLimited &= own.keySet().equals(OF_QUALITY);
      merge(limits, own, Amount::plus);
    }
    if (requests.isEmpty() && limits.isEmpty()) {
      return "BestEffort";
    }
    boolean same =
        requests.keySet().equals(limits.keySet())
            && requests.entrySet().stream()
                .allMatch(
                    e -> e.getValue().compareTo(limits.getOrDefault(e.getKey(), Amount.ZERO)) == 0);
    return allLimited && same ? "Guaranteed" : "Burstable";
  }

  private static Map<String, Amount> ofQuality(JsonNode list) {
    Map<String, Amount> amounts = amounts(list);
    amounts
        .entrySet()
        .removeIf(e -> !OF_QUALITY.contains(e.getKey()) || !e.getValue().isPositive());
    return amounts;
  }
}
