package dev.runnerset.controller.autoscalingrunnerset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.AdvertisedCapacity;
import dev.runnerset.crds.AutoScalingRunnerSetStatus;
import dev.runnerset.crds.AutoScalingRunnerSetStatusBuilder;
import dev.runnerset.kube.MergePatch;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
            .capacity(new AdvertisedCapacity(5, null, List.of(), null, null))
            .build();
    assertThat(MergePatch.between(now, wanted).orElseThrow())
        .hasToString("{\"capacity\":{\"limitedBy\":null},\"jobs\":null}");
    assertThat(MergePatch.between(now, now)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '#',
      value = {
        "{'a': 1}               | {'a': 2}               | {'a': 2}",
        "{'a': 1, 'b': 1}       | {'a': 1}               | {'b': null}",
        "{}                     | {'a': {'b': 1}}        | {'a': {'b': 1}}",
        "{'a': {'b': 1, 'c': 2}} | {'a': {'b': 1, 'c': 3}} | {'a': {'c': 3}}",
        "{'a': {'b': 1}}        | {'a': {'c': 1}}        | {'a': {'c': 1, 'b': null}}",
        "{'a': [1, 2]}          | {'a': [2]}             | {'a': [2]}",
        "{'a': {'b': 1}}        | {'a': [1]}             | {'a': [1]}",
        "{'a': {'b': [1, {'c': null}]}} | {'a': {'b': [1, {'c': null}]}} |",
      })
  void namesOnlyWhatDiffers(String current, String wanted, @Nullable String patch) {
    assertThat(MergePatch.ofTrees(Sets.json(current), Sets.json(wanted)))
        .isEqualTo(Optional.ofNullable(patch).map(Sets::json));
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
