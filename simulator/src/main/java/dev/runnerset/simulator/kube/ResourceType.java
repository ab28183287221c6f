package dev.runnerset.simulator.kube;

import java.util.List;
import java.util.Set;

/**
 * One kind of object as served in one version.
 *
 * @param subresources names served below an object, {@code status} and {@code scale} among them
 * @param generations whether {@code metadata.generation} counts changes of the spec
 * @param stored false for reviews, which are answered and forgotten
 * @param rules what is defaulted, pruned and refused
 */
record ResourceType(
    String group,
    String version,
    Names names,
    boolean namespaced,
    Set<String> subresources,
    boolean generations,
    boolean stored,
    ObjectRules rules,
    Columns columns) {

  record Names(
      String plural,
      String singular,
      String kind,
      String listKind,
      List<String> shortNames,
      List<String> categories) {}

  static final String CRDS = "customresourcedefinitions.apiextensions.k8s.io";
  static final String NAMESPACES = "namespaces";
  static final String PODS = "pods";

  String plural() {
    return names.plural();
  }

  String kind() {
    return names.kind();
  }

  String apiVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }

  /** {@code pods}, {@code leases.coordination.k8s.io}: the same for every version. */
  String qualified() {
    return group.isEmpty() ? plural() : plural() + "." + group;
  }

  boolean is(String qualified) {
    return qualified().equals(qualified);
  }

  boolean custom() {
    return rules instanceof CustomRules;
  }

  boolean has(String subresource) {
    return subresources.contains(subresource);
  }
}
