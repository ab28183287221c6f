package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.controller.ephemeralrunner.lifecycle.Shield;
import dev.runnerset.controller.ephemeralrunner.start.CreateAnswer;
import dev.runnerset.controller.ephemeralrunner.start.RunnerObjects;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerStatus;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An API server for runners that have ended: it says yes, or refuses deletions. */
final class RecordedObjects implements RunnerObjects {
  final List<String> requests = new ArrayList<>();
  EphemeralRunnerStatus last = EphemeralRunnerStatus.NONE;
  @Nullable KubernetesClientException refusal;
  @Nullable Pod pod;
  @Nullable Secret secret;
  Map<String, String> logs = Map.of();
  @Nullable RuntimeException unreadable;
  private long version;

  @Override
  public void deleteSecret(EphemeralRunner runner) {
    asked("delete-secret");
  }

  @Override
  public void deletePod(EphemeralRunner runner) {
    asked("delete-pod");
  }

  @Override
  public void deletePodUnlessOver(EphemeralRunner runner) {
    asked("delete-pod-unless-over");
  }

  private void asked(String request) {
    requests.add(request);
    if (refusal != null) {
      throw refusal;
    }
  }

  /** Stores it in the next even version; the odd ones are for others. */
  @Override
  public Optional<EphemeralRunner> writeStatus(
      EphemeralRunner runner, EphemeralRunnerStatus before, EphemeralRunnerStatus ourPart) {
    requests.add("status " + ourPart.phase());
    last = ourPart;
    version += 2;
    var stored = new EphemeralRunner();
    stored.setMetadata(
        new ObjectMetaBuilder(runner.getMetadata())
            .withResourceVersion(Long.toString(version))
            .build());
    stored.setSpec(runner.getSpec());
    stored.setStatus(ourPart);
    return Optional.of(stored);
  }

  @Override
  public CreateAnswer<Secret> createSecret(Secret secret) {
    throw new AssertionError("nothing starts over");
  }

  @Override
  public CreateAnswer<Pod> createPod(Pod pod) {
    throw new AssertionError("nothing starts over");
  }

  @Override
  public Optional<Pod> pod(String namespace, String name) {
    return Optional.ofNullable(pod);
  }

  @Override
  public String logEnd(String namespace, String ofPod, String container) {
    return logs.getOrDefault(container, "");
  }

  @Override
  public Optional<Secret> secret(String namespace, String name) {
    if (unreadable != null) {
      throw unreadable;
    }
    return Optional.ofNullable(secret);
  }

  @Override
  public Optional<Pod> label(Pod pod, Map<String, String> labels) {
    throw new AssertionError("no pod is found live");
  }

  @Override
  public Optional<Pod> shield(EphemeralRunner runner, Shield.Change change) {
    requests.add("shield " + change.labels());
    if (refusal != null) {
      throw refusal;
    }
    return Optional.ofNullable(pod);
  }

  @Override
  public void putSet(EphemeralRunner runner, String set) {
    asked("set " + set);
  }

  @Override
  public void putFinalizer(EphemeralRunner runner) {
    throw new AssertionError("an ended runner is not started");
  }

  @Override
  public boolean deleteRunner(EphemeralRunner runner) {
    throw new AssertionError("no ended runner is replaced");
  }
}
