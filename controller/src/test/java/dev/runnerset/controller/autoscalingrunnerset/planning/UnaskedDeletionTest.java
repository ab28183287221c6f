package dev.runnerset.controller.autoscalingrunnerset.planning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.EphemeralRunner;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** I1: without the service only what does not run goes. */
class UnaskedDeletionTest {
  private static final String RUNNER = "{'name': 'runner', 'state': {%s}}";

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "no pod                            |                | none        |                | going",
        "no pod, a job once                | 'jobId': 'j'   | none        |                | going",
        "not started                       |                | Pending     |                | unstarted",
        "waiting for its image             |                | Pending     | 'waiting': {}  | unstarted",
        "the kubelet is late: marked busy  | 'jobId': 'j'   | Pending     | 'waiting': {}  | stays",
        "started, the phase is late        |                | Pending     | 'running': {}  | stays",
        "running, maybe with a job         |                | Running     | 'running': {}  | stays",
        "running with a job                | 'requestId': 4 | Running     | 'running': {}  | stays",
        "running, the container not known  |                | Running     |                | stays",
        "the node is lost                  |                | Unknown     | 'running': {}  | stays",
        "its container has ended           |                | Running     | 'terminated': {} | going",
        "its container has ended, a job    | 'jobId': 'j'   | Running     | 'terminated': {} | going",
        "the pod succeeded                 |                | Succeeded   |                | going",
        "the pod failed                    | 'jobId': 'j'   | Failed      | 'running': {}  | going",
      })
  void onlyWhatDoesNotRunGoes(
      String name, String runnerStatus, String phase, String state, String expected) {
    var runner = runner("{}", runnerStatus == null ? "" : runnerStatus);
    var plan = UnaskedDeletion.of(List.of(runner), pods(phase, state));
    var went =
        plan.going().isEmpty()
            ? "stays"
            : plan.going().getFirst().unstarted() == null ? "going" : "unstarted";
    assertThat(went).isEqualTo(expected);
    boolean marked = runnerStatus != null;
    assertThat(plan.busy()).isEqualTo(expected.equals("stays") && marked ? 1 : 0);
    assertThat(plan.unmarked())
        .isEqualTo(expected.equals("stays") && !marked ? List.of("r") : List.of());
  }

  @ParameterizedTest
  @CsvSource({"true, true", "false, false"})
  void whatAUserForcesIsNotWaitedFor(String annotation, boolean goes) {
    var runner = runner("{'runnerset.dev/force-delete': '" + annotation + "'}", "'jobId': 'j'");
    var plan = UnaskedDeletion.of(List.of(runner), pods("Running", "'running': {}"));
    assertThat(plan.going()).isEmpty();
    assertThat(plan.busy()).isEqualTo(goes ? 0 : 1);
  }

  private static EphemeralRunner runner(String annotations, String status) {
    return Serialization.unmarshal(
        "{'metadata': {'name': 'r', 'uid': 'u', 'annotations': %s}, 'status': {%s}}"
            .formatted(annotations, status)
            .replace('\'', '"'),
        EphemeralRunner.class);
  }

  private static Map<String, Pod> pods(String phase, String state) {
    if (phase.equals("none")) {
      return Map.of();
    }
    var containers = state == null ? "" : RUNNER.formatted(state);
    var yaml =
        ("{'metadata': {'name': 'r'}, 'status': {'phase': '%s', 'containerStatuses':"
                + " [{'name': 'side', 'state': {'terminated': {}}}%s]}}")
            .formatted(phase, containers.isEmpty() ? "" : ", " + containers)
            .replace('\'', '"');
    return Map.of("r", Serialization.unmarshal(yaml, Pod.class));
  }
}
