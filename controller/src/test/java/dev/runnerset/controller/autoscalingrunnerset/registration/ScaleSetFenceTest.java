package dev.runnerset.controller.autoscalingrunnerset.registration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.CompletedIn;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * LV2: ids of messages count within one scale set. After a new scale set was made, the high id of
 * the former one would release each runner at once, while its job still counts as demand: one
 * runner too many for each (I9).
 */
final class ScaleSetFenceTest {
  @ParameterizedTest(name = "scale set {0}, demand of {1}")
  @CsvSource({
    "1,'idle: 0',450", // written by a former listener: of the present scale set
    "1,'scaleSetId: 1',450",
    "2,'scaleSetId: 1',0",
    "2,'scaleSetId: 2',450",
  })
  void theFenceIsThatOfTheScaleSet(int scaleSet, String of, long fence) {
    var set = ephemeralRunnerSet(scaleSet, "messageId: 450, assigned: 3, " + of);
    assertThat(set.settledUpTo()).isEqualTo(fence);
  }

  @ParameterizedTest(name = "runner of {0}, set of {1}")
  @CsvSource({"1,1,450", "2,2,450", "1,2,0"})
  void theEndOfAJobOfAnotherScaleSetComesBeforeAllMessages(int runner, int set, long completedIn) {
    assertThat(CompletedIn.of(runner(runner, "450"), ephemeralRunnerSet(set, "").getSpec()))
        .isEqualTo(completedIn);
  }

  @Test
  void anEndThatWasNotHeardOfHasNoMessage() {
    assertThat(CompletedIn.of(runner(1, "null"), ephemeralRunnerSet(2, "").getSpec())).isNull();
  }

  private static EphemeralRunner runner(int scaleSet, String completedIn) {
    return Serialization.unmarshal(
        """
        metadata: {name: linux-a, namespace: ns, uid: a}
        spec:
          githubConfigUrl: https://github.com/my-org
          githubConfigSecret: {name: github}
          runnerScaleSetId: %d
        status: {job: {completedIn: %s}}
        """
            .formatted(scaleSet, completedIn),
        EphemeralRunner.class);
  }

  private static EphemeralRunnerSet ephemeralRunnerSet(int scaleSet, String demand) {
    return Serialization.unmarshal(
        """
        metadata: {name: linux, namespace: ns, uid: e}
        spec:
          replicas: 1
          revision: r1
          githubConfigUrl: https://github.com/my-org
          githubConfigSecret: {name: github}
          runnerScaleSetId: %d
          template: {spec: {containers: [{name: runner, image: runner}]}}
        status: {demand: {epoch: 1, %s}}
        """
            .formatted(scaleSet, demand.isEmpty() ? "messageId: 0" : demand),
        EphemeralRunnerSet.class);
  }
}
