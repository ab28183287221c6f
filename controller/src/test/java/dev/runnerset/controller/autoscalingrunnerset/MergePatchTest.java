package dev.runnerset.controller.autoscalingrunnerset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.AdvertisedCapacity;
import dev.runnerset.crds.AutoScalingRunnerSetStatus;
import dev.runnerset.crds.AutoScalingRunnerSetStatusBuilder;
import dev.runnerset.kube.MergePatch;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class MergePatchTest {
  @Test
  void aFieldThatIsGoneIsClearedAndOneOfAnotherWriterIsNotSent() {
    var now =
        Serialization.unmarshal(
            """
            {"observedGeneration": 1, "revision": "a", "jobs": {"assigned": 1, "running": 0},
             "capacity": {"advertised": 5, "limitedBy": "quota"}, "controller": "ns/lease",
             "scaleSet": {"intent": {"name": "n", "runnerGroupId": 1, "at": "%s"}}}
            """
                .formatted(Instant.EPOCH),
            AutoScalingRunnerSetStatus.class);
    var wanted =
        AutoScalingRunnerSetStatusBuilder.builder(now)
            .jobs(null)
            .capacity(new AdvertisedCapacity(5, null))
            .build();
    assertThat(MergePatch.between(now, wanted).orElseThrow())
        .hasToString("{\"capacity\":{\"limitedBy\":null},\"jobs\":null}");
    assertThat(MergePatch.between(now, now)).isEmpty();
  }

  @Test
  void aTimeIsWrittenAsKubernetesSpellsIt() {
    record Times(Instant at) {}
    assertThat(
            MergePatch.between(
                new Times(Instant.EPOCH), new Times(Instant.parse("2026-11-21T12:00:00Z"))))
        .hasValueSatisfying(
            patch -> assertThat(patch).hasToString("{\"at\":\"2026-11-21T12:00:00Z\"}"));
  }
}
