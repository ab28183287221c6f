package dev.runnerset.simulator.node;

import io.fabric8.kubernetes.api.model.Pod;

/** Which pod, and which incarnation of it. */
record PodIdentity(String namespace, String name, String uid) {
  static PodIdentity of(Pod pod) {
    var meta = pod.getMetadata();
    return new PodIdentity(meta.getNamespace(), meta.getName(), meta.getUid());
  }

  String path() {
    return "/api/v1/namespaces/" + namespace + "/pods/" + name;
  }
}
