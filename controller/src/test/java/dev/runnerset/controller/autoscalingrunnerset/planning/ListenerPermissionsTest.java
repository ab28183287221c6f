package dev.runnerset.controller.autoscalingrunnerset.planning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.autoscalingrunnerset.Sets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ListenerPermissionsTest {
  @Test
  void theListenerMayPatchTwoStatusesAndReadWhatItNeeds() {
    var role =
        ListenerPermissions.role(
            Sets.set(
                "a",
                "proxy: {http: {url: 'http://p:1', credentialSecretRef: {name: pass}}}",
                "githubServerTLS: {certificateFrom: {configMapKeyRef: {name: ca, key: k}}}"));
    assertThat(role.getMetadata().getOwnerReferences()).isEmpty();
    assertThat(role.getMetadata().getName()).isEqualTo("a-listener");
    assertThat(role.getRules())
        .extracting(
            rule -> rule.getVerbs() + " " + rule.getResources() + " " + rule.getResourceNames())
        .containsExactly(
            "[patch] [ephemeralrunnersets/status] [a]",
            "[patch] [ephemeralrunners/status] []",
            "[get] [secrets] [github, pass]",
            "[get] [configmaps] [ca]");
  }

  @Test
  void theBindingNamesTheListenersAccountOnly() {
    var binding = ListenerPermissions.binding(Sets.set("a"), "l-ns", "l-sa");
    assertThat(binding.getMetadata().getNamespace()).isEqualTo("ns");
    assertThat(binding.getRoleRef().getName()).isEqualTo("a-listener");
    assertThat(binding.getSubjects())
        .extracting(s -> List.of(s.getKind(), s.getNamespace(), s.getName()))
        .containsExactly(List.of("ServiceAccount", "l-ns", "l-sa"));
  }

  @Test
  void listenerObjectsOfTwoNamespacesDoNotMeet() {
    var one = ChildNames.listener("ns-1", "linux");
    assertThat(one)
        .matches("linux-[0-9a-f]{16}")
        .isNotEqualTo(ChildNames.listener("ns-2", "linux"));
    var longest = ChildNames.listener("ns", "a".repeat(53) + "--------------");
    assertThat(longest).hasSizeLessThanOrEqualTo(63).doesNotContain("--");
  }
}
