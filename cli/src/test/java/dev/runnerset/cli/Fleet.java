package dev.runnerset.cli;

import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.Crds;
import dev.runnerset.simulator.kube.KubeApiServer;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Clock;
import java.util.Map;

/** A cluster with sets and runners whose statuses a test wrote, as the programs would have. */
public final class Fleet implements AutoCloseable {
  private static final String API = "runnerset.dev/v1alpha1";

  private final KubeApiServer server = KubeApiServer.start(0, Clock.systemUTC());
  private final KubernetesClient client;

  /** A cluster in which the kinds are installed and nothing is there. */
  public Fleet() {
    server.apply(Crds.yaml());
    client = new KubernetesClientBuilder().withConfig(config()).build();
  }

  public Config config() {
    return Config.fromKubeconfig(server.kubeconfig());
  }

  public KubeApiServer server() {
    return server;
  }

  public KubernetesClient client() {
    return client;
  }

  /** A set with that status, in YAML. */
  public Fleet set(String namespace, String name, String spec, String status) {
    var meta = "{name: %s, namespace: %s}".formatted(name, namespace);
    return make(
        namespace,
        """
        apiVersion: %s
        kind: AutoScalingRunnerSet
        metadata: %s
        spec: {githubConfigUrl: "https://github.com/my-org", githubConfigSecret: {name: github}, %stemplate: {spec: {containers: [{name: runner, image: "ghcr.io/actions/actions-runner:2.338.1"}]}}}
        """
            .formatted(API, meta, spec.isEmpty() ? "" : spec + ", "),
        status);
  }

  /** A runner of a set with that status, in YAML. */
  public Fleet runner(String namespace, String set, String name, String status) {
    return make(
        namespace,
        """
        apiVersion: %s
        kind: EphemeralRunner
        metadata: {name: %s, namespace: %s, labels: {runnerset.dev/set: "%s"}}
        spec: {githubConfigUrl: "https://github.com/my-org", githubConfigSecret: {name: github}, runnerScaleSetId: 7}
        """
            .formatted(API, name, namespace, set),
        status);
  }

  /** An object with that status, in YAML; the namespace is made if it is not there. */
  public Fleet make(String namespace, String yaml, String status) {
    if (client.namespaces().withName(namespace).get() == null) {
      server.apply("{apiVersion: v1, kind: Namespace, metadata: {name: %s}}".formatted(namespace));
    }
    var object =
        client
            .getKubernetesSerialization()
            .unmarshal("---\n" + yaml, GenericKubernetesResource.class); // else a brace is JSON
    var made = client.resource(object).inNamespace(namespace).create();
    if (!status.isEmpty()) {
      client
          .resource(made)
          .subresource("status")
          .patch(PatchContext.of(PatchType.JSON_MERGE), json("status: " + status));
    }
    return this;
  }

  /** Writes the status of a set, in YAML. */
  public void status(String namespace, String set, String status) {
    client
        .resources(AutoScalingRunnerSet.class)
        .inNamespace(namespace)
        .withName(set)
        .subresource("status")
        .patch(PatchContext.of(PatchType.JSON_MERGE), json("status: " + status));
  }

  /** YAML as JSON. */
  public String json(String yaml) {
    var serialization = client.getKubernetesSerialization();
    return serialization.asJson(serialization.unmarshal(yaml, Map.class));
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
