package dev.runnerset.controller.features.capacity;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodAffinityTerm;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.WeightedPodAffinityTerm;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What quotas count of a pod, from its spec. */
final class PodCharge {
  private PodCharge() {}

  /**
   * The charge of a pod that has not ended.
   *
   * @param answered whether the API server answered with it, so that defaults are in it
   * @param unreadable gets the names of resources whose amount is no quantity
   */
  static Charge.OfPod of(Pod pod, boolean answered, Consumer<? super String> unreadable) {
    var spec = pod.getSpec();
    var amounts = PodAmounts.of(spec, unreadable);
    return new Charge.OfPod(
        amounts.byQuotaNames(),
        new PodTraits(
            spec.getActiveDeadlineSeconds() != null,
            isBestEffort(pod),
            Objects.requireNonNullElse(spec.getPriorityClassName(), ""),
            isCrossNamespace(spec)),
        unspecified(spec),
        answered,
        !spec.getResourceClaims().isEmpty()
            || amounts.requests().byName().keySet().stream().anyMatch(ResourceNames::isExtended));
  }

  /** Resources of the pod itself count alone if there are any, though they be of none of these. */
  private static boolean isBestEffort(Pod pod) {
    if (pod.getStatus() != null && pod.getStatus().getQosClass() != null) {
      return pod.getStatus().getQosClass().equals("BestEffort");
    }
    var spec = pod.getSpec();
    var asked =
        spec.getResources() != null
            ? Stream.of(spec.getResources())
            : containers(spec).map(Container::getResources);
    return asked.noneMatch(PodCharge::takesCpuOrMemory);
  }

  private static Stream<Container> containers(PodSpec spec) {
    return Stream.concat(spec.getContainers().stream(), spec.getInitContainers().stream());
  }

  private static boolean takesCpuOrMemory(@Nullable ResourceRequirements resources) {
    return Stream.of(PodAmounts.requests(resources), PodAmounts.limits(resources))
        .map(each -> Amounts.read(each, _ -> {}))
        .anyMatch(each -> each.of("cpu").signum() > 0 || each.of("memory").signum() > 0);
  }

  private static boolean isCrossNamespace(PodSpec spec) {
    var affinity = spec.getAffinity();
    if (affinity == null) {
      return false;
    }
    var near = affinity.getPodAffinity();
    var far = affinity.getPodAntiAffinity();
    return Stream.of(
            near == null
                ? Stream.<PodAffinityTerm>empty()
                : near.getRequiredDuringSchedulingIgnoredDuringExecution().stream(),
            near == null
                ? Stream.<PodAffinityTerm>empty()
                : preferred(near.getPreferredDuringSchedulingIgnoredDuringExecution().stream()),
            far == null
                ? Stream.<PodAffinityTerm>empty()
                : far.getRequiredDuringSchedulingIgnoredDuringExecution().stream(),
            far == null
                ? Stream.<PodAffinityTerm>empty()
                : preferred(far.getPreferredDuringSchedulingIgnoredDuringExecution().stream()))
        .flatMap(terms -> terms)
        .anyMatch(term -> !term.getNamespaces().isEmpty() || term.getNamespaceSelector() != null);
  }

  private static Stream<PodAffinityTerm> preferred(Stream<WeightedPodAffinityTerm> terms) {
    return terms.map(WeightedPodAffinityTerm::getPodAffinityTerm).filter(Objects::nonNull);
  }

  /** Nothing is asked of the containers of a pod that has resources as a whole. */
  private static Map<String, SortedSet<String>> unspecified(PodSpec spec) {
    var missing = new HashMap<String, SortedSet<String>>();
    if (hasOwnResources(spec.getResources())) {
      return missing;
    }
    containers(spec)
        .forEach(container -> {
          var resources = container.getResources();
          for (var name : ResourceNames.TO_SPECIFY) {
            boolean ofLimits = name.startsWith(ResourceNames.LIMITS);
            var given = ofLimits ? PodAmounts.limits(resources) : PodAmounts.requests(resources);
            if (given == null || !given.containsKey(name.substring(name.indexOf('.') + 1))) {
              missing.computeIfAbsent(name, _ -> new TreeSet<>()).add(container.getName());
            }
          }
        });
    return missing;
  }

  private static boolean hasOwnResources(@Nullable ResourceRequirements resources) {
    return Stream.of(PodAmounts.requests(resources), PodAmounts.limits(resources))
        .filter(Objects::nonNull)
        .map(Map<String, Quantity>::keySet)
        .anyMatch(names -> names.stream().anyMatch(PodAmounts::isForPods));
  }
}
