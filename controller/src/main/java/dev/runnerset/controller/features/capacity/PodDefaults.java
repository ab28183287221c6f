package dev.runnerset.controller.features.capacity;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The requests that the API server fills into a new pod by its own rules, without the defaults of a
 * LimitRange: requests default to limits, and the requests of the pod as a whole default to what
 * its containers request together.
 */
final class PodDefaults {
  private PodDefaults() {}

  /** A copy of the pod with its requests filled in. */
  static Pod filledIn(Pod pod) {
    var filled = new PodBuilder(pod).build();
    var spec = filled.getSpec();
    Stream.concat(spec.getContainers().stream(), spec.getInitContainers().stream())
        .map(Container::getResources)
        .filter(Objects::nonNull)
        .forEach(each -> each.setRequests(merged(each.getRequests(), each.getLimits(), _ -> true)));
    if (spec.getResources() != null) {
      fillHugePages(spec, spec.getResources());
      fillRequests(spec, spec.getResources());
    }
    return filled;
  }

  /** The first map, with what the other has of names that the first lacks. */
  private static Map<String, Quantity> merged(
      @Nullable Map<String, Quantity> first,
      @Nullable Map<String, Quantity> others,
      Predicate<String> names) {
    var merged = new HashMap<String, Quantity>(first == null ? Map.of() : first);
    if (others != null) {
      others.forEach((name, quantity) -> {
        if (names.test(name)) {
          merged.putIfAbsent(name, quantity);
        }
      });
    }
    return merged;
  }

  /** Limits of huge pages come from the containers, unless the pod as a whole requests them. */
  private static void fillHugePages(PodSpec spec, ResourceRequirements own) {
    if (isEmpty(own.getLimits()) && isEmpty(own.getRequests())) {
      return;
    }
    var requested = own.getRequests() == null ? Set.of() : own.getRequests().keySet();
    own.setLimits(
        merged(
            own.getLimits(),
            ofContainers(spec, true),
            name -> ResourceNames.isHugePages(name) && !requested.contains(name)));
  }

  private static void fillRequests(PodSpec spec, ResourceRequirements own) {
    if (isEmpty(own.getLimits())) {
      return;
    }
    own.setRequests(
        merged(
            own.getRequests(),
            ofContainers(spec, false),
            name -> PodAmounts.isForPods(name) && !ResourceNames.isHugePages(name)));
    own.setRequests(merged(own.getRequests(), own.getLimits(), PodAmounts::isForPods));
  }

  private static boolean isEmpty(@Nullable Map<?, ?> map) {
    return map == null || map.isEmpty();
  }

  private static Map<String, Quantity> ofContainers(PodSpec spec, boolean ofLimits) {
    var amounts =
        PodAmounts.ofContainers(
            spec,
            each ->
                Amounts.read(
                    ofLimits ? PodAmounts.limits(each) : PodAmounts.requests(each), _ -> {}));
    return amounts.byName().entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, each -> quantity(each.getValue())));
  }

  private static Quantity quantity(BigDecimal amount) {
    return new Quantity(amount.toPlainString());
  }
}
