package dev.runnerset.simulator.kube.quota;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.simulator.kube.kind.Amount;
import dev.runnerset.simulator.kube.kind.PodResources;
import dev.runnerset.simulator.kube.kind.ResourceType;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What an object takes of quotas, by the names that quotas have for it. */
final class Usage {
  private static final Set<String> COMPUTE = Set.of("cpu", "memory", "ephemeral-storage");
  private static final Set<String> TERMINAL = Set.of("Succeeded", "Failed");
  private static final Set<String> WITH_ALIAS =
      Set.of("configmaps", "resourcequotas", "replicationcontrollers", "secrets", "services");
  private static final String CLAIMS = "persistentvolumeclaims";
  private static final String BY_CLASS = ".storageclass.storage.k8s.io/";
  private static final List<String> OF_CLAIMS = List.of(CLAIMS, "requests.storage");

  private Usage() {}

  static boolean isClaim(ResourceType type) {
    return type.is(CLAIMS);
  }

  /** Whether a quota means objects of the type by that resource. */
  static boolean isOf(ResourceType type, String resource) {
    if (resource.equals("count/" + type.qualified())) {
      return true;
    }
    if (type.is(ResourceType.PODS)) {
      String plain = resource.replaceFirst("^(requests|limits)\\.", "");
      return resource.equals("pods")
          || COMPUTE.contains(plain)
          || plain.startsWith("hugepages-") && !resource.startsWith("limits.")
          || resource.startsWith("requests.") && isDevice(plain);
    }
    if (isClaim(type)) {
      return OF_CLAIMS.stream()
          .anyMatch(name -> resource.equals(name) || resource.endsWith(BY_CLASS + name));
    }
    return WITH_ALIAS.contains(type.qualified()) && resource.equals(type.plural());
  }

  private static boolean isDevice(String name) {
    return name.startsWith("deviceclass.resource.kubernetes.io/")
        || name.contains("/") && !name.contains("kubernetes.io/");
  }

  static Map<String, Amount> of(ResourceType type, JsonNode object, Instant now) {
    Map<String, Amount> usage = new TreeMap<>();
    usage.put("count/" + type.qualified(), Amount.ONE);
    if (type.is(ResourceType.PODS)) {
      if (isAlive(object, now)) {
        ofPod(object.path("spec"), usage);
      }
    } else if (isClaim(type)) {
      ofClaim(object.path("spec"), usage);
    } else if (WITH_ALIAS.contains(type.qualified())) {
      usage.put(type.plural(), Amount.ONE);
    }
    return usage;
  }

  /** A pod that should have ended by now is not charged: its node may be lost. */
  private static boolean isAlive(JsonNode pod, Instant now) {
    String deletion = pod.at("/metadata/deletionTimestamp").asText();
    return !TERMINAL.contains(pod.at("/status/phase").asText())
        && (deletion.isEmpty()
            || !now.isAfter(
                Instant.parse(deletion)
                    .plusSeconds(pod.at("/metadata/deletionGracePeriodSeconds").asLong())));
  }

  private static void ofPod(JsonNode spec, Map<String, Amount> usage) {
    usage.put("pods", Amount.ONE);
    PodResources.total(spec, PodResources.REQUESTS)
        .forEach((name, amount) -> {
          boolean plain = COMPUTE.contains(name) || name.startsWith("hugepages-");
          if (plain) {
            usage.put(name, amount);
          }
          if (plain || isDevice(name)) {
            usage.put("requests." + name, amount);
          }
        });
    PodResources.total(spec, PodResources.LIMITS)
        .forEach((name, amount) -> {
          if (COMPUTE.contains(name)) {
            usage.put("limits." + name, amount);
          }
        });
  }

  private static void ofClaim(JsonNode spec, Map<String, Amount> usage) {
    usage.put(CLAIMS, Amount.ONE);
    Amount storage = PodResources.amounts(spec.at("/resources/requests")).get("storage");
    if (storage != null) {
      usage.put("requests.storage", storage.roundedUp());
    }
    String byClass = spec.path("storageClassName").asText();
    if (!byClass.isEmpty()) {
      for (String name : OF_CLAIMS) {
        if (usage.containsKey(name)) {
          usage.put(byClass + BY_CLASS + name, usage.get(name));
        }
      }
    }
  }
}
