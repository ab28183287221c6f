package dev.runnerset.controller.features.leftovers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.kube.Preconditions;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** RN20, I1: what a pod without its runner says of a job, and what its deletion asks for. */
class OrphanPodTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "no status yet                | {}                                       | UNSTARTED      | 7",
        "no place, or no secret       | {'phase': 'Pending', %s 'waiting': {}}}]} | UNSTARTED      | 7",
        "started, the phase is late   | {'phase': 'Pending', %s 'running': {}}}]} | MAY_HAVE_A_JOB |",
        "running                      | {'phase': 'Running', %s 'running': {}}}]} | MAY_HAVE_A_JOB |",
        "the node is lost             | {'phase': 'Unknown'}                     | MAY_HAVE_A_JOB |",
        "ended                        | {'phase': 'Failed'}                      | OVER           |",
        "ended well                   | {'phase': 'Succeeded'}                   | OVER           |",
      })
  void aPodThatHasNotStartedGoesOnlyUnchanged(
      String name, String status, OrphanPod.State state, String version) {
    var container = "'containerStatuses': [{'name': 'runner', 'state': {";
    var json =
        """
        {'metadata': {'name': 'r', 'namespace': 'n', 'uid': 'u', 'resourceVersion': '7',
          'labels': {'app.kubernetes.io/part-of': 'runnerset',
            'app.kubernetes.io/component': 'runner', 'runnerset.dev/set': 's'},
          'annotations': {'runnerset.dev/runner-id': '4', 'runnerset.dev/runner-name': 'r'}},
         'status': %s}
        """
            .formatted(status.replace("%s", container))
            .replace('\'', '"');
    var pod = OrphanPod.of(Serialization.unmarshal(json, Pod.class)).orElseThrow();
    assertThat(pod.state()).isEqualTo(state);
    assertThat(PodSweep.withoutJob(pod)).isEqualTo(new Preconditions("u", version));
  }

  /** A webhook renames pods: a runner looks for the pod of its own name, so nobody finds this. */
  @ParameterizedTest(name = "the pod {0}, and {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "r   | no runner                        | true",
        "r   | a runner r with the uid of-r      | false",
        "r-x | no runner                        | true",
        "r-x | a runner r with the uid of-r      | false",
        "r-x | a runner r with the uid of-r over | true",
        "r-x | a runner r with the uid another   | true",
      })
  void rn20APodUnderAnotherNameIsLeftWhenItsRunnerHasEnded(
      String name, String runner, boolean left) {
    var json =
        """
        {'metadata': {'name': '%s', 'namespace': 'n', 'uid': 'u', 'resourceVersion': '7',
          'labels': {'app.kubernetes.io/part-of': 'runnerset',
            'app.kubernetes.io/component': 'runner', 'runnerset.dev/set': 's'},
          'annotations': {'runnerset.dev/runner-id': '4', 'runnerset.dev/runner-name': 'r'},
          'ownerReferences': [{'kind': 'EphemeralRunner', 'name': 'r', 'uid': 'of-r'}]}}
        """
            .formatted(name)
            .replace('\'', '"');
    var pod = OrphanPod.of(Serialization.unmarshal(json, Pod.class)).orElseThrow();
    var there =
        """
        {'metadata': {'name': 'r', 'uid': '%s'}, 'status': {'phase': '%s'}}
        """
            .formatted(
                runner.contains("another") ? "another" : "of-r",
                runner.contains("over") ? "Failed" : "Running")
            .replace('\'', '"');
    var found =
        runner.startsWith("no ")
            ? Optional.<EphemeralRunner>empty()
            : Optional.of(Serialization.unmarshal(there, EphemeralRunner.class));
    assertThat(pod.isWithout(found)).isEqualTo(left);
    assertThat(pod.runner()).isEqualTo("r");
  }
}
