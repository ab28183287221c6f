package dev.runnerset.cli.act;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.AutoScalingRunnerSet;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** 42.1 drain --wait: when the waiting ends. */
final class DrainProgressTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          the controller has not seen it      | Drained | 1 | Ready    | 3 | WAITS | the controller has not reconciled the change yet
          jobs run                            | Drained | 2 | Draining | 3 | WAITS | 3 with a job, 0 idle, 0 starting: so it is
          a runner is left, and it is drained | Drained | 2 | Drained  | 1 | WAITS | 1 with a job, 0 idle, 0 starting: so it is
          nothing is left                     | Drained | 2 | Drained  | 0 | DONE  | no runner is left
          somebody resumed it                 | Active  | 2 | Ready    | 3 | ENDED | spec.mode is not Drained any more
          """)
  void progress(
      String situation,
      String mode,
      int observed,
      String reason,
      int busy,
      DrainProgress.Step step,
      String sentence) {
    var set =
        Serialization.unmarshal(
            """
            apiVersion: runnerset.dev/v1alpha1
            kind: AutoScalingRunnerSet
            metadata: {name: linux, namespace: ci, generation: 2}
            spec: {githubConfigUrl: "https://github.com/o", githubConfigSecret: {name: a}, mode: %s}
            status:
              observedGeneration: %d
              runners: {live: %d, busy: %d}
              conditions: [{type: Ready, status: "False", reason: %s, message: so it is}]
            """
                .formatted(mode, observed, busy, busy, reason),
            AutoScalingRunnerSet.class);
    assertThat(DrainProgress.of(set)).isEqualTo(new DrainProgress(step, sentence));
  }
}
