package dev.runnerset.controller.autoscalingrunnerset.planning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.controller.autoscalingrunnerset.Sets;
import dev.runnerset.controller.autoscalingrunnerset.registration.ScaleSetClaims;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.condition.RunnerSetReason;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NameOwnershipTest {
  private static AutoScalingRunnerSet set(String name, String created, boolean registered) {
    var set = Sets.set(name, "runnerScaleSetName: Same");
    set.getMetadata().setCreationTimestamp(created);
    if (registered) {
      Sets.registered(set, 1);
    }
    return set;
  }

  private static AutoScalingRunnerSet at(String url, AutoScalingRunnerSet set) {
    return Sets.of(
        Serialization.asYaml(set)
            .replaceFirst("githubConfigUrl: .*", "githubConfigUrl: '" + url + "'"));
  }

  @Test
  void theOldestHasItUnlessAnotherHasItAlready() {
    var old = set("a", "2026-11-21T10:00:00Z", false);
    var young = set("b", "2026-11-21T10:00:01Z", false);
    assertThat(NameOwnership.refusal(old, List.of(old, young))).isEmpty();
    assertThat(NameOwnership.refusal(young, List.of(old, young)))
        .hasValueSatisfying(f -> {
          assertThat(f.reason()).isEqualTo(RunnerSetReason.SCALE_SET_NAME_TAKEN);
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

  @ParameterizedTest(name = "[{index}] {0}")
  @CsvSource({
    "https://github.com/my-org,              true",
    "https://github.com/my-org/,             true",
    "https://github.com//My-Org,             true",
    "https://github.com:443/my-org,          true",
    "http://github.com:80/my-org,            true",
    "http://github.com/my-org,               true",
    "https://www.github.com/my-org,          true",
    "https://github.com/my-org?x=1,          true",
    "https://github.com/my-org/?x=1,         true",
    "https://github.com/other,               false",
    "https://github.com/my-org/repo,         false",
    "https://github.com/enterprises/my-org,  false",
    "https://github.com:8443/my-org,         false",
    "https://git.example.org/my-org,         false",
    "github.com/my-org,                      false",
  })
  void everySpellingOfTheSameOwnerIsARival(String url, boolean rival) {
    var id = new ScaleSetId(1);
    var mine = set("a", "2026-11-21T10:00:00Z", true);
    var other = at(url, set("b", "2026-11-21T10:00:01Z", false));
    assertThat(NameOwnership.refusal(other, List.of(mine, other)).isPresent()).isEqualTo(rival);
    assertThat(NameOwnership.idRefusal(other, id, List.of(mine, other)).isPresent())
        .isEqualTo(rival);
    assertThat(NameOwnership.sharer(other, id, List.of(mine, other)).isPresent()).isEqualTo(rival);
    var claims = new ScaleSetClaims(new Memories());
    assertThat(claims.claim(mine, List.of())).isEmpty();
    assertThat(claims.claim(other, List.of()).isPresent()).isEqualTo(rival);
  }

  @Test
  void twoUrlsThatCannotBeReadAreComparedAsText() {
    var mine = at("github.com/my-org", set("a", "2026-11-21T10:00:00Z", false));
    var other = at(" GitHub.com/my-org/ ", set("b", "2026-11-21T10:00:01Z", false));
    assertThat(NameOwnership.refusal(other, List.of(mine, other))).isPresent();
  }
}
