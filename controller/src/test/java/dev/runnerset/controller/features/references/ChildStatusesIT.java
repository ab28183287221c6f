package dev.runnerset.controller.features.references;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingListenerStatus;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.ChildReference;
import dev.runnerset.crds.ChildStatus;
import dev.runnerset.crds.ChildStatuses;
import dev.runnerset.crds.Crds;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSetStatusBuilder;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.simulator.kube.KubeApiServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The library for clients (RF10), against an API server. */
class ChildStatusesIT {
  private static final ChildReference ONE = reference("EphemeralRunner", "linux-1");
  private static final ChildReference GONE = reference("EphemeralRunner", "linux-2");

  private final KubeApiServer server = KubeApiServer.start(0, Clock.systemUTC());
  private final KubernetesClient client =
      new KubernetesClientBuilder()
          .withConfig(
              new ConfigBuilder(Config.fromKubeconfig(server.kubeconfig()))
                  .withRequestRetryBackoffLimit(0)
                  .build())
          .build();
  private final ChildStatuses statuses = new ChildStatuses(client, "default", "kube-system");

  ChildStatusesIT() {
    server.apply(Crds.yaml());
    runner("default", "Running");
  }

  /** The runner {@code linux-1} of a set {@code linux}. */
  private void runner(String namespace, String phase) {
    server.apply(
        """
        apiVersion: runnerset.dev/v1alpha1
        kind: EphemeralRunner
        metadata: {name: linux-1, namespace: %s, labels: {runnerset.dev/set: linux}}
        spec: {githubConfigUrl: "https://github.com/o", githubConfigSecret: {name: s},
          runnerScaleSetId: 1, revision: r}
        """
            .formatted(namespace));
    client
        .resources(EphemeralRunner.class)
        .inNamespace(namespace)
        .withName("linux-1")
        .editStatus(runner -> {
          runner.setStatus(Serialization.unmarshal("phase: " + phase, EphemeralRunnerStatus.class));
          return runner;
        });
  }

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  private static ChildReference reference(String kind, String name) {
    return new ChildReference("runnerset.dev/v1alpha1", kind, name, null, null);
  }

  private static EphemeralRunnerSet parent(ChildReference... references) {
    return parent("default", references);
  }

  private static EphemeralRunnerSet parent(String namespace, ChildReference... references) {
    var parent = Children.ers("u");
    parent.getMetadata().setNamespace(namespace);
    parent.setStatus(
        EphemeralRunnerSetStatusBuilder.builder().childReferences(List.of(references)).build());
    return parent;
  }

  @Test
  void aChildThatExistsHasItsStatusAndOneThatIsGoneHasNone() {
    var found = statuses.forReference(ONE, EphemeralRunner.class);
    assertThat(found.status())
        .extracting(EphemeralRunnerStatus::phase)
        .isEqualTo(RunnerPhase.RUNNING);
    assertThat(statuses.forReference(GONE, EphemeralRunner.class))
        .isEqualTo(new ChildStatus<EphemeralRunnerStatus>(GONE, null));
  }

