package dev.runnerset.controller.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which taints announce the end of a node (SD10), and which keys an administrator may add. */
final class LeavingTaintsTest {
  private static final LeavingTaints MORE =
      new LeavingTaints(true, Set.of("example.com/going", "spot.example.com/*", "Plain"));

  @ParameterizedTest
  @CsvSource({
    "karpenter.sh/disrupted, true",
    "karpenter.sh/unregistered, false",
    "ToBeDeletedByClusterAutoscaler, true",
    "DeletionCandidateOfClusterAutoscaler, false",
    "node.kubernetes.io/out-of-service, true",
    "node.kubernetes.io/unschedulable, false",
    "node.kubernetes.io/not-ready, false",
    "aws-node-termination-handler/spot-itn, true",
    "aws-node-termination-handler, false",
    "cloud.google.com/impending-node-termination, true",
    "cloud.google.com/gke-spot, false",
    "kubernetes.azure.com/scalesetpriority, false",
    "example.com/going, true",
    "example.com/going-on, false",
    "spot.example.com/any, true",
    "Plain, true",
    "'', false",
  })
  void sd10TheseAnnounceTheEnd(String key, boolean announces) {
    assertThat(MORE.announcesEnd(key)).isEqualTo(announces);
    assertThat(new LeavingTaints(false, MORE.others()).announcesEnd(key)).isFalse();
  }

  @Test
  void sd3OneMakesACandidate() {
    assertThat(MORE.isCandidate("DeletionCandidateOfClusterAutoscaler")).isTrue();
    assertThat(MORE.isCandidate("ToBeDeletedByClusterAutoscaler")).isFalse();
    assertThat(new LeavingTaints(false, Set.of()).isCandidate(LeavingTaints.CANDIDATE)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "a b",
        "a=b:NoSchedule",
        "example.com/",
        "/going",
        "*",
        "a*",
        "example.com/go*",
        "Example.com/going",
        "a/b/c",
        "-a",
        "a-",
      })
  void aKeyThatNoTaintCanHaveIsRefused(String key) {
    assertThatThrownBy(() -> new LeavingTaints(true, Set.of(key)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--leaving-node-taints: '" + key + "' is no key of a taint");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kubernetes.azure.com/scalesetpriority",
        "kubernetes.azure.com/*",
        "node-role.kubernetes.io/control-plane",
        "node.kubernetes.io/*",
        "DeletionCandidateOfClusterAutoscaler",
      })
  void aTaintThatANodeKeepsIsRefused(String key) {
    assertThatThrownBy(() -> new LeavingTaints(true, Set.of(key)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + key + "' does not announce the end of a node");
  }

  @Test
  void theLongestKeyIsTaken() {
    var longest = "p".repeat(253) + "/" + "n".repeat(63);
    assertThat(new LeavingTaints(true, Set.of(longest)).announcesEnd(longest)).isTrue();
    for (var tooLong : Set.of("p".repeat(254) + "/n", "n".repeat(64))) {
      assertThatThrownBy(() -> new LeavingTaints(true, Set.of(tooLong)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
