package dev.runnerset.controller.features.places;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.features.capacity.OwnCharges;
import dev.runnerset.controller.features.capacity.Quota;
import dev.runnerset.controller.features.capacity.QuotaShare;
import dev.runnerset.controller.features.capacity.Waits;
import dev.runnerset.controller.ownership.SetKey;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;

/**
 * How the sets of a namespace share the room in its quotas (DM13). The shares are computed again
 * every few seconds, if what the sets wait for has changed. The caller must not use it on two
 * threads at once.
 */
final class SharedRoom {
  /** How long shares last: each change cancels polls. */
  static final Duration STANDS = Duration.ofSeconds(5);

  private final Map<String, Shares> sharesByNamespace = new HashMap<>();

  /**
   * The shares of a namespace.
   *
   * @param by what they were found
   */
  private record Shares(Instant at, Basis by, Map<String, Integer> placesByName) {}

  /**
   * What shares are found by.
   *
   * @param left the quotas without what the sets themselves have taken
   */
  private record Basis(Map<SetKey, Claim> claims, List<Quota> left) {}

  /** What a set waits for. */
  private record Claim(int waits, int most) {}

  /**
   * The share of one set.
   *
   * @param places empty if no other set wants room
   * @param others whose share has changed just now
   */
  record Share(OptionalInt places, RequeueTime requeue, Set<SetKey> others) {
    static final Share NONE = new Share(OptionalInt.empty(), RequeueTime.NEVER, Set.of());
  }

  /**
   * The share of a set.
   *
   * @param ofNamespace all sets of its namespace that quotas bound, and itself
   */
  Share of(SetKey set, List<Quota> quotas, List<SetState> ofNamespace, Instant now) {
    if (ofNamespace.size() < 2 || quotas.isEmpty()) {
      sharesByNamespace.remove(set.namespace());
      return Share.NONE;
    }
    var claims = new HashMap<SetKey, Claim>();
    var waits = Waits.byJobs(ofNamespace.stream().map(SharedRoom::waits).toList());
    for (var state : ofNamespace) {
      claims.put(state.key(), new Claim(waits(state).among(waits), state.maxRunners()));
    }
    var known = sharesByNamespace.get(set.namespace());
    var others = new HashSet<SetKey>();
    var due = known == null ? now : known.at().plus(STANDS);
    var basis = new Basis(claims, left(quotas, ofNamespace));
    boolean sameSets = known != null && known.by().claims().keySet().equals(claims.keySet());
    if (known == null || !sameSets || (!now.isBefore(due) && !known.by().equals(basis))) {
      var next = new Shares(now, basis, shares(basis, ofNamespace));
      for (var key : claims.keySet()) {
        var before = known == null ? null : known.placesByName().get(key.name());
        if (!key.equals(set) && !Objects.equals(next.placesByName().get(key.name()), before)) {
          others.add(key);
        }
      }
      sharesByNamespace.put(set.namespace(), next);
      known = next;
    }
    return new Share(
        OptionalInt.of(known.placesByName().getOrDefault(set.name(), 0)),
        known.by().equals(basis) ? RequeueTime.NEVER : RequeueTime.at(known.at().plus(STANDS)),
        others);
  }

  private static Waits waits(SetState state) {
    return Objects.requireNonNull(state.ofQuotas()).waits();
  }

  /** Of all that is not taken by others than these sets. */
  private static List<Quota> left(List<Quota> quotas, List<SetState> sets) {
    var own =
        sets.stream()
            .map(state -> Objects.requireNonNull(state.ofQuotas()).own().latest().actual())
            .map(OwnCharges::of)
            .toList();
    return quotas.stream().map(quota -> quota.without(own)).toList();
  }

  private static Map<String, Integer> shares(Basis basis, List<SetState> sets) {
    return QuotaShare.of(
        basis.left(),
        sets.stream()
            .map(state -> {
              var cost = Objects.requireNonNull(state.ofQuotas()).cost();
              var claim = Objects.requireNonNull(basis.claims().get(state.key()));
              return new QuotaShare.Claimant(state.key().name(), cost, claim.waits(), claim.most());
            })
            .toList());
  }
}
