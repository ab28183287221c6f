package dev.runnerset.controller.features.capacity;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * The share of each set in the room that several have together. Each gets one place first, then
 * places in proportion to what it waits for, then the rest in equal parts. The shares together fit
 * into all quotas, though a runner of one set cost more than one of another.
 */
public final class QuotaShare {
  private QuotaShare() {}

  /**
   * A set that would have more runners.
   *
   * @param name unique among the claimants
   * @param waits how many more runners its jobs wait for
   * @param most how many more runners it may have at all
   */
  public record Claimant(String name, RunnerCost cost, int waits, int most) {}

  private static final class Grant {
    final Claimant claimant;
    final List<QuotaLimit> limits;
    int places;

    Grant(Claimant claimant, List<QuotaLimit> limits) {
      this.claimant = claimant;
      this.limits = limits;
    }
  }

  private record Pool(Map<List<String>, BigDecimal> leftByLimit) {
    /** Takes one place out of the pool; false if it does not fit. */
    boolean take(Grant grant) {
      for (var limit : grant.limits) {
        if (limit.refusal() != QuotaLimit.Refusal.NONE
            || left(limit).compareTo(limit.perRunner()) < 0) {
          return false;
        }
      }
      grant.limits.forEach(
          limit -> leftByLimit.put(key(limit), left(limit).subtract(limit.perRunner())));
      return true;
    }

    private BigDecimal left(QuotaLimit limit) {
      return leftByLimit.computeIfAbsent(key(limit), _ -> limit.hard().subtract(limit.used()));
    }

    private static List<String> key(QuotaLimit limit) {
      return List.of(limit.quota(), limit.resource());
    }
  }

  /** Next is who has the fewest places for each runner that it waits for. */
  private static final Comparator<Grant> BY_WAITS =
      (a, b) ->
          Long.compare(
              (long) b.claimant.waits() * (a.places + 1),
              (long) a.claimant.waits() * (b.places + 1));

  private static final Comparator<Grant> BY_NAME = Comparator.comparing(g -> g.claimant.name());

  /**
   * How many more runners each of them may have, by name.
   *
   * @param quotas all of their namespace
   */
  public static Map<String, Integer> of(List<Quota> quotas, List<Claimant> claimants) {
    var grants = new ArrayList<Grant>();
    for (var claimant : claimants) {
      var room = QuotaEvaluator.room(quotas, claimant.cost(), OwnCharges.NONE);
      grants.add(new Grant(claimant, room.limits()));
    }
    var pool = new Pool(new HashMap<>());
    grants.stream()
        .sorted(BY_WAITS.thenComparing(BY_NAME))
        .filter(grant -> grant.claimant.most() > 0 && pool.take(grant))
        .forEach(grant -> grant.places = 1);
    fill(pool, grants, BY_WAITS.thenComparing(BY_NAME), true);
    fill(pool, grants, Comparator.<Grant>comparingInt(g -> g.places).thenComparing(BY_NAME), false);
    var shares = new HashMap<String, Integer>();
    grants.forEach(grant -> shares.put(grant.claimant.name(), grant.places));
    return shares;
  }

  /** One place after another, until each has what it may have, or the next does not fit. */
  private static void fill(
      Pool pool, List<Grant> grants, Comparator<Grant> order, boolean isForWaiting) {
    var next = new PriorityQueue<>(order);
    next.addAll(grants);
    while (!next.isEmpty()) {
      var grant = next.remove();
      int upTo =
          isForWaiting
              ? Math.min(grant.claimant.waits(), grant.claimant.most())
              : grant.claimant.most();
      if (grant.limits.isEmpty()) {
        grant.places = Math.max(grant.places, upTo);
      } else if (grant.places < upTo && pool.take(grant)) {
        grant.places++;
        next.add(grant); // its order has changed
      }
    }
  }
}
