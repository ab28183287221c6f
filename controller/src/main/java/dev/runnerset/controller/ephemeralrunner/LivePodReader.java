package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.ephemeralrunner.lifecycle.ObservedRunner;
import dev.runnerset.controller.ephemeralrunner.lifecycle.PodView;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerMemory;
import dev.runnerset.controller.ownership.Meta;
import dev.runnerset.controller.podspec.RunnerPod;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.condition.EventReason;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;

/**
 * Reads a runner's pod from the API server where the cache shows none or is not believed. The pod
 * stands in for the cache for a while ({@link RunnerMemory.LivePod}). A pod that lost our label
 * gets it back, since the cache finds pods by it: pods are this reconciler's to write (WR1), and a
 * job in such a pod must not go unseen.
 */
record LivePodReader(RunnerPassEnvironment environment, RunnerMemories memories) {
  private static final String LABEL = Labels.COMPONENT + "=" + Labels.COMPONENT_RUNNER;

  /** Blocks for one read, and for one patch if the label is missing; empty without an own pod. */
  Optional<PodView> read(ObservedRunner observed, WriteCache cache) {
    var meta = observed.runner().getMetadata();
    var found = environment.objects().pod(meta.getNamespace(), meta.getName());
    if (found.isEmpty() || !RunnerPod.isOwnedBy(found.get(), observed.runnerWithId())) {
      return Optional.empty();
    }
    var pod = labelled(observed.runner(), found.get());
    var view = PodView.of(pod);
    var now = environment.clock().instant();
    memories.update(
        meta.getUid(), m -> m.withLivePod(RunnerMemory.LivePod.read(m.livePod(), view, now)));
    if (isLabelled(pod)) {
      cache.created(pod); // no event would correct or remove an unlabelled pod in the cache
    }
    return Optional.of(view);
  }

  /** Whether the pod has the label by which the cache finds pods. */
  static boolean isLabelled(Pod pod) {
    return Labels.COMPONENT_RUNNER.equals(Meta.labels(pod).get(Labels.COMPONENT));
  }

  private Pod labelled(EphemeralRunner runner, Pod pod) {
    if (isLabelled(pod)) {
      return pod;
    }
    try {
      var answer = environment.objects().label(pod, RunnerPod.labels(runner));
      if (answer.isEmpty()) {
        return pod; // gone meanwhile, as the next read shows
      }
      var stored = answer.get();
      if (!isLabelled(stored)) {
        warnOfMissingLabel(
            runner, "the API server stored the pod without it, as a webhook may cause");
        return stored;
      }
      environment
          .events()
          .warn(
              runner,
              EventReason.POD_LABEL_RESTORED,
              "somebody removed the label "
                  + LABEL
                  + " from the runner's pod; the controller put it back, since it finds the pod by that"
                  + " label");
      return stored;
    } catch (KubernetesClientException e) {
      warnOfMissingLabel(runner, String.valueOf(e.getMessage()));
      return pod;
    }
  }

  private void warnOfMissingLabel(EphemeralRunner runner, String why) {
    environment
        .events()
        .warn(
            runner,
            EventReason.POD_LABEL_MISSING,
            "the runner's pod has lost its label "
                + LABEL
                + ", and the controller cannot put it back; it reads the pod once a minute instead; "
                + why);
  }
}