  @Test
  void aReferenceToAnotherKindIsAnErrorThatNamesIt() {
    assertThatThrownBy(() -> statuses.forReference(ONE, AutoScalingListener.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'linux-1'")
        .hasMessageContaining("EphemeralRunner, not to a")
        .hasMessageContaining("AutoScalingListener");
    var pod = new ChildReference("v1", "Pod", "p", null, null);
    assertThatThrownBy(() -> statuses.forReference(pod, EphemeralRunner.class))
        .hasMessageContaining("v1 Pod");
    assertThatThrownBy(() -> statuses.allOf(parent(pod))).hasMessageContaining("v1 Pod");
    assertThatThrownBy(() -> statuses.allOf(new EphemeralRunner()))
        .hasMessageContaining("EphemeralRunner");
  }

  @Test
  void allChildrenComeInTheOrderOfTheParent() {
    assertThat(statuses.allOf(null)).isEmpty();
    assertThat(statuses.allOf(Children.ers("u"))).isEmpty();
    assertThat(statuses.allOf(parent(GONE, ONE)))
        .extracting(ChildStatus::reference)
        .containsExactly(GONE, ONE);
    assertThat(statuses.allOf(parent(GONE, ONE)).getLast().status()).isNotNull();
    assertThat(statuses.allOf(parent(GONE, ONE)).getFirst().status()).isNull();
  }

  /** What {@code --embedded-status full} leaves: no references. */
  @Test
  void theDeprecatedFormAloneNamesTheRunnersToo() {
    var parent =
        Children.of(
            EphemeralRunnerSet.class,
            """
            metadata: {name: linux, namespace: default}
            status:
              runnerStatuses:
                linux-0: {revision: old}
                linux-1: {revision: r, status: {phase: Pending}}
                linux-2: {}
            """);
    var all = statuses.allOf(parent);
    assertThat(all)
        .extracting(ChildStatus::reference)
        .containsExactly(
            new ChildReference("runnerset.dev/v1alpha1", "EphemeralRunner", "linux-1", "r", null),
            new ChildReference("runnerset.dev/v1alpha1", "EphemeralRunner", "linux-0", "old", null),
            GONE);
    assertThat(all)
        .extracting(child -> (EphemeralRunnerStatus) child.status())
        .extracting(status -> status == null ? null : status.phase())
        .as("as the runners say themselves, not as the parent repeats it")
        .containsExactly(RunnerPhase.RUNNING, null, null);
  }

  @Test
  void aSetThatNamesNoChildrenMayHaveThem() {
    var set =
        Children.of(
            AutoScalingRunnerSet.class, "metadata: {name: linux, namespace: default, uid: u}");
    assertThat(statuses.allOf(set)).isEmpty();
    ers("linux", "u");
    listener("linux-l", "default");
    listener("linux-of-another-namespace", "elsewhere");
    assertThat(statuses.allOf(set))
        .extracting(ChildStatus::reference)
        .containsExactly(
            new ChildReference("runnerset.dev/v1alpha1", "EphemeralRunnerSet", "linux", "r", null),
            reference("AutoScalingListener", "linux-l"));
  }

  @Test
  void aRunnerSetOfAnotherOwnerIsNoChild() {
    ers("linux", "of-an-earlier-set");
    var set =
        Children.of(
            AutoScalingRunnerSet.class, "metadata: {name: linux, namespace: default, uid: u}");
    assertThat(statuses.allOf(set)).isEmpty();
  }

  private void ers(String name, String ownerUid) {
    server.apply(
        """
        apiVersion: runnerset.dev/v1alpha1
        kind: EphemeralRunnerSet
        metadata:
          name: %s
          namespace: default
          finalizers: [runnerset.dev/set]
          ownerReferences:
          - {apiVersion: runnerset.dev/v1alpha1, kind: AutoScalingRunnerSet, name: %s, uid: %s}
        spec: {githubConfigUrl: "https://github.com/o", githubConfigSecret: {name: s},
          runnerScaleSetId: 1, revision: r, replicas: 0, template: {spec: {containers: []}}}
        """
            .formatted(name, name, ownerUid));
  }

  private void listener(String name, String setNamespace) {
    server.apply(
        """
        apiVersion: runnerset.dev/v1alpha1
        kind: AutoScalingListener
        metadata:
          name: %s
          namespace: kube-system
          labels: {runnerset.dev/set: linux, runnerset.dev/set-namespace: %s}
        spec: {runnerSet: {namespace: default, name: linux, uid: u}, scaleSetId: 1, capacity: 1,
          githubConfigUrl: "https://github.com/o", githubConfigSecret: {namespace: n, name: s}}
        """
            .formatted(name, setNamespace));
  }

  @Test
  void childrenOfASetStandInTwoNamespaces() {
    server.apply(
        """
        apiVersion: runnerset.dev/v1alpha1
        kind: AutoScalingListener
        metadata: {name: linux-l, namespace: kube-system}
        spec: {runnerSet: {namespace: default, name: linux, uid: u}, scaleSetId: 1, capacity: 1,
          githubConfigUrl: "https://github.com/o", githubConfigSecret: {namespace: n, name: s}}
        """);
    client
        .resources(AutoScalingListener.class)
        .inNamespace("kube-system")
        .withName("linux-l")
        .editStatus(listener -> {
          listener.setStatus(
              Serialization.unmarshal("holder: me", AutoScalingListenerStatus.class));
          return listener;
        });
    var set =
        Children.of(
            AutoScalingRunnerSet.class,
            """
            metadata: {name: linux, namespace: default}
            status:
              childReferences:
              - {apiVersion: runnerset.dev/v1alpha1, kind: EphemeralRunnerSet, name: none}
              - {apiVersion: runnerset.dev/v1alpha1, kind: AutoScalingListener, name: linux-l}
            """);
    var all = statuses.allOf(set);
    assertThat(all).hasSize(2);
    assertThat(all.getFirst().status()).isNull();
    assertThat(all.getLast().status()).isNotNull();
  }

  @Test
  void theChildrenOfAParentStandInItsOwnNamespace() {
    runner("kube-system", "Failed"); // of a set of the same name
    for (var each : Map.of("default", "Running", "kube-system", "Failed").entrySet()) {
      var ofErs = statuses.allOf(parent(each.getKey(), ONE));
      var set =
          Children.of(
              AutoScalingRunnerSet.class,
              """
              metadata: {name: linux, namespace: %s}
              status:
                childReferences:
                - {apiVersion: runnerset.dev/v1alpha1, kind: EphemeralRunner, name: linux-1}
              """
                  .formatted(each.getKey()));
      for (var all : List.of(ofErs, statuses.allOf(set))) {
        assertThat(all)
            .extracting(child -> (EphemeralRunnerStatus) child.status())
            .extracting(EphemeralRunnerStatus::phase)
            .containsExactly(RunnerPhase.valueOf(each.getValue().toUpperCase(Locale.ROOT)));
      }
    }
  }

  @Test
  void aReferenceWithoutAKindIsNamed() {
    var set =
        Children.of(
            AutoScalingRunnerSet.class,
            """
            metadata: {name: linux, namespace: default}
            status: {childReferences: [{apiVersion: runnerset.dev/v1alpha1, name: torn}]}
            """);
    assertThatThrownBy(() -> statuses.allOf(set))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'torn' does not say its kind");
  }

  @ParameterizedTest
  @ValueSource(ints = {403, 500})
  void aRefusalIsNoMissingChild(int code) throws IOException {
    var refusing = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    refusing.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(code, -1);
          exchange.close();
        });
    refusing.start();
    try (var refused =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder(Config.empty())
                    .withMasterUrl("http://127.0.0.1:" + refusing.getAddress().getPort())
                    .withRequestRetryBackoffLimit(0)
                    .build())
            .build()) {
      var asked = new ChildStatuses(refused, "default", "kube-system");
      assertThatThrownBy(() -> asked.forReference(ONE, EphemeralRunner.class))
          .isInstanceOfSatisfying(
              KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(code));
      assertThatThrownBy(() -> asked.allOf(parent(ONE)))
          .isInstanceOfSatisfying(
              KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(code));
    } finally {
      refusing.stop(0);
    }
  }

  @Test
  void anyOtherErrorIsPassedOn() {
    server.close();
    assertThatThrownBy(() -> statuses.forReference(ONE, EphemeralRunner.class))
        .isInstanceOf(KubernetesClientException.class);
    assertThatThrownBy(() -> statuses.allOf(parent(ONE)))
        .isInstanceOf(KubernetesClientException.class);
  }
}
