package dev.runnerset.controller.ephemeralrunner.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is read of the containers beside the runner's, as of a Docker daemon (RN15). */
final class PodContainersTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          an init container runs            |        | running: {}                        | false | true  |
          it has ended                      |        | terminated: {exitCode: 0}          | false | false |
          it failed                         |        | terminated: {exitCode: 1}          | false | false | Error
          a side-car runs, not yet started  | Always | running: {}                        | false | true  |
          a side-car has started            | Always | running: {}                        | true  | false |
          a side-car cannot start           | Always | waiting: {reason: CrashLoopBackOff} | false | false | CrashLoopBackOff
          """)
  void whatHoldsTheRunnerUp(
      String given,
      String restartPolicy,
      String state,
      boolean started,
      boolean initializing,
      String obstacle) {
    var policy = restartPolicy == null ? "" : ", restartPolicy: " + restartPolicy;
    var pod =
        Serialization.unmarshal(
            """
            metadata: {name: ci-1, namespace: ns}
            spec:
              initContainers: [{name: dind%s}]
              containers: [{name: runner}]
            status:
              phase: Pending
              initContainerStatuses: [{name: dind, started: %s, state: {%s}}]
              containerStatuses: [{name: runner, state: {waiting: {reason: PodInitializing}}}]
            """
                .formatted(policy, started, state),
            Pod.class);
    var view = PodView.of(pod);
    assertThat(view.initializing()).as(given).isEqualTo(initializing);
    var found = view.obstacle();
    assertThat(found == null ? null : found.reason()).as(given).isEqualTo(obstacle);
  }
}
