package dev.runnerset.controller.runnerset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crd.AutoScalingRunnerSet;
import dev.runnerset.crd.AutoScalingRunnerSetStatus;
import java.util.List;
import org.junit.jupiter.api.Test;

class NameOwnershipTest {
  private static AutoScalingRunnerSet set(String name, String created, boolean registered) {
    var set = Sets.set(name, "runnerScaleSetName: Same");
    set.getMetadata().setCreationTimestamp(created);
    if (registered) {
      set.setStatus(
          new AutoScalingRunnerSetStatus(
              null, 1, null, null, List.of(), null, null, null, List.of(), null, null, List.of()));
    }
    return set;
  }

  @Test
  void theOldestHasItUnlessAnotherHasItAlready() {
    var old = set("a", "2026-11-21T10:00:00Z", false);
    var young = set("b", "2026-11-21T10:00:01Z", false);
    assertThat(NameOwnership.refusal(old, List.of(old, young))).isEmpty();
    assertThat(NameOwnership.refusal(young, List.of(old, young)))
        .hasValueSatisfying(f -> {
          assertThat(f.reason()).isEqualTo("ScaleSetNameTaken");
          assertThat(f.message()).contains("ns/a");
        });
    var registered = set("b", "2026-11-21T10:00:01Z", true);
    assertThat(NameOwnership.refusal(old, List.of(old, registered))).isPresent();
    assertThat(NameOwnership.refusal(registered, List.of(old, registered))).isEmpty();
  }

  @Test
  void ofTwoOfTheSameSecondExactlyOneHasIt() {
    var a = set("a", "2026-11-21T10:00:00Z", false);
    var b = set("b", "2026-11-21T10:00:00Z", false);
    assertThat(NameOwnership.refusal(a, List.of(a, b)).isPresent())
        .isNotEqualTo(NameOwnership.refusal(b, List.of(a, b)).isPresent());
  }

  @Test
  void anotherUrlGroupOrNameIsNoRival() {
    var mine = set("b", "2026-11-21T10:00:01Z", false);
    for (var other :
        List.of(
            Sets.set("a", "runnerScaleSetName: other"),
            Sets.set("a", "runnerScaleSetName: Same", "runnerGroup: gpu"))) {
      assertThat(NameOwnership.refusal(mine, List.of(mine, other))).isEmpty();
    }
    // the service does not tell upper from lower case
    var same = Sets.set("a", "runnerScaleSetName: SAME", "runnerGroup: Default");
    assertThat(NameOwnership.refusal(mine, List.of(mine, same))).isPresent();
  }
}
