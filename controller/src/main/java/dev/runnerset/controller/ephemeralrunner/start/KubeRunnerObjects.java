package dev.runnerset.controller.ephemeralrunner.start;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Preconditions;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Map;
import java.util.Optional;

/** {@link RunnerObjects} over single requests. */
public final class KubeRunnerObjects implements RunnerObjects {
  private final KubeApi kube;
  private final KubernetesSerialization serialization;

  public KubeRunnerObjects(KubeApi kube, KubernetesSerialization serialization) {
    this.kube = kube;
    this.serialization = serialization;
  }

  @Override
  public CreateAnswer<Secret> createSecret(Secret secret) {
    return create(secret);
  }

  @Override
  public CreateAnswer<Pod> createPod(Pod pod) {
    return create(pod);
  }

  @Override
  public Optional<Pod> pod(String namespace, String name) {
    return Optional.ofNullable(kube.get(Pod.class, Resource.of(Pod.class, namespace, name)));
  }

  @Override
  public Optional<Secret> secret(String namespace, String name) {
    return Optional.ofNullable(kube.get(Secret.class, Resource.of(Secret.class, namespace, name)));
  }

  @Override
  public Optional<Pod> label(Pod pod, Map<String, String> labels) {
    var body = JsonNodeFactory.instance.objectNode();
    var wanted = body.putObject("metadata").putObject("labels");
    labels.forEach(wanted::put);
    try {
      return Optional.of(kube.merge(Pod.class, Resource.of(pod), body));
    } catch (KubernetesClientException e) {
      if (e.getCode() == 404) {
        return Optional.empty();
      }
      throw e;
    }
  }

  @Override
  public void deleteSecret(EphemeralRunner runner) {
    var meta = runner.getMetadata();
    secret(meta.getNamespace(), meta.getName()).ifPresent(found -> deleteOwn(found, runner));
  }

  @Override
  public void deletePod(EphemeralRunner runner) {
    var meta = runner.getMetadata();
    pod(meta.getNamespace(), meta.getName()).ifPresent(found -> deleteOwn(found, runner));
  }

  private void deleteOwn(HasMetadata found, EphemeralRunner runner) {
    if (JitSecret.isOwn(found, runner) && found.getMetadata().getDeletionTimestamp() == null) {
      kube.delete(Resource.of(found), Preconditions.uid(found));
    }
  }

  @Override
  public Optional<EphemeralRunner> patchStatus(
      EphemeralRunner runner, EphemeralRunnerStatus ourPart) {
    JsonNode body = serialization.convertValue(ourPart, ObjectNode.class);
    try {
      return Optional.of(kube.mergeStatus(EphemeralRunner.class, Resource.of(runner), body));
    } catch (KubernetesClientException e) {
      if (e.getCode() == 404) {
        return Optional.empty();
      }
      throw e;
    }
  }

  @Override
  public boolean deleteRunner(EphemeralRunner runner) {
    return kube.delete(Resource.of(runner), Preconditions.unchanged(runner));
  }

  private <T extends HasMetadata> CreateAnswer<T> create(T object) {
    try {
      return new CreateAnswer.Created<>(kube.create(object));
    } catch (KubernetesClientException e) {
      return CreateAnswers.of(e);
    }
  }
}
