package dev.runnerset.controller.features.jobpods;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.ownership.Meta;
import dev.runnerset.crds.Timestamps;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Volume;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The secrets that the container hooks make for a job. They are known by the spec of its pod alone:
 * nobody here lists secrets (WR9).
 */
@Pure
final class HookSecrets {
  private HookSecrets() {}

  /** The secrets that the spec names, as far as the hooks of that runner give such names. */
  static Set<String> of(@Nullable PodSpec spec, String runner) {
    if (spec == null) {
      return Set.of();
    }
    var named =
        Stream.of(
            spec.getImagePullSecrets().stream().map(LocalObjectReference::getName),
            Stream.concat(spec.getInitContainers().stream(), spec.getContainers().stream())
                .flatMap(HookSecrets::of),
            spec.getVolumes().stream().flatMap(HookSecrets::of));
    return named
        .flatMap(each -> each)
        .filter(Objects::nonNull)
        .filter(name -> HookNames.isSecretOf(name, runner))
        .collect(Collectors.toUnmodifiableSet());
  }

  private static Stream<String> of(Container container) {
    return Stream.concat(
        container.getEnvFrom().stream()
            .flatMap(from -> Stream.ofNullable(from.getSecretRef()))
            .map(secret -> secret.getName()),
        container.getEnv().stream()
            .flatMap(variable -> Stream.ofNullable(variable.getValueFrom()))
            .flatMap(from -> Stream.ofNullable(from.getSecretKeyRef()))
            .map(secret -> secret.getName()));
  }

  private static Stream<String> of(Volume volume) {
    return Stream.concat(
        Stream.ofNullable(volume.getSecret()).map(secret -> secret.getSecretName()),
        Stream.ofNullable(volume.getProjected())
            .flatMap(projected -> projected.getSources().stream())
            .flatMap(source -> Stream.ofNullable(source.getSecret()))
            .map(secret -> secret.getName()));
  }

  /** Whether the hooks of that runner made the secret, and nobody deletes it yet. */
  static boolean isLeftBy(RunnerKey key, HookRunner runner, Secret secret) {
    var meta = secret.getMetadata();
    var created = Timestamps.parse(meta.getCreationTimestamp());
    return !secret.isMarkedForDeletion()
        && HookNames.isSecretOf(meta.getName(), key.name())
        && key.name().equals(Meta.labels(secret).get(HookNames.LABEL))
        && created != null
        && !created.isBefore(runner.created());
  }
}
