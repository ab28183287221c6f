package dev.runnerset.simulator.kube.quota;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.simulator.kube.kind.Amount;
import dev.runnerset.simulator.kube.kind.PodResources;
import dev.runnerset.simulator.kube.kind.ResourceType;
import dev.runnerset.simulator.kube.status.ApiException;
import dev.runnerset.simulator.kube.store.Cluster;
import dev.runnerset.simulator.kube.store.StoredObject;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What limit ranges add to the containers of a new pod, and refuse of pods and claims. */
public final class LimitRanges {
  private static final String CLAIM = "PersistentVolumeClaim";

  private final Cluster cluster;

  public LimitRanges(Cluster cluster) {
    this.cluster = cluster;
  }

  private List<JsonNode> items(String namespace, String type) {
    List<JsonNode> items = new ArrayList<>();
    var store = cluster.store(cluster.builtIn("limitranges"));
    for (StoredObject range : store.objects(namespace)) {
      for (JsonNode item : range.json().at("/spec/limits")) {
        if (item.path("type").asText().equals(type)) {
          items.add(item);
        }
      }
    }
    return items;
  }

  /** Fills in the requests and limits of containers that have none. */
  public void fill(String namespace, ObjectNode pod) {
    for (JsonNode item : items(namespace, "Container")) {
      Map<String, Amount> limits = amounts(item, "max");
      limits.putAll(amounts(item, "default"));
      Map<String, Amount> requests = amounts(item, "min");
      requests.putAll(limits);
      requests.putAll(amounts(item, "defaultRequest"));
      for (JsonNode container : PodResources.containers(pod.path("spec"))) {
        ObjectNode resources = ((ObjectNode) container).withObjectProperty("resources");
        fill(resources, PodResources.LIMITS, limits);
        fill(resources, PodResources.REQUESTS, requests);
      }
    }
  }

  private static void fill(ObjectNode resources, String list, Map<String, Amount> defaults) {
    defaults.forEach((name, amount) -> {
      ObjectNode amounts = resources.withObjectProperty(list);
      if (!amounts.has(name)) {
        amounts.put(name, amount.toString());
      }
    });
  }

  private static Map<String, Amount> amounts(JsonNode item, String list) {
    return new TreeMap<>(PodResources.amounts(item.path(list)));
  }

  /**
   * @throws ApiException if the object is beyond a minimum, a maximum or a ratio
   */
  public void check(ResourceType type, String namespace, String name, JsonNode object) {
    JsonNode spec = object.path("spec");
    Set<String> problems = new LinkedHashSet<>();
    if (type.is(ResourceType.PODS)) {
      for (JsonNode item : items(namespace, "Container")) {
        for (JsonNode container : PodResources.containers(spec)) {
          JsonNode resources = container.path("resources");
          Taken taken =
              new Taken(
                  "Container",
                  PodResources.amounts(resources.path(PodResources.REQUESTS)),
                  PodResources.amounts(resources.path(PodResources.LIMITS)));
          taken.compare(item, problems);
        }
      }
      for (JsonNode item : items(namespace, "Pod")) {
        Taken taken =
            new Taken(
                "Pod",
                PodResources.total(spec, PodResources.REQUESTS),
                PodResources.total(spec, PodResources.LIMITS));
        taken.compare(item, problems);
      }
    } else if (Usage.isClaim(type)) {
      for (JsonNode item : items(namespace, CLAIM)) {
        Map<String, Amount> requests = PodResources.amounts(spec.at("/resources/requests"));
        new Taken(CLAIM, requests, Map.of()).compare(item, problems);
      }
    }
    if (!problems.isEmpty()) {
      String all = String.join(", ", problems);
      throw ApiException.forbidden(
          type.resource(), name, problems.size() == 1 ? all : "[" + all + "]");
    }
  }

  private record Taken(String by, Map<String, Amount> requests, Map<String, Amount> limits) {
    void compare(JsonNode item, Set<String> problems) {
      amounts(item, "min")
          .forEach((name, min) -> {
            String rule = "minimum %s usage per %s is %s".formatted(name, by, min);
            if (!requests.containsKey(name)) {
              problems.add(rule + ".  No request is specified");
            } else if (requests.get(name).compareTo(min) < 0) {
              problems.add(rule + ", but request is " + requests.get(name));
            } else if (limits.containsKey(name) && limits.get(name).compareTo(min) < 0) {
              problems.add(rule + ", but limit is " + limits.get(name));
            }
          });
      amounts(item, "max")
          .forEach((name, max) -> {
            String rule = "maximum %s usage per %s is %s".formatted(name, by, max);
            if (!limits.containsKey(name) && !by.equals(CLAIM)) {
              problems.add(rule + ".  No limit is specified");
            } else if (limits.containsKey(name) && limits.get(name).compareTo(max) > 0) {
              problems.add(rule + ", but limit is " + limits.get(name));
            } else if (requests.containsKey(name) && requests.get(name).compareTo(max) > 0) {
              problems.add(rule + ", but request is " + requests.get(name));
            }
          });
      amounts(item, "maxLimitRequestRatio")
          .forEach((name, ratio) -> compareRatio(name, ratio, problems));
    }

    private void compareRatio(String name, Amount ratio, Set<String> problems) {
      String rule = "%s max limit to request ratio per %s is %s, but ".formatted(name, by, ratio);
      Amount request = requests.getOrDefault(name, Amount.ZERO);
      Amount limit = limits.getOrDefault(name, Amount.ZERO);
      if (!request.isPositive()) {
        problems.add(rule + "no request is specified or request is 0");
      } else if (!limit.isPositive()) {
        problems.add(rule + "no limit is specified or limit is 0");
      } else {
        double provided = limit.value().doubleValue() / request.value().doubleValue();
        if (provided > ratio.value().doubleValue()) {
          problems.add(rule + String.format(Locale.ROOT, "provided ratio is %f", provided));
        }
      }
    }
  }
}
