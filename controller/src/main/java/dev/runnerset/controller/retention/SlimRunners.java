package dev.runnerset.controller.retention;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSpec;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.StatusConditions;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import io.javaoperatorsdk.operator.api.config.ControllerConfiguration;
import io.javaoperatorsdk.operator.processing.event.source.informer.TransformingItemStore;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the caches of the cleanup controllers keep of a runner: only what the rules need, since each
 * of these controllers has a cache of its own.
 */
public final class SlimRunners {
  private static final Set<String> LABELS = Set.of(Labels.SET);
  private static final Set<String> ANNOTATIONS = Set.of(Labels.RETAIN, Labels.SET_UID);

  private SlimRunners() {}

  /** A store for a controller; none if the informers of several namespaces would share it. */
  public static Optional<ItemStore<EphemeralRunner>> storeFor(ControllerConfiguration<?> config) {
    return config.getInformerConfig().getNamespaces().size() > 1
        ? Optional.empty()
        : Optional.of(store());
  }

  /** A store of slim runners. */
  public static ItemStore<EphemeralRunner> store() {
    return new TransformingItemStore<>(SlimRunners::of);
  }

  static EphemeralRunner of(EphemeralRunner full) {
    var slim = new EphemeralRunner();
    slim.setMetadata(meta(full.getMetadata()));
    slim.setSpec(spec(full.getSpec()));
    slim.setStatus(status(full.getStatus()));
    return slim;
  }

  private static ObjectMeta meta(ObjectMeta full) {
    return new ObjectMetaBuilder()
        .withName(full.getName())
        .withNamespace(full.getNamespace())
        .withUid(full.getUid())
        .withResourceVersion(full.getResourceVersion())
        .withGeneration(full.getGeneration())
        .withCreationTimestamp(full.getCreationTimestamp())
        .withDeletionTimestamp(full.getDeletionTimestamp())
        .withOwnerReferences(full.getOwnerReferences())
        .withLabels(only(LABELS, full.getLabels()))
        .withAnnotations(only(ANNOTATIONS, full.getAnnotations()))
        .build();
  }

  private static Map<String, String> only(Set<String> keys, @Nullable Map<String, String> all) {
    if (all == null) {
      return Map.of();
    }
    return all.entrySet().stream()
        .filter(entry -> keys.contains(entry.getKey()))
        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private static EphemeralRunnerSpec spec(EphemeralRunnerSpec full) {
    return EphemeralRunnerSpec.builder(
            full.githubConfigUrl(), full.githubConfigSecret(), full.runnerScaleSetId())
        .retention(full.retention())
        .build();
  }

  private static @Nullable EphemeralRunnerStatus status(@Nullable EphemeralRunnerStatus full) {
    if (full == null) {
      return null;
    }
    var outcome =
        StatusConditions.find(full.conditions(), ConditionType.SUCCEEDED).stream().toList();
    return EphemeralRunnerStatus.builder()
        .phase(full.phase())
        .conditions(outcome)
        .keptBy(full.keptBy())
        .build();
  }
}
