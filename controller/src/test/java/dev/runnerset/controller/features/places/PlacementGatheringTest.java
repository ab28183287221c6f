package dev.runnerset.controller.features.places;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.autoscalingrunnerset.Sets;
import dev.runnerset.controller.features.capacity.PlacementFacts.Stage;
import dev.runnerset.controller.testing.NoQuotas;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.testsupport.TestClock;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where the place of a runner is read: in its status if that says it, else in its pod. */
final class PlacementGatheringTest {
  private static final Instant STARTED = Instant.parse("2026-11-28T10:00:00Z");

  private final TestClock clock = new TestClock(STARTED.plusSeconds(60));
  private final List<String> read = new ArrayList<>();

  private static EphemeralRunner runner(@Nullable String status) {
    return Serialization.unmarshal(
        """
        apiVersion: runnerset.dev/v1alpha1
        kind: EphemeralRunner
        metadata: {name: a, namespace: ns, uid: a, creationTimestamp: "2026-11-28T09:59:00Z"}
        spec: {githubConfigUrl: "https://github.com/o", runnerScaleSetId: 1, revision: r}
        status: {%s}
        """
            .formatted(status == null ? "" : status),
        EphemeralRunner.class);
  }

  private Optional<Pod> pod(EphemeralRunner runner) {
    read.add(runner.getMetadata().getName());
    return Optional.of(
        Serialization.unmarshal(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: a, uid: pod-a}
            spec: {nodeName: n, containers: [{name: runner}]}
            status:
              conditions: [{type: PodScheduled, status: "True"}]
              containerStatuses: [{name: runner, state: {running: {startedAt: "%s"}}}]
            """
                .formatted(STARTED),
            Pod.class));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "the status says since when it runs | 0 | phase: Running, timeline: {started: '2026-11-28T10:00:00Z'}",
        "the status does not say since when | 1 | phase: Running",
        "the status is behind               | 1 | phase: Pending, timeline: {scheduled: '2026-11-28T09:59:30Z'}",
        "nobody has written a status        | 1 |"
      })
  void thePodIsReadOnlyWhereTheStatusDoesNotSayIt(String row, int pods, @Nullable String status) {
    var facts =
        NoQuotas.noEvents(clock)
            .facts(
                Sets.set("linux"),
                null,
                "r",
                5,
                Stream.of(runner(status)),
                this::pod,
                clock.instant());
    assertThat(facts.runners())
        .as(row)
        .singleElement()
        .satisfies(found -> assertThat(found.stage()).isEqualTo(new Stage.Ran(STARTED)));
    assertThat(read).as(row).hasSize(pods);
  }
}
