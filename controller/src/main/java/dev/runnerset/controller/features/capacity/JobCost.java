package dev.runnerset.controller.features.capacity;

import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What one job takes besides its runner's pod, as in the container modes that make pods of a job.
 * Those pods have no deadline, no priority class and no affinity.
 *
 * @param resources by the name that a container has for it ({@code cpu} is a request), or that a
 *     quota has ({@code limits.cpu}, {@code requests.storage}, {@code count/secrets})
 * @param pods how many
 */
public record JobCost(Map<String, Quantity> resources, int pods) {
  /** A job that runs within the pod of its runner. */
  public static final JobCost NONE = new JobCost(Map.of(), 0);

  /** Takes a copy. */
  public JobCost {
    resources = Map.copyOf(resources);
  }

  List<Charge> charges() {
    var ofPods = new HashMap<String, BigDecimal>();
    var ofClaims = new HashMap<String, BigDecimal>();
    var ofObjects = new HashMap<String, BigDecimal>();
    Amounts.read(resources, _ -> {})
        .byName()
        .forEach((name, amount) -> {
          if (ResourceNames.isOfClaims(name)) {
            ofClaims.put(name, amount);
          } else if (ResourceNames.isCount(name)) {
            ofObjects.put(name, amount);
          } else {
            putOfPods(ofPods, name, amount);
          }
        });
    if (pods > 0) {
      ofPods.put(ResourceNames.PODS, BigDecimal.valueOf(pods));
      ofPods.put(ResourceNames.COUNT_PODS, BigDecimal.valueOf(pods));
    }
    var charges = new ArrayList<Charge>();
    if (!ofPods.isEmpty()) {
      charges.add(pods(new Amounts(ofPods)));
    }
    if (!ofClaims.isEmpty()) {
      charges.add(new Charge.OfClaim(new Amounts(ofClaims), ""));
    }
    if (!ofObjects.isEmpty()) {
      charges.add(new Charge.OfObject(new Amounts(ofObjects)));
    }
    return charges;
  }

  /** Quotas have two names for a request. */
  private static void putOfPods(Map<String, BigDecimal> amounts, String name, BigDecimal amount) {
    if (name.startsWith(ResourceNames.LIMITS)) {
      amounts.put(name, amount);
      return;
    }
    var plain =
        name.startsWith(ResourceNames.REQUESTS)
            ? name.substring(ResourceNames.REQUESTS.length())
            : name;
    if (PodAmounts.isCompute(plain) || ResourceNames.isHugePages(plain)) {
      amounts.put(plain, amount);
    }
    amounts.put(ResourceNames.REQUESTS + plain, amount);
  }

  private Charge pods(Amounts amounts) {
    var unspecified = new HashMap<String, SortedSet<String>>();
    for (var name : ResourceNames.TO_SPECIFY) {
      if (!amounts.has(name)) {
        unspecified.put(name, new TreeSet<>(List.of("the pods of a job")));
      }
    }
    boolean bestEffort =
        ResourceNames.TO_SPECIFY.stream().allMatch(name -> amounts.of(name).signum() == 0);
    var traits = new PodTraits(false, bestEffort, "", false);
    return new Charge.OfPod(amounts, traits, unspecified, false, false);
  }
}
