package dev.runnerset.controller.features.capacity;

import java.util.Map;
import java.util.SortedSet;

/** What one object takes of the quotas that count it. */
public sealed interface Charge {
  /** By the names that a quota has for it. */
  Amounts amounts();

  /** Whether a quota with that resource counts such objects, though this one takes none of it. */
  boolean isCountedUnder(String resource);

  /** That many of the same. */
  Charge times(int count);

  /**
   * A pod that has not ended.
   *
   * @param unspecified the containers that do not say how much they take, by the resource; sorted
   * @param answered whether the API server answered with this pod, so that defaults are in it
   * @param devices whether claims of devices are made for it
   */
  record OfPod(
      Amounts amounts,
      PodTraits traits,
      Map<String, SortedSet<String>> unspecified,
      boolean answered,
      boolean devices)
      implements Charge {
    /** Takes a copy. */
    public OfPod {
      unspecified = Map.copyOf(unspecified);
    }

    @Override
    public boolean isCountedUnder(String resource) {
      return ResourceNames.isOfPods(resource);
    }

    @Override
    public Charge times(int count) {
      return new OfPod(amounts.times(count), traits, unspecified, answered, devices);
    }
  }

  /**
   * A claim of a volume that is made for a pod.
   *
   * @param attributesClass the name of its VolumeAttributesClass, empty for none
   */
  record OfClaim(Amounts amounts, String attributesClass) implements Charge {
    @Override
    public boolean isCountedUnder(String resource) {
      return ResourceNames.isOfClaims(resource);
    }

    @Override
    public Charge times(int count) {
      return new OfClaim(amounts.times(count), attributesClass);
    }
  }

  /** Any other object: it is counted, no more. */
  record OfObject(Amounts amounts) implements Charge {
    @Override
    public boolean isCountedUnder(String resource) {
      return amounts.has(resource);
    }

    @Override
    public Charge times(int count) {
      return new OfObject(amounts.times(count));
    }
  }
}
