package dev.runnerset.controller.features.capacity;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a pod takes as a whole, by the rule of Kubernetes for requests and limits: containers and
 * side-cars together, or an init container with the side-cars before it if that is more; resources
 * of the pod itself in place of that; its overhead on top.
 *
 * @param requests by the names that containers use
 * @param limits by the same names
 */
record PodAmounts(Amounts requests, Amounts limits) {

  static PodAmounts of(PodSpec spec, Consumer<? super String> unreadable) {
    var overhead = Amounts.read(spec.getOverhead(), unreadable);
    var requests = total(spec, each -> Amounts.read(requests(each), unreadable));
    var limits = total(spec, each -> Amounts.read(limits(each), unreadable));
    return new PodAmounts(requests.plus(overhead), limits.plus(ofLimited(overhead, limits)));
  }

  private static Amounts total(PodSpec spec, Reader reader) {
    return ofContainers(spec, reader).overriddenBy(ofPod(reader.read(spec.getResources())));
  }

  static @Nullable Map<String, Quantity> requests(@Nullable ResourceRequirements resources) {
    return resources == null ? null : resources.getRequests();
  }

  static @Nullable Map<String, Quantity> limits(@Nullable ResourceRequirements resources) {
    return resources == null ? null : resources.getLimits();
  }

  /** Reads what one container, or the pod itself, takes. */
  @FunctionalInterface
  interface Reader {
    Amounts read(@Nullable ResourceRequirements resources);
  }

  /** Of all containers together; init containers run one after another, side-cars stay. */
  static Amounts ofContainers(PodSpec spec, Reader reader) {
    var running = Amounts.NONE;
    for (var container : spec.getContainers()) {
      running = running.plus(reader.read(container.getResources()));
    }
    var sideCars = Amounts.NONE;
    var initial = Amounts.NONE;
    for (var container : spec.getInitContainers()) {
      var own = reader.read(container.getResources());
      if (isSideCar(container)) {
        running = running.plus(own);
        sideCars = sideCars.plus(own);
        initial = initial.max(sideCars);
      } else {
        initial = initial.max(sideCars.plus(own));
      }
    }
    return running.max(initial);
  }

  private static boolean isSideCar(Container container) {
    return "Always".equals(container.getRestartPolicy());
  }

  /** Of the resources that a pod may have as a whole; the API server ignores others. */
  private static Amounts ofPod(Amounts amounts) {
    var supported = new HashMap<>(amounts.byName());
    supported.keySet().removeIf(name -> !isForPods(name));
    return new Amounts(supported);
  }

  static boolean isForPods(String name) {
    return name.equals("cpu") || name.equals("memory") || ResourceNames.isHugePages(name);
  }

  /** What has no limit gets none by its overhead. */
  private static Amounts ofLimited(Amounts overhead, Amounts limits) {
    var limited = new HashMap<>(overhead.byName());
    limited.keySet().removeIf(name -> limits.of(name).signum() == 0);
    return new Amounts(limited);
  }

  /** The same by the names that quotas have; limits of devices and of huge pages are in none. */
  Amounts byQuotaNames() {
    var named = new HashMap<>(Amounts.one(ResourceNames.PODS, ResourceNames.COUNT_PODS).byName());
    requests
        .byName()
        .forEach((name, amount) -> {
          if (isCompute(name) || ResourceNames.isHugePages(name)) {
            named.put(name, amount);
            named.put(ResourceNames.REQUESTS + name, amount);
          } else if (ResourceNames.isExtended(name)) {
            named.put(ResourceNames.REQUESTS + name, amount);
          }
        });
    limits
        .byName()
        .forEach((name, amount) -> {
          if (isCompute(name)) {
            named.put(ResourceNames.LIMITS + name, amount);
          }
        });
    return new Amounts(named);
  }

  static boolean isCompute(String name) {
    return name.equals("cpu")
        || name.equals("memory")
        || name.equals(ResourceNames.EPHEMERAL_STORAGE);
  }
}
