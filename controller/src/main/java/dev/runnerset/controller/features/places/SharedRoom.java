package dev.runnerset.controller.features.places;

import dev.runnerset.base.RequeueTime;
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
 * every few seconds, if the room or what the sets wait for has changed. While pods of others come
 * and go, a rise that no set waits for is held back for longer: it would cost a write of each set.
 * The caller must not use it on two threads at once.
 */
final class SharedRoom {
  /** How long shares last: each change cancels polls. */
  static final Duration STANDS = Duration.ofSeconds(5);

  /** How long shares last that would only rise, and no set waits for more. */
  static final Duration BEFORE_RISE = Duration.ofSeconds(15);

  private final Map<String, Shares> sharesByNamespace = new HashMap<>();

  /**
   * The shares of a namespace.
   *
   * @param at when they were found
   * @param compared when they were last compared with what they would be
   * @param by what they were found
   * @param room the quotas as if the sets had no runners
   */
  private record Shares(
      Instant at,
      Instant compared,
      Map<SetKey, Claim> by,
      List<Quota> room,
      Map<String, Integer> placesByName) {
    boolean isOf(Map<SetKey, Claim> claims, List<Quota> quotas) {
      return by.equals(claims) && room.equals(quotas);
    }

    /** Whether other shares of the same sets may come later: none is lower, and no set waits. */
    boolean mayStay(Shares next) {
      return !placesByName.equals(next.placesByName)
          && next.at.isBefore(at.plus(BEFORE_RISE))
          && next.by.values().stream().allMatch(claim -> claim.waits() == 0)
          && placesByName.entrySet().stream()
              .allMatch(set -> next.placesByName.getOrDefault(set.getKey(), 0) >= set.getValue());
    }

    Shares comparedAt(Instant now) {
      return new Shares(at, now, by, room, placesByName);
    }
  }

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
      claims.put(state.key(), new Claim(waits(state).among(waits), state.most()));
    }
    var room = room(quotas, ofNamespace);
    var known = sharesByNamespace.get(set.namespace());
    var others = new HashSet<SetKey>();
    var due = known == null ? now : known.compared().plus(STANDS);
    boolean sameSets = known != null && known.by().keySet().equals(claims.keySet());
    if (known == null || !sameSets || (!now.isBefore(due) && !known.isOf(claims, room))) {
      var next = new Shares(now, now, claims, room, shares(room, ofNamespace, claims));
      if (known != null && sameSets && known.mayStay(next)) {
        next = known.comparedAt(now);
      }
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
        known.isOf(claims, room)
            ? RequeueTime.NEVER
            : RequeueTime.at(known.compared().plus(STANDS)),
        others);
  }

  private static Waits waits(SetState state) {
    return Objects.requireNonNull(state.ofQuotas()).waits();
  }

  /** All that is not taken by others than these sets. */
  private static List<Quota> room(List<Quota> quotas, List<SetState> sets) {
    var own =
        sets.stream().map(state -> Objects.requireNonNull(state.ofQuotas()).own().most()).toList();
    return quotas.stream().map(quota -> quota.without(own)).toList();
  }

  private static Map<String, Integer> shares(
      List<Quota> room, List<SetState> sets, Map<SetKey, Claim> claims) {
    return QuotaShare.of(
        room,
        sets.stream()
            .map(state -> {
              var cost = Objects.requireNonNull(state.ofQuotas()).cost();
              var claim = Objects.requireNonNull(claims.get(state.key()));
              return new QuotaShare.Claimant(state.key().name(), cost, claim.waits(), claim.most());
            })
            .toList());
  }
}
