package dev.runnerset.controller.features.capacity;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Pods, quotas and costs of the tables of this package, from few words. */
final class Costs {
  private Costs() {}

  /** A pod with that content of its spec, in the flow form of YAML. */
  static Pod pod(String spec) {
    return Serialization.unmarshal(
        "---\n{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {%s}}".formatted(spec),
        Pod.class);
  }

  /** A pod of one container with those resources, in the flow form of YAML. */
  static Pod podOf(String resources) {
    return pod("containers: [{name: runner, resources: {%s}}]".formatted(resources));
  }

  static RunnerCost cost(String resources) {
    return RunnerCost.ofAnswer(podOf(resources), JobCost.NONE);
  }

  /** A quota with a status, from {@code name=used/hard} pairs. */
  static Quota quota(String name, String pairs, String... scopes) {
    var hard = new TreeMap<String, String>();
    var used = new TreeMap<String, String>();
    for (var pair : pairs.strip().split("\\s+")) {
      var parts = pair.split("=");
      var amounts = parts[1].split("/");
      hard.put(parts[0], amounts[1]);
      if (!amounts[0].equals("?")) {
        used.put(parts[0], amounts[0]);
      }
    }
    var yaml =
        "---\n{apiVersion: v1, kind: ResourceQuota, metadata: {name: %s}, spec: {scopes: [%s]},"
                .formatted(name, String.join(", ", scopes))
            + " status: {hard: {%s}, used: {%s}}}".formatted(flow(hard), flow(used));
    return Quota.of(Serialization.unmarshal(yaml, ResourceQuota.class));
  }

  private static String flow(Map<String, String> amounts) {
    return amounts.entrySet().stream()
        .map(entry -> "\"%s\": \"%s\"".formatted(entry.getKey(), entry.getValue()))
        .collect(Collectors.joining(", "));
  }

  /** Amounts as {@code name=amount}, sorted by name. */
  static String text(Amounts amounts) {
    return new TreeMap<>(amounts.byName())
        .entrySet().stream()
            .map(entry -> entry.getKey() + "=" + Amounts.text(entry.getKey(), entry.getValue()))
            .collect(Collectors.joining(" "));
  }

  static Map<String, Quantity> quantities(String pairs) {
    return Arrays.stream(pairs.strip().split("\\s+"))
        .filter(pair -> !pair.isEmpty())
        .map(pair -> pair.split("="))
        .collect(Collectors.toMap(parts -> parts[0], parts -> new Quantity(parts[1])));
  }
}
