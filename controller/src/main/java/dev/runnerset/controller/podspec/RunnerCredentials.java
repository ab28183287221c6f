package dev.runnerset.controller.podspec;

import dev.runnerset.base.Scrubber;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The credentials of a runner that are known, so that no text shows them. */
public final class RunnerCredentials {
  private RunnerCredentials() {}

  /** Knows the values of the runner's secret and of the environment of its pod. */
  public static Scrubber scrubber(@Nullable Secret secret, @Nullable Pod pod) {
    var known = new ArrayList<String>();
    if (secret != null && secret.getData() != null) {
      var jitConfig = secret.getData().get(RunnerPod.JIT_TOKEN_KEY);
      if (jitConfig != null) {
        known.add(jitConfig);
        decoded(jitConfig).forEach(known::add);
      }
    }
    if (pod != null && pod.getSpec() != null) {
      Stream.concat(
              pod.getSpec().getInitContainers().stream(), pod.getSpec().getContainers().stream())
          .map(Container::getEnv)
          .flatMap(List::stream)
          .map(EnvVar::getValue)
          .filter(value -> value != null)
          .forEach(known::add);
    }
    return Scrubber.of(known);
  }

  private static Stream<String> decoded(String base64) {
    try {
      return Stream.of(new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      return Stream.empty();
    }
  }
}
