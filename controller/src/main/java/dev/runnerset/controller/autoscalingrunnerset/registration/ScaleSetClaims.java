package dev.runnerset.controller.autoscalingrunnerset.registration;

import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.controller.autoscalingrunnerset.planning.NameOwnership;
import dev.runnerset.controller.autoscalingrunnerset.planning.SpecCheck;
import dev.runnerset.controller.autoscalingrunnerset.status.Finding;
import dev.runnerset.crds.AutoScalingRunnerSet;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;

/**
 * Which runner set of this process has a scale set, or is asking the service for one. Two sets that
 * were created at the same moment do not see each other's status, so {@link NameOwnership} alone
 * would admit both. A set claims its scale set before the first call and keeps the claim once it is
 * registered. Thread-safe.
 */
public final class ScaleSetClaims {
  /**
   * How long a claim lasts without renewal once no cache has its set: a set whose finalizer
   * somebody removed releases nothing.
   */
  static final Duration KEPT_WITHOUT_SET = Duration.ofMinutes(5);

  private sealed interface Key {
    record OfName(String url, String group, String name) implements Key {}

    record OfId(String url, ScaleSetId id) implements Key {}
  }

  /**
   * A claim.
   *
   * @param kept whether its set is registered with it; else it ends with the attempt
   */
  private record Claim(String uid, String set, Instant at, boolean kept) {}

  private final Map<Key, Claim> claimByKey = new HashMap<>(); // guarded by this

  /**
   * Claims URL, group and name of the set, and the scale set that its status names.
   *
   * @param all the sets of this cluster
   * @return which set has one of them; empty if they now belong to this set
   */
  public synchronized Optional<Finding> claim(
      AutoScalingRunnerSet set, Collection<AutoScalingRunnerSet> all, Instant now) {
    var name = name(set);
    var known = set.statusOrNone().scaleSetId();
    var taken = holder(name, set, all, now).map(claim -> NameOwnership.taken(claim.set(), set));
    if (taken.isEmpty()) {
      taken = NameOwnership.refusal(set, all);
    }
    if (taken.isEmpty() && known != null) {
      taken = idHolder(set, new ScaleSetId(known), all, now);
    }
    if (taken.isEmpty()) {
      put(name, set, now);
      if (known != null) {
        put(new Key.OfId(SpecCheck.url(set), new ScaleSetId(known)), set, now);
      }
    }
    return taken;
  }

  /** Claims a scale set that the service returned; the result is as that of {@code claim}. */
  synchronized Optional<Finding> claimId(
      AutoScalingRunnerSet set, ScaleSetId id, Collection<AutoScalingRunnerSet> all, Instant now) {
    var taken = idHolder(set, id, all, now);
    if (taken.isEmpty()) {
      put(new Key.OfId(SpecCheck.url(set), id), set, now);
    }
    return taken;
  }

  /** The set is registered: it keeps the claims of this name and this scale set only. */
  public synchronized void registered(AutoScalingRunnerSet set, ScaleSetId id) {
    var kept = Set.of(name(set), new Key.OfId(SpecCheck.url(set), id));
    release(uid(set), (key, claim) -> !kept.contains(key));
    claimByKey.replaceAll((key, claim) ->
        claim.uid().equals(uid(set))
            ? new Claim(claim.uid(), claim.set(), claim.at(), true)
            : claim);
  }

  /** The registration failed: the set keeps its former claims only. */
  public synchronized void failed(AutoScalingRunnerSet set) {
    release(uid(set), (key, claim) -> !claim.kept());
  }

  /** The set no longer exists. */
  public synchronized void release(String uid) {
    release(uid, (key, claim) -> true);
  }

  private void release(String uid, BiPredicate<Key, Claim> which) {
    claimByKey
        .entrySet()
        .removeIf(e -> e.getValue().uid().equals(uid) && which.test(e.getKey(), e.getValue()));
  }

  private Optional<Finding> idHolder(
      AutoScalingRunnerSet set, ScaleSetId id, Collection<AutoScalingRunnerSet> all, Instant now) {
    return holder(new Key.OfId(SpecCheck.url(set), id), set, all, now)
        .map(claim -> NameOwnership.idTaken(claim.set(), id))
        .or(() -> NameOwnership.idRefusal(set, id, all));
  }

  private Optional<Claim> holder(
      Key key, AutoScalingRunnerSet set, Collection<AutoScalingRunnerSet> all, Instant now) {
    var claim = claimByKey.get(key);
    if (claim == null || claim.uid().equals(uid(set))) {
      return Optional.empty();
    }
    // INVARIANT: a list from before the cache had the holder does not end its claim
    boolean lost =
        !now.isBefore(claim.at().plus(KEPT_WITHOUT_SET))
            && all.stream().noneMatch(other -> claim.uid().equals(uid(other)));
    if (lost) {
      release(claim.uid());
      return Optional.empty();
    }
    return Optional.of(claim);
  }

  private void put(Key key, AutoScalingRunnerSet set, Instant now) {
    var meta = set.getMetadata();
    var before = claimByKey.get(key);
    boolean kept = before != null && before.uid().equals(uid(set)) && before.kept();
    var name = meta.getNamespace() + "/" + meta.getName();
    claimByKey.put(key, new Claim(uid(set), name, now, kept));
  }

  private static String uid(AutoScalingRunnerSet set) {
    return set.getMetadata().getUid();
  }

  /** The service ignores the case of owners and names. */
  private static Key name(AutoScalingRunnerSet set) {
    return new Key.OfName(
        SpecCheck.url(set),
        SpecCheck.runnerGroup(set).toLowerCase(Locale.ROOT),
        SpecCheck.scaleSetName(set).toLowerCase(Locale.ROOT));
  }
}
