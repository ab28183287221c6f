package dev.runnerset.controller.autoscalingrunnerset.children;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.autoscalingrunnerset.children.ChildWriter.ForeignChildException;
import dev.runnerset.crds.condition.RunnerSetReason;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ClusterFindingsPassTest {
  @Test
  void anyFailureIsReported() {
    var finding = Objects.requireNonNull(ClusterFindings.ofPass(new NullPointerException("x")));
    assertThat(finding.reason()).isEqualTo(RunnerSetReason.INTERNAL_ERROR);
    assertThat(finding.message())
        .contains("ClusterFindingsPassTest.anyFailureIsReported", "controller's log")
        .doesNotContain("NullPointerException");
  }

  @Test
  void anObjectOfSomebodyElseIsReported() {
    var finding = Objects.requireNonNull(ClusterFindings.ofPass(new ForeignChildException("mine")));
    assertThat(finding.reason()).isEqualTo(RunnerSetReason.CHILD_FOREIGN);
    assertThat(finding.message()).isEqualTo("mine");
  }

  @Test
  void aConflictIsNotReported() {
    assertThat(ClusterFindings.ofPass(new KubernetesClientException("old", 409, null))).isNull();
  }
}
