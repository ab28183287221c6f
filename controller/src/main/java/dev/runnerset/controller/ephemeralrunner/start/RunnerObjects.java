package dev.runnerset.controller.ephemeralrunner.start;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Map;
import java.util.Optional;

/**
 * A runner's objects at the API server; each call is one request and blocks for it. An outcome that
 * is not known is a {@link KubernetesClientException}.
 */
public interface RunnerObjects {
  /** Creates the secret of the JIT config. */
  CreateAnswer<Secret> createSecret(Secret secret);

  /** Creates the pod. */
  CreateAnswer<Pod> createPod(Pod pod);

  /** The pod as the server has it. */
  Optional<Pod> pod(String namespace, String name);

  /** The secret as the server has it. */
  Optional<Secret> secret(String namespace, String name);

  /**
   * Puts our labels onto the pod again.
   *
   * @return the pod as it is stored now, or empty when it is gone
   */
  Optional<Pod> label(Pod pod, Map<String, String> labels);

  /** Deletes the secret of that name if it is the runner's own; nothing where there is none. */
  void deleteSecret(EphemeralRunner runner);

  /** Deletes the pod of that name if it is the runner's own; nothing where there is none. */
  void deletePod(EphemeralRunner runner);

  /**
   * Merges our part into the runner's status.
   *
   * @return the stored runner, or empty when it is gone
   */
  Optional<EphemeralRunner> patchStatus(EphemeralRunner runner, EphemeralRunnerStatus ourPart);

  /**
   * Deletes the runner, if it is as we saw it.
   *
   * @return false when it is not, or gone
   */
  boolean deleteRunner(EphemeralRunner runner);
}
