package dev.runnerset.controller.autoscalingrunnerset.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.scaling.CapacityPlan;
import dev.runnerset.crds.AutoScalingRunnerSetStatus;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RunnerSetStatusTest {
  @Test
  void aFieldThatIsGoneIsClearedAndAnEqualOneIsNotSent() {
    var counts = RunnerSetStatus.Counts.of(null, 0, new CapacityPlan(5, null));
    var wanted = new RunnerSetStatus(1, "a", null, List.of(), counts, null, List.of());
    var now =
        Serialization.unmarshal(
            """
            {"observedGeneration": 1, "revision": "a", "jobs": {"assigned": 1, "running": 0},
             "capacity": {"advertised": 5, "limitedBy": "quota"}}
            """,
            AutoScalingRunnerSetStatus.class);
    assertThat(wanted.patchFrom(now).orElseThrow())
        .hasToString("{\"jobs\":null,\"capacity\":{\"limitedBy\":null}}");
  }
}
