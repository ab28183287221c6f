package dev.runnerset.controller.features.jobpods;

import dev.runnerset.controller.rounds.Informers;
import dev.runnerset.kube.KubeApi;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the pods and batch jobs of the container hooks by their label; of each only a {@link
 * HookObject} is kept. Where one kind cannot be read, the other one is. Thread-safe.
 */
public final class HookObjects extends Informers {
  private static final Logger LOG = LoggerFactory.getLogger(HookObjects.class);

  private final Map<RunnerKey, Map<String, HookObject>> byUidByRunner = new ConcurrentHashMap<>();

  /** Also of objects that are gone: the hooks may have been killed between two deletions. */
  private final Map<RunnerKey, Set<String>> secretsByRunner = new ConcurrentHashMap<>();

  /**
   * Follows nothing before it begins.
   *
   * @param namespaces to watch; empty for all
   */
  public HookObjects(KubernetesClient client, Set<String> namespaces) {
    follow(client.pods(), namespaces, Pod::new, "pods");
    follow(client.batch().v1().jobs(), namespaces, Job::new, "batch jobs");
  }

  private <T extends HasMetadata> void follow(
      MixedOperation<T, ?, ?> all, Set<String> namespaces, Supplier<T> empty, String what) {
    var places =
        namespaces.isEmpty()
            ? Stream.<FilterWatchListDeletable<T, ?, ?>>of(all.inAnyNamespace())
            : namespaces.stream().map(all::inNamespace);
    var reported = new AtomicBoolean();
    places
        .map(place -> place.withLabel(HookNames.LABEL).withLimit(KubeApi.PAGE).runnableInformer(0))
        .forEach(informer ->
            add(
                informer,
                full -> slim(full, empty.get()),
                failure -> report(what, failure, reported),
                new Come<>()));
  }

  private static void report(String what, Throwable failure, AtomicBoolean reported) {
    var event = reported.compareAndSet(false, true) ? LOG.atWarn() : LOG.atDebug();
    event
        .addKeyValue("what", what)
        .addKeyValue("why", failure.toString())
        .log(
            "what the container hooks make for jobs cannot be watched, so what a killed runner"
                + " leaves stays; let the controller list and watch pods and batch jobs"
                + " (docs/start/container-modes.md); tried again");
  }

  /** The store of an informer needs no more; what is needed here is kept here. */
  private static <T extends HasMetadata> T slim(T full, T slim) {
    slim.setMetadata(identity(full).withLabels(full.getMetadata().getLabels()).build());
    return slim;
  }

  private final class Come<T extends HasMetadata> implements ResourceEventHandler<T> {
    @Override
    public void onAdd(T object) {
      var seen = HookObject.of(object);
      byUidByRunner
          .computeIfAbsent(seen.runner(), key -> new ConcurrentHashMap<>())
          .put(seen.uid(), seen);
      if (!seen.secrets().isEmpty()) {
        secretsByRunner
            .computeIfAbsent(seen.runner(), key -> ConcurrentHashMap.newKeySet())
            .addAll(seen.secrets());
      }
    }

    @Override
    public void onUpdate(T before, T now) {
      if (!RunnerKey.ofLabel(before).equals(RunnerKey.ofLabel(now))) {
        onDelete(before, false); // somebody changed the label
      }
      onAdd(now);
    }

    @Override
    public void onDelete(T object, boolean finalStateUnknown) {
      byUidByRunner.computeIfPresent(
          RunnerKey.ofLabel(object),
          (key, byUid) -> {
            byUid.remove(object.getMetadata().getUid());
            return byUid.isEmpty() ? null : byUid;
          });
    }
  }

  /** The runners that have something here, by what the labels say. */
  Set<RunnerKey> runners() {
    var all = new HashSet<>(byUidByRunner.keySet());
    all.addAll(secretsByRunner.keySet());
    return all;
  }

  /** Whether something with the name of that runner is here. */
  boolean isOneOf(RunnerKey key) {
    return byUidByRunner.containsKey(key) || secretsByRunner.containsKey(key);
  }

  /** Pods and batch jobs with the name of that runner. */
  List<HookObject> of(RunnerKey key) {
    return List.copyOf(byUidByRunner.getOrDefault(key, Map.of()).values());
  }

  /** The names of secrets of that runner, as pods and batch jobs named them. */
  Set<String> secretsOf(RunnerKey key) {
    return Set.copyOf(secretsByRunner.getOrDefault(key, Set.of()));
  }

  /** The secret is gone, or is none of the hooks. */
  void forgetSecret(RunnerKey key, String name) {
    secretsByRunner.computeIfPresent(
        key,
        (same, names) -> {
          names.remove(name);
          return names.isEmpty() ? null : names;
        });
  }

  /** No secret of that runner is of interest. */
  void forgetSecrets(RunnerKey key) {
    secretsByRunner.remove(key);
  }
}
