package dev.runnerset.controller.sweep;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Preconditions;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;

/** What the sweep reads and deletes at the API server. Each call blocks for its requests. */
final class LeftOverObjects {
  private final KubeApi kube;

  LeftOverObjects(KubeApi kube) {
    this.kube = kube;
  }

  /** Whether there is a runner of that name, whatever a cache shows. */
  boolean hasRunner(String namespace, String name) {
    return kube.get(EphemeralRunner.class, Resource.of(EphemeralRunner.class, namespace, name))
        != null;
  }

  /** Deletes the pod; false if it is gone, or does not meet the preconditions. */
  boolean delete(OrphanPod pod, Preconditions wanted) {
    return kube.delete(Resource.of(Pod.class, pod.namespace(), pod.name()), wanted);
  }

  /**
   * Deletes the secret that a runner of that name had, once there is no such runner.
   *
   * @return false if there is none, or it is something else
   */
  boolean deleteSecret(String namespace, String name, String set) {
    var secret = kube.get(Secret.class, Resource.of(Secret.class, namespace, name));
    return secret != null
        && OrphanPod.isMadeForRunners(secret)
        && set.equals(OrphanPod.labels(secret).get(Labels.SET))
        && secret.getMetadata().getDeletionTimestamp() == null
        && kube.delete(Resource.of(secret), Preconditions.uid(secret));
  }
}
