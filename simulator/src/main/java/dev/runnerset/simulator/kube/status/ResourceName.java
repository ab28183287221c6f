package dev.runnerset.simulator.kube.status;

/**
 * How a kind of object is called in one version of the API.
 *
 * @param group empty for the core group
 * @param plural as in paths
 */
public record ResourceName(String group, String version, String plural, String kind) {

  public String apiVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }

  /** {@code pods}, {@code leases.coordination.k8s.io}: the same for every version. */
  public String qualified() {
    return group.isEmpty() ? plural : plural + "." + group;
  }
}
