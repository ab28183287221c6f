package dev.runnerset.controller.ephemeralrunner;

import static dev.runnerset.controller.ephemeralrunner.RunnerFixture.fake;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerSituation;
import dev.runnerset.controller.ephemeralrunner.start.RunnerObjects;
import dev.runnerset.controller.ownership.Ownership;
import dev.runnerset.controller.podspec.RunnerPod;
import dev.runnerset.crds.Labels;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A pod that the cache does not show, since somebody took off the label by which it is found. */
final class LivePodReaderTest {
  private final List<String> requests = new ArrayList<>();
  private boolean refused;
  private boolean stripped;
  private Pod pod = Pods.running(unlabelled());

  private static Pod unlabelled() {
    return new PodBuilder()
        .withNewMetadata()
        .withName("ci-1")
        .withNamespace("ns")
        .withOwnerReferences(Ownership.ownedBy(RunnerSituation.of("").observed().runner()))
        .addToAnnotations(RunnerPod.RUNNER_ID, "7")
        .endMetadata()
        .withNewSpec()
        .endSpec()
        .build();
  }

  private final RunnerFixture fixture =
      new RunnerFixture(
          fake(
              RunnerObjects.class,
              (method, arguments) -> {
                requests.add(method);
                return switch (method) {
                  case "pod" -> Optional.of(pod);
                  case "label" -> label(arguments[1]);
                  default -> throw new AssertionError("not expected: " + method);
                };
              }));
  private final List<String> reported = fixture.reasons;
  private final List<Pod> cached = fixture.cached;

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

  /** Reconciles ten times a second, as often as something triggers it. */
  private void reconcile(int seconds) {
    for (int tenth = 0; tenth < seconds * 10; tenth++) {
      var _ = fixture.actWithoutPodInCache(RunnerSituation.of("RUNNING"));
      fixture.clock.advance(Duration.ofMillis(100));
    }
  }

  @Test
  void theLabelIsPutBackAtOnce() {
    reconcile(1);
    assertThat(pod.getMetadata().getLabels())
        .containsEntry(Labels.COMPONENT, Labels.COMPONENT_RUNNER);
    assertThat(requests.stream().filter("label"::equals)).hasSize(1);
    assertThat(reported).containsExactly("PodLabelRestored");
    assertThat(cached).containsOnly(pod);
  }

  @Test
  void aPodWithoutTheLabelIsNotPutIntoTheCacheSinceNoEventWouldCorrectIt() {
    refused = true;
    reconcile(10);
    refused = false;
    stripped = true; // by a webhook, which takes the label off again
    reconcile(120);
    assertThat(cached).isEmpty();
    assertThat(reported).containsOnly("PodLabelMissing");
    stripped = false;
    reconcile(120);
    assertThat(cached).containsOnly(pod);
    assertThat(reported).endsWith("PodLabelRestored");
  }

  @Test
  void theReadsBackOffAndTheRunnerIsNotLost() {
    refused = true;
    reconcile(10);
    assertThat(requests.stream().filter("pod"::equals)).as("in 10 s").hasSize(5);
    requests.clear();
    reconcile(600);
    assertThat(requests.stream().filter("pod"::equals)).as("in 10 min").hasSizeBetween(9, 14);
    assertThat(reported).containsOnly("PodLabelMissing");
  }
}
