package dev.runnerset.controller.autoscalingrunnerset.children;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.autoscalingrunnerset.Sets;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.Labels;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.simulator.cluster.SimulatedCluster;
import dev.runnerset.simulator.kube.KubeApiServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whose secrets bear our finalizer (DL4). */
class CredentialsInUseIT {
  private final SimulatedCluster cluster = SimulatedCluster.start();
  private final KubeApiServer api = cluster.api();
  private final KubernetesClient client = cluster.client();

  @BeforeEach
  void start() {
    for (var name : List.of("old", "new")) {
      api.apply(
          "{apiVersion: v1, kind: Secret, metadata: {name: %s, namespace: default}}"
              .formatted(name));
    }
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private boolean isHeld(String secret) {
    var meta = client.secrets().inNamespace("default").withName(secret).get().getMetadata();
    return meta.getFinalizers().contains(Labels.SECRET_FINALIZER);
  }

  private static AutoScalingRunnerSet set(String name, String secret) {
    var set = Sets.set(name);
    set.getMetadata().setNamespace("default");
    return Sets.of(
        Serialization.asYaml(set).replace("name: \"github\"", "name: \"" + secret + "\""));
  }

  private static AutoScalingListener listener(String secret) {
    return Serialization.unmarshal(
        "spec:\n  githubConfigSecret: {namespace: default, name: " + secret + "}",
        AutoScalingListener.class);
  }

  /** A process that has just begun. */
  private CredentialsInUse fresh() {
    return new CredentialsInUse(new KubeApi(client));
  }

  @Test
  void aSetHoldsItsSecretUntilItGoes() {
    var set = set("linux", "old");
    var credentials = fresh();
    credentials.hold(set);
    assertThat(isHeld("old")).isTrue();
    credentials.release(set, List.of(set));
    assertThat(isHeld("old")).isFalse();
  }

  /** The name may change while no controller runs: nothing in memory tells of the former. */
  @Test
  void theFormerSecretIsLetGoThoughANewProcessNeverHeldIt() {
    fresh().hold(set("linux", "old"));
    var changed = set("linux", "new");
    var credentials = fresh();
    credentials.hold(changed);
    assertThat(isHeld("old")).as("what depends on it still names it").isTrue();
    credentials.releaseFormer(changed, listener("old"), List.of(changed));
    assertThat(isHeld("old")).isFalse();
    assertThat(isHeld("new")).isTrue();
    credentials.releaseFormer(changed, listener("new"), List.of(changed));
    credentials.releaseFormer(changed, null, List.of(changed));
    assertThat(isHeld("new")).isTrue();
  }

  /** Before there is a listener object, too; and more than one name may have been tried. */
  @Test
  void whatThisProcessHeldIsLetGoWithoutAListener() {
    var credentials = fresh();
    credentials.hold(set("linux", "old"));
    credentials.hold(set("linux", "new"));
    var last = set("linux", "none");
    credentials.hold(last);
    credentials.releaseFormer(last, null, List.of(last));
    assertThat(isHeld("old")).isFalse();
    assertThat(isHeld("new")).isFalse();
  }

  @Test
  void aSecretThatTheSetComesBackToIsHeldAgain() {
    var credentials = fresh();
    var set = set("linux", "old");
    credentials.hold(set);
    var mistyped = set("linux", "odl");
    credentials.releaseFormer(mistyped, listener("old"), List.of(mistyped));
    credentials.hold(set);
    assertThat(isHeld("old")).isTrue();
  }

  @Test
  void theFormerSecretStaysWhileAnotherSetNamesIt() {
    fresh().hold(set("linux", "old"));
    var changed = set("linux", "new");
    var all = List.of(changed, set("other", "old"));
    fresh().releaseFormer(changed, listener("old"), all);
    assertThat(isHeld("old")).isTrue();
  }

  @Test
  void ofTwoSetsThatGoAtOnceTheLastLetsTheSecretGo() {
    var one = set("one", "old");
    var two = set("two", "old");
    var credentials = fresh();
    credentials.hold(one);
    credentials.release(one, List.of(one, two));
    assertThat(isHeld("old")).isTrue();
    credentials.release(two, List.of(one, two));
    assertThat(isHeld("old")).isFalse();
  }
}
