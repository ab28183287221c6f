package dev.runnerset.controller.features.capacity;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * What quotas leave to one set, and how it was found.
 *
 * @param quotas all of the namespace
 * @param cost of a runner that is made now
 * @param own what the set's runners have taken in the last seconds
 * @param share of the room that other sets want, too; empty if none does
 * @param before what {@link #total} was before; null if it was never computed
 */
public record QuotaFacts(
    List<Quota> quotas,
    RunnerCost cost,
    OwnWindow own,
    OptionalInt share,
    @Nullable Integer before) {
  /** Takes a copy. */
  public QuotaFacts {
    quotas = List.copyOf(quotas);
  }

  /** What decides now; empty if no quota counts a runner. */
  Optional<QuotaLimit> tightest() {
    return room(OwnCharges.of(own.latest().actual())).tightestOfTotal();
  }

  /**
   * How many runners the set may have at a time if no other set wanted room. While what is used may
   * be that of another moment than what we have, any number in between may be the true one: then
   * the number before is kept.
   */
  public int total() {
    int low = Integer.MAX_VALUE;
    int high = 0;
    for (var possible : own.possible().toList()) {
      int total = room(possible).total().orElse(Integer.MAX_VALUE);
      low = Math.min(low, total);
      high = Math.max(high, total);
    }
    return before == null ? low : Math.clamp(before, low, high);
  }

  /** Whether the set has fewer places than that, since others want a share of the room. */
  public boolean isShared() {
    return share.isPresent() && share.getAsInt() < total();
  }

  private QuotaRoom room(OwnCharges charges) {
    return QuotaEvaluator.room(quotas, cost, charges);
  }
}
