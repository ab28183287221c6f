package dev.runnerset.controller.ephemeralrunner.start;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runnerset.controller.ephemeralrunner.lifecycle.PodView;
import dev.runnerset.controller.ephemeralrunner.lifecycle.Shield;
import dev.runnerset.controller.podspec.ChangedFields;
import dev.runnerset.controller.podspec.RunnerPod;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.Labels;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.MergePatch;
import dev.runnerset.kube.Preconditions;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * A runner's resource, secret and pod at the API server. Each call blocks for its requests; a
 * failure with an unknown outcome is a {@link KubernetesClientException}.
 */
public interface RunnerObjects {
  /** Creates the secret of the JIT config. */
  CreateAnswer<Secret> createSecret(Secret secret);

  /** Creates the pod. */
  CreateAnswer<Pod> createPod(Pod pod);

  /** The pod as the server has it. */
  Optional<Pod> pod(String namespace, String name);

  /** The last lines of a container's log, within a few seconds; empty where there is none. */
  default String logEnd(String namespace, String pod, String container) {
    return "";
  }

  /** The secret as the server has it. */
  Optional<Secret> secret(String namespace, String name);

  /**
   * Puts labels onto the pod.
   *
   * @return the pod as it is stored now, or empty if it is gone
   */
  Optional<Pod> label(Pod pod, Map<String, String> labels);

  /**
   * Changes the shield of the pod of the runner's name.
   *
   * @return the pod as it is stored now, or empty if it is gone
   */
  Optional<Pod> shield(EphemeralRunner runner, Shield.Change change);

  /** Deletes the secret of the runner's name if it is the runner's own; else does nothing. */
  void deleteSecret(EphemeralRunner runner);

  /** Deletes the pod of the runner's name if it is the runner's own; else does nothing. */
  void deletePod(EphemeralRunner runner);

  /** Deletes the pod of the runner, unless it has ended. */
  void deletePodUnlessOver(EphemeralRunner runner);

  /**
   * Writes into the runner's status what differs between our part of it before and after.
   *
   * @return the stored runner, or empty if it is gone
   */
  Optional<EphemeralRunner> writeStatus(
      EphemeralRunner runner, EphemeralRunnerStatus before, EphemeralRunnerStatus after);

  /** Puts the label of its set on the runner; does nothing if it is gone. */
  void putSet(EphemeralRunner runner, String set);

  /** Puts our finalizer on the runner if it has not changed; fails if it has, or is gone. */
  void putFinalizer(EphemeralRunner runner);

  /**
   * Deletes the runner's resource if it has not changed.
   *
   * @return false if it has changed, or is gone
   */
  boolean deleteRunner(EphemeralRunner runner);

  /** The one implementation of the program, over single requests; tests have others. */
  record OverKubeApi(KubeApi kube) implements RunnerObjects {

    @Override
    public CreateAnswer<Secret> createSecret(Secret secret) {
      return create(secret, ChangedFields::vital);
    }

    @Override
    public CreateAnswer<Pod> createPod(Pod pod) {
      return create(pod, ChangedFields::vital);
    }

    private <T extends HasMetadata> CreateAnswer<T> create(
        T object, BiFunction<T, T, List<String>> lost) {
      T stored;
      try {
        stored = kube.create(object);
      } catch (KubernetesClientException e) {
        return CreateAnswer.of(e);
      }
      var fields = lost.apply(object, stored);
      if (fields.isEmpty()) {
        return new CreateAnswer.Created<>(stored);
      }
      // nothing runs yet, and nothing ever would
      var _ = kube.delete(Resource.of(stored), Preconditions.uid(stored));
      return new CreateAnswer.Refused<>(ChangedFields.words(object.getKind(), fields));
    }

    @Override
    public Optional<Pod> pod(String namespace, String name) {
      return Optional.ofNullable(kube.get(Pod.class, Resource.of(Pod.class, namespace, name)));
    }

    @Override
    public String logEnd(String namespace, String pod, String container) {
      return kube.logEnd(Resource.of(Pod.class, namespace, pod), container);
    }

    @Override
    public Optional<Secret> secret(String namespace, String name) {
      return Optional.ofNullable(
          kube.get(Secret.class, Resource.of(Secret.class, namespace, name)));
    }

    @Override
    public Optional<Pod> label(Pod pod, Map<String, String> labels) {
      return merge(Resource.of(pod), new Shield.Change(Map.copyOf(labels), Map.of(), true));
    }

    @Override
    public Optional<Pod> shield(EphemeralRunner runner, Shield.Change change) {
      var meta = runner.getMetadata();
      return merge(Resource.of(Pod.class, meta.getNamespace(), meta.getName()), change);
    }

    private Optional<Pod> merge(Resource pod, Shield.Change change) {
      var body = JsonNodeFactory.instance.objectNode();
      var metadata = body.putObject("metadata");
      var labels = metadata.putObject("labels");
      change.labels().forEach(labels::put);
      var annotations = metadata.putObject("annotations");
      change.annotations().forEach(annotations::put);
      return unlessGone(() -> kube.merge(Pod.class, pod, body));
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

    @Override
    public void deletePodUnlessOver(EphemeralRunner runner) {
      var meta = runner.getMetadata();
      pod(meta.getNamespace(), meta.getName())
          .filter(found -> !PodView.of(found).isOver())
          .ifPresent(found -> deleteOwn(found, runner));
    }

    private void deleteOwn(HasMetadata found, EphemeralRunner runner) {
      if (RunnerPod.isOwnedBy(found, runner) && !found.isMarkedForDeletion()) {
        kube.delete(Resource.of(found), Preconditions.uid(found));
      }
    }

    @Override
    public Optional<EphemeralRunner> writeStatus(
        EphemeralRunner runner, EphemeralRunnerStatus before, EphemeralRunnerStatus after) {
      return unlessGone(() -> kube.writeStatus(runner, before, after));
    }

    private static <T> Optional<T> unlessGone(Supplier<T> write) {
      try {
        return Optional.of(write.get());
      } catch (KubernetesClientException e) {
        if (e.getCode() == 404) {
          return Optional.empty();
        }
        throw e;
      }
    }

    @Override
    public void putSet(EphemeralRunner runner, String set) {
      var body = JsonNodeFactory.instance.objectNode();
      var metadata = body.putObject("metadata").put("uid", runner.getMetadata().getUid());
      metadata.putObject("labels").put(Labels.SET, set);
      var _ = kube.mergeIfThere(EphemeralRunner.class, Resource.of(runner), body);
    }

    @Override
    public void putFinalizer(EphemeralRunner runner) {
      var wanted = new ArrayList<>(runner.getMetadata().getFinalizers());
      wanted.add(Labels.RUNNER_FINALIZER);
      var body = MergePatch.finalizers(runner, wanted);
      var _ = kube.merge(EphemeralRunner.class, Resource.of(runner), body);
    }

    @Override
    public boolean deleteRunner(EphemeralRunner runner) {
      return kube.delete(Resource.of(runner), Preconditions.unchanged(runner));
    }
  }
}
