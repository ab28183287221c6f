package dev.runnerset.controller.features.capacity;

import java.time.Instant;
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
 * @param now the moment
 */
public record QuotaFacts(
    List<Quota> quotas,
    RunnerCost cost,
    OwnWindow own,
    OptionalInt share,
    @Nullable RoomTotal before,
    Instant now) {
  /** Takes a copy. */
  public QuotaFacts {
    quotas = List.copyOf(quotas);
  }

  /** What decides now; empty if no quota counts a runner. */
  Optional<QuotaLimit> tightest() {
    return room(OwnCharges.of(own.latest().actual())).tightestOfTotal();
  }

  /**
   * How many runners the set may have at a time if no other set wanted room. What is used may be
   * that of another moment than what we have: {@link RoomTotal} decides.
   */
  public RoomTotal total() {
    int low = Integer.MAX_VALUE;
    int high = 0;
    for (var possible : own.possible().toList()) {
      int total = room(possible).total().orElse(Integer.MAX_VALUE);
      low = Math.min(low, total);
      high = Math.max(high, total);
    }
    return before == null ? RoomTotal.of(low) : before.next(low, high, now);
  }

  /** Whether the set has fewer places than that, since others want a share of the room. */
  public boolean isShared() {
    return share.isPresent() && share.getAsInt() < total().places();
  }

  private QuotaRoom room(OwnCharges charges) {
    return QuotaEvaluator.room(quotas, cost, charges);
  }
}
