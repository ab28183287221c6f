package dev.runnerset.simulator.node;

import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/** Where a pod's runner container gets its JIT configuration from. */
final class JitSecret {
  private static final String VARIABLE = "ACTIONS_RUNNER_INPUT_JITCONFIG";
  private final Pod pod;
  private final String container;

  JitSecret(Pod pod, String container) {
    this.pod = pod;
    this.container = container;
  }

  /** The blob; empty if the secret or its key is not there; an empty text without the variable. */
  Optional<String> read(KubeCalls kube) throws IOException {
    for (var c : pod.getSpec().getContainers()) {
      if (!c.getName().equals(container)) {
        continue;
      }
      for (var variable : c.getEnv()) {
        if (variable.getName().equals(VARIABLE)) {
          var source = variable.getValueFrom();
          return source == null || source.getSecretKeyRef() == null
              ? Optional.ofNullable(variable.getValue())
              : secret(kube, source.getSecretKeyRef().getName(), source.getSecretKeyRef().getKey());
        }
      }
    }
    return Optional.of("");
  }

  private Optional<String> secret(KubeCalls kube, String name, String key) throws IOException {
    var namespace = pod.getMetadata().getNamespace();
    var answer = kube.get("/api/v1/namespaces/" + namespace + "/secrets/" + name);
    var value = answer.body().path("data").path(key).asText();
    return answer.isSuccess() && !value.isEmpty()
        ? Optional.of(new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8))
        : Optional.empty();
  }
}
