package dev.runnerset.controller.features.capacity;

import dev.runnerset.controller.features.capacity.QuotaLimit.Refusal;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * How many runners the ResourceQuotas of a namespace allow, by the rules of the API server's
 * admission. An object counts for a quota if all scopes of the quota match it; an object that takes
 * nothing of a resource is not held up by it, though the resource be overdrawn.
 */
public final class QuotaEvaluator {
  private QuotaEvaluator() {}

  /**
   * The room for more runners of one cost.
   *
   * @param quotas all of the namespace
   * @param own what the set's live runners take of them already
   */
  public static QuotaRoom room(List<Quota> quotas, RunnerCost cost, OwnCharges own) {
    var limits = new ArrayList<QuotaLimit>();
    var notReckoned = new TreeSet<String>();
    for (var quota : quotas) {
      var counted = cost.charges().stream().filter(quota::counts).toList();
      notReckoned.addAll(notReckoned(quota, counted, cost.pod().devices()));
      if (counted.isEmpty()) {
        continue;
      }
      notReckoned.addAll(cost.notReckoned());
      var ofOwn = own.charges().stream().filter(quota::counts).toList();
      for (var resource : quota.hard().byName().keySet()) {
        if (quota.unreadable().contains(resource)) {
          continue;
        }
        var refusal = refusal(quota, resource, counted);
        var perRunner = sum(counted, resource);
        if (refusal != Refusal.NONE || perRunner.signum() > 0) {
          limits.add(
              new QuotaLimit(
                  quota.name(),
                  resource,
                  quota.hard().of(resource),
                  quota.used().of(resource),
                  sum(ofOwn, resource),
                  perRunner,
                  own.pods(),
                  refusal));
        }
      }
    }
    return new QuotaRoom(limits, List.copyOf(notReckoned));
  }

  private static BigDecimal sum(List<Charge> charges, String resource) {
    return charges.stream()
        .map(charge -> charge.amounts().of(resource))
        .reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  /** The API server asks for a computed use of all resources of a kind, used or not. */
  private static Refusal refusal(Quota quota, String resource, List<Charge> counted) {
    boolean isUnspecified =
        counted.stream()
            .anyMatch(charge ->
                charge instanceof Charge.OfPod pod
                    && pod.answered()
                    && pod.unspecified().containsKey(resource));
    if (isUnspecified) {
      return Refusal.UNSPECIFIED;
    }
    return !quota.used().has(resource)
            && counted.stream().anyMatch(charge -> charge.isCountedUnder(resource))
        ? Refusal.NOT_COMPUTED
        : Refusal.NONE;
  }

  private static List<String> notReckoned(Quota quota, List<Charge> counted, boolean devices) {
    var hard = quota.hard().byName().keySet();
    var unknownScopes =
        quota.scopes().stream()
            .filter(scope -> !scope.isKnown())
            .map(scope -> "scope " + scope.scope());
    if (counted.isEmpty() && !quota.scopes().isEmpty()) {
      return phrases(quota, unknownScopes);
    }
    var unknown = hard.stream().filter(name -> !ResourceNames.isKnown(name));
    var ofDevices = hard.stream().filter(name -> devices && ResourceNames.isOfDevices(name));
    var unreadable = quota.unreadable().stream().map(name -> name + ", which is no quantity");
    var unspecified =
        counted.stream()
            .filter(charge -> charge instanceof Charge.OfPod pod && !pod.answered())
            .flatMap(charge -> ((Charge.OfPod) charge).unspecified().entrySet().stream())
            .filter(each -> hard.contains(each.getKey()))
            .map(each -> each.getKey() + " of " + String.join(", ", each.getValue()));
    return phrases(
        quota,
        Stream.of(unknownScopes, unknown, ofDevices, unreadable, unspecified)
            .flatMap(each -> each));
  }

  private static List<String> phrases(Quota quota, Stream<String> names) {
    return names.map(name -> "quota " + quota.name() + ": " + name).toList();
  }
}
