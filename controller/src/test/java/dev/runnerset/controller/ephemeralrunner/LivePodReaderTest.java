package dev.runnerset.controller.ephemeralrunner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.ephemeralrunner.lifecycle.ObservedRunner;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerLifecycle;
import dev.runnerset.controller.ephemeralrunner.lifecycle.Scene;
import dev.runnerset.controller.ephemeralrunner.start.RunnerObjects;
import dev.runnerset.controller.ephemeralrunner.start.RunnerStart;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.metrics.Meters;
import dev.runnerset.controller.podspec.RunnerPod;
import dev.runnerset.controller.removal.RunnerRemover;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.testsupport.TestClock;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A pod that the cache does not show, since somebody took off the label by which it is found. */
final class LivePodReaderTest implements WriteCache {
  private static final String UID = "uid-1";

  private final List<String> requests = new ArrayList<>();
  private final List<String> told = new ArrayList<>();
  private final RunnerMemories memories = new RunnerMemories(new Memories());
  private final TestClock clock = new TestClock(Scene.NOW);
  private boolean refused;
  private boolean stripped;
  private final List<Pod> cached = new ArrayList<>();
  private Pod pod = Pods.running(unlabelled());

  private static Pod unlabelled() {
    return new PodBuilder()
        .withNewMetadata()
        .withName("ci-1")
        .withNamespace("ns")
        .withOwnerReferences(RunnerPod.ownedBy(new Scene().observed().runner()))
        .addToAnnotations(RunnerPod.RUNNER_ID, "7")
        .endMetadata()
        .withNewSpec()
        .endSpec()
        .build();
  }

  private final RunnerObjects objects =
      (RunnerObjects)
          Proxy.newProxyInstance(
              RunnerObjects.class.getClassLoader(),
              new Class<?>[] {RunnerObjects.class},
              (proxy, method, arguments) -> {
                requests.add(method.getName());
                return switch (method.getName()) {
                  case "pod" -> Optional.of(pod);
                  case "label" -> label(arguments[1]);
                  default -> throw new AssertionError("not expected: " + method.getName());
                };
              });

  private static RunnerRemover remover() {
    return (RunnerRemover)
        Proxy.newProxyInstance(
            RunnerRemover.class.getClassLoader(),
            new Class<?>[] {RunnerRemover.class},
            (proxy, method, arguments) -> {
              throw new AssertionError("nothing is removed");
            });
  }

  private Optional<Pod> label(Object labels) {
    if (refused) {
      throw new KubernetesClientException("forbidden", 403, null);
    }
    if (stripped) {
      return Optional.of(pod);
    }
    var meta = new PodBuilder(pod).editMetadata();
    ((Map<?, ?>) labels).forEach((key, value) -> meta.addToLabels((String) key, (String) value));
    pod = meta.endMetadata().build();
    return Optional.of(pod);
  }

  private final RunnerActions actions =
      new RunnerActions(
          new RunnerStart(
              key -> {
                throw new AssertionError("nothing begins anew");
              },
              objects),
          remover(),
          new RunnerExits(new Memories()),
          (namespace, name) -> {},
          new OpenGate(),
          new RunnerActions.Ports(
              objects,
              (about, reason, message) -> told.add(reason.word()),
              memories,
              clock,
              new Meters()));

  @Override
  public void created(HasMetadata seen) {
    cached.add((Pod) seen);
  }

  @Override
  public void changed(HasMetadata before, HasMetadata after) {
    throw new AssertionError("nothing is written");
  }

  /** Looks ten times a second, as often as something wakes it; the cache shows no pod. */
  private void look(int seconds) {
    for (int tenth = 0; tenth < seconds * 10; tenth++) {
      var scene = new Scene().phase(RunnerPhase.RUNNING).memory(memories.of(UID)).observed();
      var live = memories.of(UID).podReadLive(clock.instant());
      var observed =
          new ObservedRunner(
              scene.runner(),
              live,
              scene.set(),
              memories.of(UID),
              null,
              id -> false,
              clock.instant());
      for (var action : RunnerLifecycle.decide(observed).actions()) {
        actions.apply(action, observed, this);
      }
      clock.advance(Duration.ofMillis(100));
    }
  }

  @Test
  void theLabelIsPutBackAtTheFirstLook() {
    look(1);
    assertThat(pod.getMetadata().getLabels())
        .containsEntry(Labels.COMPONENT, Labels.COMPONENT_RUNNER);
    assertThat(requests.stream().filter("label"::equals)).hasSize(1);
    assertThat(told).containsExactly("PodLabelRestored");
    assertThat(cached).containsOnly(pod);
  }

  @Test
  void aPodWithoutTheLabelIsNotPutIntoTheCacheSinceNoEventWouldCorrectIt() {
    refused = true;
    look(10);
    refused = false;
    stripped = true; // by a webhook, which takes the label off again
    look(120);
    assertThat(cached).isEmpty();
    assertThat(told).containsOnly("PodLabelMissing");
    stripped = false;
    look(120);
    assertThat(cached).containsOnly(pod);
    assertThat(told).endsWith("PodLabelRestored");
  }

  @Test
  void theReadsBackOffAndTheRunnerIsNotLost() {
    refused = true;
    look(10);
    assertThat(requests.stream().filter("pod"::equals)).as("in 10 s").hasSize(5);
    requests.clear();
    look(600);
    assertThat(requests.stream().filter("pod"::equals)).as("in 10 min").hasSizeBetween(9, 14);
    assertThat(told).containsOnly("PodLabelMissing");
  }
}
