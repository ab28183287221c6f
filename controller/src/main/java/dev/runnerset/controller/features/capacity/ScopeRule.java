package dev.runnerset.controller.features.capacity;

import java.util.Set;

/**
 * One scope of a quota, which counts only what all of its scopes match.
 *
 * @param scope such as {@code Terminating}
 * @param operator {@code In}, {@code NotIn}, {@code Exists}, {@code DoesNotExist}; only scopes of
 *     classes have another one than {@code Exists}
 * @param values names of classes
 */
public record ScopeRule(String scope, String operator, Set<String> values) {
  private static final Set<String> KNOWN =
      Set.of(
          "Terminating",
          "NotTerminating",
          "BestEffort",
          "NotBestEffort",
          "PriorityClass",
          "CrossNamespacePodAffinity",
          "VolumeAttributesClass");

  /** Takes a copy. */
  public ScopeRule {
    values = Set.copyOf(values);
  }

  boolean isKnown() {
    return KNOWN.contains(scope);
  }

  /** Whether the charge is within the scope; objects other than pods and claims are in none. */
  public boolean matches(Charge charge) {
    return switch (charge) {
      case Charge.OfPod pod -> matchesPod(pod.traits());
      case Charge.OfClaim claim ->
          scope.equals("VolumeAttributesClass") && matchesClass(claim.attributesClass());
      case Charge.OfObject _ -> false;
    };
  }

  private boolean matchesPod(PodTraits pod) {
    return switch (scope) {
      case "Terminating" -> pod.terminating();
      case "NotTerminating" -> !pod.terminating();
      case "BestEffort" -> pod.bestEffort();
      case "NotBestEffort" -> !pod.bestEffort();
      case "PriorityClass" -> matchesClass(pod.priorityClass());
      case "CrossNamespacePodAffinity" -> pod.crossNamespace();
      default -> false;
    };
  }

  /** As a label selector: {@code NotIn} holds for what has no class at all. */
  private boolean matchesClass(String name) {
    return switch (operator) {
      case "Exists" -> !name.isEmpty();
      case "DoesNotExist" -> name.isEmpty();
      case "In" -> values.contains(name);
      case "NotIn" -> !values.contains(name);
      default -> false;
    };
  }
}
