package dev.runnerset.controller.podspec;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.stream.Stream;

/**
 * Which containers have values of secrets in their environment. Nobody here knows these values, so
 * nothing that such a container wrote may be shown.
 */
public final class SecretEnvironment {
  private SecretEnvironment() {}

  /**
   * Whether the container has a value of a secret in its environment, other than the runner's own
   * JIT config.
   */
  public static boolean isIn(Pod pod, String container) {
    return pod.getSpec() != null
        && Stream.concat(
                pod.getSpec().getInitContainers().stream(), pod.getSpec().getContainers().stream())
            .filter(each -> container.equals(each.getName()))
            .anyMatch(each -> isIn(each, pod.getMetadata().getName()));
  }

  private static boolean isIn(Container container, String ownSecret) {
    return container.getEnvFrom().stream().anyMatch(source -> source.getSecretRef() != null)
        || container.getEnv().stream().anyMatch(variable -> isSecret(variable, ownSecret));
  }

  private static boolean isSecret(EnvVar variable, String ownSecret) {
    var source = variable.getValueFrom();
    var secret = source == null ? null : source.getSecretKeyRef();
    return secret != null
        && !(ownSecret.equals(secret.getName()) && RunnerPod.JIT_TOKEN_KEY.equals(secret.getKey()));
  }
}
