package dev.runnerset.controller.ephemeralrunner.start;

import dev.runnerset.actions.JitConfig;
import dev.runnerset.actions.RunnerReference;
import dev.runnerset.controller.podspec.RunnerPod;
import dev.runnerset.crds.EphemeralRunner;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;

/** The secret that hands the JIT config to the pod. Pure. */
public final class JitSecret {
  /** The key of the registration's id, which scale-down reads where no status names it. */
  public static final String RUNNER_ID_KEY = "runnerId";

  private JitSecret() {}

  public static Secret of(EphemeralRunner runner, RunnerReference registration, JitConfig config) {
    return withData(
        runner,
        Map.of(
            RunnerPod.JIT_TOKEN_KEY,
            base64(config.encoded()),
            "runnerName",
            base64(registration.name()),
            RUNNER_ID_KEY,
            base64(registration.id().toString()),
            "scaleSetId",
            base64(registration.scaleSetId().toString())));
  }

  private static Secret withData(EphemeralRunner runner, Map<String, String> data) {
    return new SecretBuilder()
        .withNewMetadata()
        .withName(runner.getMetadata().getName())
        .withNamespace(runner.getMetadata().getNamespace())
        .withLabels(RunnerPod.labels(runner))
        .withOwnerReferences(RunnerPod.ownedBy(runner))
        .endMetadata()
        .withType("Opaque")
        .withData(data)
        .build();
  }

  /** The id of the registration whose config is in the secret, if somebody did not change it. */
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

  /** Whether the object is the runner's own. */
  public static boolean isOwn(HasMetadata object, EphemeralRunner runner) {
    return object.getMetadata().getOwnerReferences().stream()
        .anyMatch(owner -> runner.getMetadata().getUid().equals(owner.getUid()));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
