package dev.runnerset.controller.ephemeralrunner.start;

import dev.runnerset.actions.JitConfig;
import dev.runnerset.actions.RunnerReference;
import dev.runnerset.controller.ownership.Ownership;
import dev.runnerset.controller.podspec.RunnerPod;
import dev.runnerset.crds.EphemeralRunner;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;

/** The secret that gives the JIT config to the pod. */
public final class JitSecret {
  /** The key of the registration's id; the remover reads it where no status has the id. */
  public static final String RUNNER_ID_KEY = "runnerId";

  private JitSecret() {}

  /** The secret of a registration, owned by the runner. */
  public static Secret of(EphemeralRunner runner, RunnerReference registration, JitConfig config) {
    return new SecretBuilder()
        .withNewMetadata()
        .withName(runner.getMetadata().getName())
        .withNamespace(runner.getMetadata().getNamespace())
        .withLabels(RunnerPod.labels(runner))
        .withOwnerReferences(Ownership.ownedBy(runner))
        .endMetadata()
        .withType("Opaque")
        .withData(
            Map.of(
                RunnerPod.JIT_TOKEN_KEY,
                base64(config.encoded()),
                "runnerName",
                base64(registration.name()),
                RUNNER_ID_KEY,
                base64(registration.id().toString()),
                "scaleSetId",
                base64(registration.scaleSetId().toString())))
        .build();
  }

  /** The id of the registration whose config is in the secret; empty if somebody changed it. */
  public static Optional<Long> runnerId(Secret secret) {
    var encoded = secret.getData() == null ? null : secret.getData().get(RUNNER_ID_KEY);
    try {
      return encoded == null
          ? Optional.empty()
          : Optional.of(
              Long.valueOf(
                  new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
