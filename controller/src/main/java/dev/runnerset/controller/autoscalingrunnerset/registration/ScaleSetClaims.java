package dev.runnerset.controller.autoscalingrunnerset.registration;

import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.controller.autoscalingrunnerset.planning.NameOwnership;
import dev.runnerset.controller.autoscalingrunnerset.planning.SpecCheck;
import dev.runnerset.controller.autoscalingrunnerset.status.Finding;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.memory.Slots.Slot;
import dev.runnerset.crds.AutoScalingRunnerSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which runner set of this process has a scale set, or is asking the service for one. Two sets that
 * were created at the same moment do not see each other's status, so {@link NameOwnership} alone
 * would admit both. A set claims its scale set before the first call and keeps the claim once it is
 * registered, until it is gone. Thread-safe.
 */
public record ScaleSetClaims(Memories memories) {
  private static final Slot<Claims> CLAIMS = new Slot<>(new Claims("", Set.of(), Set.of()));

  sealed interface Key {
    record OfName(String url, String group, String name) implements Key {}

    record OfId(String url, ScaleSetId id) implements Key {}
  }

  /**
   * What one set claims.
   *
   * @param set its words
   * @param kept what it is registered with
   * @param asked what it asks for; ends with the attempt
   */
  private record Claims(String set, Set<Key> kept, Set<Key> asked) {
    boolean has(Key key) {
      return kept.contains(key) || asked.contains(key);
    }

    Claims ofNames() {
      return new Claims(set, ofNames(kept), ofNames(asked));
    }

    private static Set<Key> ofNames(Set<Key> keys) {
      return keys.stream().filter(Key.OfName.class::isInstance).collect(Collectors.toSet());
    }
  }

  /**
   * Claims URL, group and name of the set, and the scale set that its status names.
   *
   * @param all the sets of this cluster
   * @return which set has one of them; empty if they now belong to this set
   */
  public synchronized Optional<Finding> claim(
      AutoScalingRunnerSet set, Collection<AutoScalingRunnerSet> all) {
    var name = name(set);
    var known = set.statusOrNone().scaleSetId();
    var taken =
        holder(name, set)
            .map(owner -> NameOwnership.taken(owner, set))
            .or(() -> keeps(set, name) ? Optional.empty() : NameOwnership.refusal(set, all));
    if (taken.isEmpty() && known != null) {
      taken = claimId(set, new ScaleSetId(known), all);
    }
    if (taken.isEmpty()) {
      ask(set, name);
    }
    return taken;
  }

  /** Claims a scale set that the service returned; the result is as that of {@code claim}. */
  synchronized Optional<Finding> claimId(
      AutoScalingRunnerSet set, ScaleSetId id, Collection<AutoScalingRunnerSet> all) {
    var key = new Key.OfId(SpecCheck.url(set), id);
    var taken =
        holder(key, set)
            .map(owner -> NameOwnership.idTaken(owner, id))
            .or(() -> NameOwnership.idRefusal(set, id, all));
    if (taken.isEmpty()) {
      ask(set, key);
    }
    return taken;
  }

  /** The set is registered: it keeps the claims of this name and this scale set only. */
  public synchronized void registered(AutoScalingRunnerSet set, ScaleSetId id) {
    var kept = Set.of(name(set), new Key.OfId(SpecCheck.url(set), id));
    memories.of(set).put(CLAIMS, new Claims(NameOwnership.words(set), kept, Set.of()));
  }

  /** The set has no scale set any more: it keeps its name, and another set may have the id. */
  synchronized void lost(AutoScalingRunnerSet set) {
    memories.of(set).change(CLAIMS, Claims::ofNames);
  }

  private boolean keeps(AutoScalingRunnerSet set, Key key) {
    return memories.of(set).get(CLAIMS).kept().contains(key);
  }

  /** The registration failed: the set keeps its former claims only. */
  public synchronized void failed(AutoScalingRunnerSet set) {
    memories.of(set).change(CLAIMS, claims -> new Claims(claims.set(), claims.kept(), Set.of()));
  }

  /** The set no longer exists. */
  public synchronized void release(String uid) {
    memories.of(uid).clear(CLAIMS);
  }

  /** The words of another set that has a claim. */
  private Optional<String> holder(Key key, AutoScalingRunnerSet set) {
    return memories.all(CLAIMS).entrySet().stream()
        .filter(e -> !e.getKey().equals(set.getMetadata().getUid()) && e.getValue().has(key))
        .map(e -> e.getValue().set())
        .findFirst();
  }

  private void ask(AutoScalingRunnerSet set, Key key) {
    var before = memories.of(set).get(CLAIMS);
    var asked = new HashSet<>(before.asked());
    asked.add(key);
    memories.of(set).put(CLAIMS, new Claims(NameOwnership.words(set), before.kept(), asked));
  }

  /** The service ignores the case of owners and names. */
  private static Key name(AutoScalingRunnerSet set) {
    return new Key.OfName(
        SpecCheck.url(set),
        SpecCheck.runnerGroup(set).toLowerCase(Locale.ROOT),
        SpecCheck.scaleSetName(set).toLowerCase(Locale.ROOT));
  }
}
