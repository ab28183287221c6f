package dev.runnerset.simulator.kube.kind;

import dev.runnerset.simulator.kube.status.ResourceName;
import java.util.List;
import java.util.Set;

/**
 * One kind of object as served in one version.
 *
 * @param rules what is defaulted, pruned and refused
 */
public record ResourceType(ResourceName resource, Names names, Traits traits, ObjectRules rules) {

  /** The other names of the kind. */
  public record Names(
      String singular, String listKind, List<String> shortNames, List<String> categories) {}

  /**
   * @param subresources names served below an object, {@code status} and {@code scale} among them
   * @param generations whether {@code metadata.generation} counts changes of the spec
   */
  public record Traits(boolean namespaced, Set<String> subresources, boolean generations) {}

  public static final String CRDS = "customresourcedefinitions.apiextensions.k8s.io";
  public static final String NAMESPACES = "namespaces";
  public static final String PODS = "pods";
  public static final String QUOTAS = "resourcequotas";
  public static final String REVIEWS = "selfsubjectrulesreviews.authorization.k8s.io";

  public String group() {
    return resource.group();
  }

  public String version() {
    return resource.version();
  }

  public String plural() {
    return resource.plural();
  }

  public String kind() {
    return resource.kind();
  }

  public String apiVersion() {
    return resource.apiVersion();
  }

  public String qualified() {
    return resource.qualified();
  }

  public boolean is(String qualified) {
    return qualified().equals(qualified);
  }

  public boolean custom() {
    return rules instanceof CustomRules;
  }

  public boolean namespaced() {
    return traits.namespaced();
  }

  public boolean has(String subresource) {
    return traits.subresources().contains(subresource);
  }

  public boolean generations() {
    return traits.generations();
  }
}
