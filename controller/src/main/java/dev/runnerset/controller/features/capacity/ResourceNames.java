package dev.runnerset.controller.features.capacity;

import dev.runnerset.crds.ApiGroup;
import java.util.Set;

/**
 * Which part of the quota system of Kubernetes counts a resource that a quota names. Each part asks
 * that all of its resources in a quota are computed, also resources that an object does not use.
 */
final class ResourceNames {
  static final String PODS = "pods";
  static final String COUNT_PODS = "count/pods";
  static final String CLAIMS = "persistentvolumeclaims";
  static final String COUNT_CLAIMS = "count/" + CLAIMS;
  static final String SECRETS = "secrets";
  static final String COUNT_SECRETS = "count/" + SECRETS;
  static final String COUNT_RUNNERS = "count/ephemeralrunners." + ApiGroup.NAME;
  static final String STORAGE = "requests.storage";
  static final String CLASS_SUFFIX = ".storageclass.storage.k8s.io/";
  static final String REQUESTS = "requests.";
  static final String LIMITS = "limits.";
  static final String EPHEMERAL_STORAGE = "ephemeral-storage";

  /** If a quota limits one of these, each container of a pod must say how much it takes. */
  static final Set<String> TO_SPECIFY =
      Set.of("cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory");

  private static final Set<String> OF_PODS =
      Set.of(
          PODS,
          COUNT_PODS,
          "cpu",
          "memory",
          EPHEMERAL_STORAGE,
          "requests.cpu",
          "requests.memory",
          "requests.ephemeral-storage",
          "limits.cpu",
          "limits.memory",
          "limits.ephemeral-storage");
  private static final Set<String> OF_OTHERS =
      Set.of(
          SECRETS,
          "configmaps",
          "resourcequotas",
          "replicationcontrollers",
          "services",
          "services.loadbalancers",
          "services.nodeports");
  private static final String HUGE_PAGES = "hugepages-";
  private static final String DEVICE_CLASS = "deviceclass.resource.kubernetes.io/";
  private static final String DEVICES = ".deviceclass.resource.k8s.io/devices";
  private static final String COUNT_DEVICE_CLAIMS = "count/resourceclaims.resource.k8s.io";
  private static final String COUNT = "count/";
  private static final String KUBERNETES = "kubernetes.io/";

  private ResourceNames() {}

  static boolean isHugePages(String name) {
    return name.startsWith(HUGE_PAGES);
  }

  /** Whether a container asks for it as for a device, so that a quota names it with requests. */
  static boolean isExtended(String name) {
    return name.startsWith(DEVICE_CLASS)
        || (name.contains("/") && !name.contains(KUBERNETES) && !name.startsWith(REQUESTS));
  }

  static boolean isOfPods(String name) {
    return OF_PODS.contains(name)
        || isHugePages(name)
        || name.startsWith(REQUESTS + HUGE_PAGES)
        || (name.startsWith(REQUESTS) && isExtended(name.substring(REQUESTS.length())));
  }

  static boolean isOfClaims(String name) {
    return name.equals(CLAIMS)
        || name.equals(COUNT_CLAIMS)
        || name.equals(STORAGE)
        || name.endsWith(CLASS_SUFFIX + CLAIMS)
        || name.endsWith(CLASS_SUFFIX + STORAGE);
  }

  /** Whether it counts devices of claims, which are made of the pod later, and are not computed. */
  static boolean isOfDevices(String name) {
    return name.equals(COUNT_DEVICE_CLAIMS)
        || name.endsWith(DEVICES)
        || name.startsWith(REQUESTS + DEVICE_CLASS);
  }

  /** Whether Kubernetes counts anything under that name, so that we know what it counts. */
  static boolean isKnown(String name) {
    return isOfPods(name) || isOfClaims(name) || isOfDevices(name) || isCount(name);
  }

  /** Whether it counts objects that are neither pods nor claims of volumes. */
  static boolean isCount(String name) {
    return OF_OTHERS.contains(name)
        || (name.startsWith(COUNT) && !isOfPods(name) && !isOfClaims(name));
  }
}
