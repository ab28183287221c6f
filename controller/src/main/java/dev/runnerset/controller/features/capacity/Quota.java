package dev.runnerset.controller.features.capacity;

import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.ScopedResourceSelectorRequirement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A ResourceQuota, as far as the room for runners depends on it.
 *
 * @param hard the limits that are enforced: of the status, of the spec before the first status
 * @param used what is used up, of the status; a limit without it is not computed yet
 * @param scopes it counts only what all of them match
 * @param unreadable resources whose limit or use is no quantity; sorted
 */
public record Quota(
    String name, Amounts hard, Amounts used, List<ScopeRule> scopes, List<String> unreadable) {
  /** Takes a copy. */
  public Quota {
    scopes = List.copyOf(scopes);
    unreadable = List.copyOf(unreadable);
  }

  /** What matters of a ResourceQuota; it may lack its status. */
  public static Quota of(ResourceQuota quota) {
    var spec = quota.getSpec();
    var status = quota.getStatus();
    var unreadable = new HashSet<String>();
    boolean enforced = status != null && !isEmpty(status.getHard());
    var hard =
        enforced
            ? Amounts.read(status.getHard(), unreadable::add)
            : Amounts.read(spec == null ? null : spec.getHard(), unreadable::add);
    var used = Amounts.read(status == null ? null : status.getUsed(), unreadable::add);
    var scopes = new ArrayList<ScopeRule>();
    if (spec != null) {
      spec.getScopes().forEach(scope -> scopes.add(new ScopeRule(scope, "Exists", Set.of())));
      Stream.ofNullable(spec.getScopeSelector())
          .flatMap(selector -> selector.getMatchExpressions().stream())
          .map(Quota::rule)
          .forEach(scopes::add);
    }
    return new Quota(
        quota.getMetadata().getName(), hard, used, scopes, unreadable.stream().sorted().toList());
  }

  private static boolean isEmpty(@Nullable Map<?, ?> map) {
    return map == null || map.isEmpty();
  }

  private static ScopeRule rule(ScopedResourceSelectorRequirement selector) {
    return new ScopeRule(
        Objects.requireNonNullElse(selector.getScopeName(), ""),
        Objects.requireNonNullElse(selector.getOperator(), ""),
        Set.copyOf(selector.getValues()));
  }

  /** Whether it counts the charge, under at least one of its resources. */
  boolean counts(Charge charge) {
    return scopes.stream().allMatch(scope -> scope.matches(charge))
        && hard.byName().keySet().stream().anyMatch(charge::isCountedUnder);
  }

  /** The same as if those charges were free. */
  public Quota without(List<OwnCharges> charges) {
    var counted =
        charges.stream().flatMap(each -> each.charges().stream()).filter(this::counts).toList();
    var left = new HashMap<>(used.byName());
    counted.forEach(charge ->
        charge
            .amounts()
            .byName()
            .forEach(
                (name, amount) -> left.computeIfPresent(name, (_, use) -> use.subtract(amount))));
    return new Quota(name, hard, new Amounts(left), scopes, unreadable);
  }
}
