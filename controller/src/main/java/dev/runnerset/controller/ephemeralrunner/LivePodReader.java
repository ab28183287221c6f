package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.controller.ephemeralrunner.lifecycle.LivePodRead;
import dev.runnerset.controller.ephemeralrunner.lifecycle.ObservedRunner;
import dev.runnerset.controller.ephemeralrunner.lifecycle.PodView;
import dev.runnerset.controller.ephemeralrunner.start.JitSecret;
import dev.runnerset.controller.ephemeralrunner.start.RunnerObjects;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.podspec.RunnerPod;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.condition.EventReason;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.util.Optional;

/**
 * The pod of a runner as the server has it, where the cache shows none or is not believed. What is
 * found stands in for the cache for a while ({@link LivePodRead}). A pod that lost our label is
 * given it back, since the cache finds pods by it: pods are this reconciler's to write (WR1), and a
 * job on one must not go unseen.
 */
final class LivePodReader {
  private final RunnerObjects objects;
  private final Events events;
  private final RunnerMemories attempts;
  private final Clock clock;

  LivePodReader(RunnerObjects objects, Events events, RunnerMemories attempts, Clock clock) {
    this.objects = objects;
    this.events = events;
    this.attempts = attempts;
    this.clock = clock;
  }

  /** One read, and one patch where the label is missing; empty if no pod is the runner's own. */
  Optional<PodView> look(ObservedRunner s, RunnerActions.Caches caches) {
    var meta = s.runner().getMetadata();
    var found = objects.pod(meta.getNamespace(), meta.getName());
    if (found.isEmpty() || !JitSecret.isOwn(found.get(), s.runner())) {
      return Optional.empty();
    }
    var pod = labelled(s.runner(), found.get());
    var view = PodView.of(pod);
    var now = clock.instant();
    attempts.update(meta.getUid(), a -> a.looked(LivePodRead.after(a.liveLook(), view, now)));
    if (isLabelled(pod)) {
      caches.podSeen(pod); // no event would ever correct or remove any other in the cache
    }
    return Optional.of(view);
  }

  /** Whether the pod bears the label by which the cache finds pods. */
  static boolean isLabelled(Pod pod) {
    var labels = pod.getMetadata().getLabels();
    return labels != null && Labels.COMPONENT_RUNNER.equals(labels.get(Labels.COMPONENT));
  }

  private Pod labelled(EphemeralRunner runner, Pod pod) {
    if (isLabelled(pod)) {
      return pod;
    }
    var label = Labels.COMPONENT + "=" + Labels.COMPONENT_RUNNER;
    try {
      var answer = objects.label(pod, RunnerPod.labels(runner));
      if (answer.isEmpty()) {
        return pod; // gone meanwhile, as the next read shows
      }
      var stored = answer.get();
      if (!isLabelled(stored)) {
        missing(runner, label, "the API server stored the pod without it, as a webhook may cause");
        return stored;
      }
      events.warn(
          runner,
          EventReason.POD_LABEL_RESTORED,
          "somebody took the label "
              + label
              + " off the runner's pod; the label is put back, since the controller finds the pod"
              + " by it");
      return stored;
    } catch (KubernetesClientException e) {
      missing(runner, label, String.valueOf(e.getMessage()));
      return pod;
    }
  }

  private void missing(EphemeralRunner runner, String label, String why) {
    events.warn(
        runner,
        EventReason.POD_LABEL_MISSING,
        "the runner's pod has lost its label "
            + label
            + ", which cannot be put back: the pod is read once a minute instead; "
            + why);
  }
}
