package dev.runnerset.controller.features.capacity;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How many runners the quotas of a namespace allow.
 *
 * @param limits one for each resource of each quota that counts a runner
 * @param notReckoned what may limit runners besides, each as a phrase for people; sorted
 */
public record QuotaRoom(List<QuotaLimit> limits, List<String> notReckoned) {
  private static final Comparator<QuotaLimit> BY_NAMES =
      Comparator.comparing(QuotaLimit::quota).thenComparing(QuotaLimit::resource);

  /** Takes a copy. */
  public QuotaRoom {
    limits = List.copyOf(limits);
    notReckoned = List.copyOf(notReckoned);
  }

  /** How many more runners all quotas admit; empty if none counts runners. */
  public OptionalInt more() {
    return limits.stream().mapToInt(QuotaLimit::room).min();
  }

  /** What decides {@link #more}; of several that are as tight, the first by name. */
  public Optional<QuotaLimit> tightest() {
    return limits.stream().min(Comparator.comparingInt(QuotaLimit::room).thenComparing(BY_NAMES));
  }

  /** How many runners the set may have at a time, its live ones included; empty for any number. */
  public OptionalInt total() {
    return limits.stream().mapToInt(QuotaLimit::total).min();
  }

  /** What decides {@link #total}; of several that are as tight, the first by name. */
  public Optional<QuotaLimit> tightestOfTotal() {
    return limits.stream().min(Comparator.comparingInt(QuotaLimit::total).thenComparing(BY_NAMES));
  }
}
