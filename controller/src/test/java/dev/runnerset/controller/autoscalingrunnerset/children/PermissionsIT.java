package dev.runnerset.controller.autoscalingrunnerset.children;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.controller.autoscalingrunnerset.Sets;
import dev.runnerset.controller.autoscalingrunnerset.children.ChildWriter.ForeignChildException;
import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.Labels;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.simulator.cluster.SimulatedCluster;
import dev.runnerset.simulator.kube.KubeApiServer;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The role and the binding of a set's listener, and those of other people (DL5). */
class PermissionsIT {
  private static final WriteCache NO_CACHE =
      new WriteCache() {
        @Override
        public void created(HasMetadata made) {
          // the test reads from the API server
        }

        @Override
        public void changed(HasMetadata before, HasMetadata after) {
          // the test reads from the API server
        }
      };

  private final SimulatedCluster cluster = SimulatedCluster.start();
  private final KubeApiServer api = cluster.api();
  private final KubernetesClient client = cluster.client();
  private final ChildWriter writer = new ChildWriter(new KubeApi(client), "l-ns", "listener");
  private final AutoScalingRunnerSet set = set();

  private static AutoScalingRunnerSet set() {
    var set = Sets.set("linux");
    set.getMetadata().setNamespace("default");
    return set;
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private Role role() {
    return client.rbac().roles().inNamespace("default").withName("linux-listener").get();
  }

  private RoleBinding binding() {
    return client.rbac().roleBindings().inNamespace("default").withName("linux-listener").get();
  }

  private void foreign(String kind, String metadata) {
    api.apply(
        """
        {apiVersion: rbac.authorization.k8s.io/v1, kind: %s,
         metadata: {name: linux-listener, namespace: default%s}, %s}
        """
            .formatted(
                kind,
                metadata,
                kind.equals("Role")
                    ? "rules: [{apiGroups: [''], resources: [pods], verbs: [get]}]"
                    : "roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: mine}"));
  }

  @Test
  void bothAreMadeRepairedAndTakenAway() {
    writer.grant(set, null, null, NO_CACHE);
    var rules = role().getRules();
    var changed = role();
    changed.setRules(List.of());
    changed.getMetadata().getLabels().remove(Labels.SET);
    var stored = client.resource(changed).update();
    writer.grant(set, stored, binding(), NO_CACHE);
    assertThat(role().getRules()).isEqualTo(rules);
    assertThat(role().getMetadata().getLabels()).containsKey(Labels.SET);
    writer.grant(set, null, null, NO_CACHE); // the cache is late
    assertThat(role().getRules()).isEqualTo(rules);
    writer.revoke(set);
    assertThat(role()).isNull();
    assertThat(binding()).isNull();
    writer.revoke(set);
  }

  /** A user may have named his own like ours, and may even have copied our labels. */
  @ParameterizedTest(name = "metadata: {0}")
  @ValueSource(
      strings = {
        "",
        ", labels: {runnerset.dev/set: linux, app.kubernetes.io/part-of: runnerset}",
        ", annotations: {runnerset.dev/set-uid: another}",
      })
  void aRoleOfSomebodyElseIsNeitherChangedNorDeleted(String metadata) {
    foreign("Role", metadata);
    var before = role();
    assertThatThrownBy(() -> writer.grant(set, null, null, NO_CACHE))
        .isInstanceOf(ForeignChildException.class)
        .hasMessageContaining("The Role default/linux-listener")
        .hasMessageContaining("delete it");
    assertThatThrownBy(() -> writer.grant(set, before, null, NO_CACHE))
        .as("in the cache")
        .isInstanceOf(ForeignChildException.class);
    writer.revoke(set);
    assertThat(role()).isEqualTo(before);
  }

  /** Its roleRef differs: that alone is no reason to delete it. */
  @ParameterizedTest(name = "in the cache: {0}")
  @ValueSource(booleans = {true, false})
  void aBindingOfSomebodyElseIsNeitherChangedNorDeleted(boolean cached) {
    foreign("RoleBinding", "");
    var before = binding();
    assertThatThrownBy(() -> writer.grant(set, null, cached ? before : null, NO_CACHE))
        .isInstanceOf(ForeignChildException.class)
        .hasMessageContaining("The RoleBinding default/linux-listener");
    writer.revoke(set);
    assertThat(binding()).isEqualTo(before);
    assertThat(role()).as("ours goes all the same").isNull();
  }

  @Test
  void aBindingOfOursWithAnotherRoleIsMadeAgain() {
    writer.grant(set, null, null, NO_CACHE);
    client.resource(binding()).delete();
    foreign(
        "RoleBinding",
        ", annotations: {runnerset.dev/set-uid: " + set.getMetadata().getUid() + "}");
    writer.grant(set, role(), binding(), NO_CACHE);
    assertThat(binding().getRoleRef().getName()).isEqualTo("linux-listener");
  }

  /** Somebody made it his own after the cache saw it. */
  @Test
  void whatChangedSinceItWasReadIsNotOverwritten() {
    writer.grant(set, null, null, NO_CACHE);
    var cached = role();
    cached.setRules(List.of()); // so that there is something to repair
    var taken = role();
    taken.getMetadata().setAnnotations(Map.of(Labels.SET_UID, "another"));
    client.resource(taken).update();
    var before = role();
    assertThatThrownBy(() -> writer.grant(set, cached, binding(), NO_CACHE))
        .isInstanceOf(ForeignChildException.class);
    assertThat(role()).isEqualTo(before);
  }
}
