package dev.runnerset.e2e.beside;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What actions-runner-controller leaves on a cluster with one set: objects of its shape. */
final class ArcObjects {
  static final String GROUP = "actions.github.com";

  /** Kinds that a real cluster changes by itself: Deployments get pods, pods get nodes. */
  private static final Set<String> MOVING = Set.of("Deployment", "Pod", "Namespace", "Node");

  private static final Map<String, String> PLURALS =
      Map.of(
          "AutoscalingRunnerSet", "autoscalingrunnersets",
          "AutoscalingListener", "autoscalinglisteners",
          "EphemeralRunnerSet", "ephemeralrunnersets",
          "EphemeralRunner", "ephemeralrunners");

  private ArcObjects() {}

  /** Its kinds, with schemas that take anything. */
  static String crds() {
    return PLURALS.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(kind -> CRD.formatted(kind.getValue(), kind.getKey(), kind.getKey(), kind.getValue()))
        .collect(Collectors.joining());
  }

  /** A controller, a set with a listener, a runner, and what its chart makes beside them. */
  static String objects(String configUrl, int scaleSetId) {
    return OBJECTS.formatted(scaleSetId, configUrl, configUrl, scaleSetId, configUrl, scaleSetId);
  }

  /** The set alone. */
  static GenericKubernetesResource set(List<GenericKubernetesResource> objects) {
    return objects.stream()
        .filter(o -> o.getKind().equals("AutoscalingRunnerSet"))
        .findFirst()
        .orElseThrow();
  }

  static List<GenericKubernetesResource> parse(String yaml) {
    return Stream.of(yaml.split("(?m)^---$"))
        .filter(text -> !text.isBlank()) // what begins with a brace would be read as JSON
        .map(text -> Serialization.unmarshal("---\n" + text, GenericKubernetesResource.class))
        .toList();
  }

  /** Each object as it stands now: its uid and, where only people change it, its version. */
  static Map<String, String> picture(
      KubernetesClient kube, List<GenericKubernetesResource> objects) {
    var picture = new TreeMap<String, String>();
    for (var object : objects) {
      var meta = kube.resource(object).get().getMetadata();
      var version = MOVING.contains(object.getKind()) ? "" : meta.getResourceVersion();
      picture.put(name(object), meta.getUid() + " " + version);
    }
    return picture;
  }

  /** Kind, namespace and name. */
  static String name(GenericKubernetesResource object) {
    var meta = object.getMetadata();
    return object.getKind() + " " + meta.getNamespace() + "/" + meta.getName();
  }

  private static final String CRD =
      """
      ---
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: %s.actions.github.com}
      spec:
        group: actions.github.com
        scope: Namespaced
        names: {kind: %s, listKind: %sList, plural: %s}
        versions:
        - name: v1alpha1
          served: true
          storage: true
          subresources: {status: {}}
          schema:
            openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
      """;

  private static final String OBJECTS =
      """
      ---
      {apiVersion: v1, kind: Namespace, metadata: {name: arc-systems}}
      ---
      {apiVersion: v1, kind: Namespace, metadata: {name: arc-runners}}
      ---
      {apiVersion: v1, kind: ServiceAccount, metadata: {name: arc-gha-rs-controller, namespace: arc-systems}}
      ---
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: arc-gha-rs-controller, namespace: arc-systems}
      spec:
        replicas: 1
        selector: {matchLabels: {app.kubernetes.io/name: gha-rs-controller}}
        template:
          metadata:
            labels:
              app.kubernetes.io/name: gha-rs-controller
              app.kubernetes.io/component: controller-manager
          spec:
            serviceAccountName: arc-gha-rs-controller
            containers: [{name: manager, image: "registry.example.com/controller:1"}]
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRole
      metadata: {name: arc-gha-rs-controller}
      rules: [{apiGroups: [actions.github.com], resources: ["*"], verbs: [get]}]
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRoleBinding
      metadata: {name: arc-gha-rs-controller}
      roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: arc-gha-rs-controller}
      subjects: [{kind: ServiceAccount, name: arc-gha-rs-controller, namespace: arc-systems}]
      ---
      apiVersion: v1
      kind: Secret
      metadata: {name: github-app, namespace: arc-runners}
      stringData: {github_token: demo-token}
      ---
      apiVersion: v1
      kind: ServiceAccount
      metadata:
        name: linux-gha-rs-no-permission
        namespace: arc-runners
        finalizers: [actions.github.com/cleanup-protection]
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: Role
      metadata:
        name: linux-gha-rs-manager
        namespace: arc-runners
        finalizers: [actions.github.com/cleanup-protection]
      rules: [{apiGroups: [""], resources: [secrets], verbs: [get]}]
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: RoleBinding
      metadata:
        name: linux-gha-rs-manager
        namespace: arc-runners
        finalizers: [actions.github.com/cleanup-protection]
      roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: linux-gha-rs-manager}
      subjects: [{kind: ServiceAccount, name: arc-gha-rs-controller, namespace: arc-systems}]
      ---
      apiVersion: actions.github.com/v1alpha1
      kind: AutoscalingRunnerSet
      metadata:
        name: linux
        namespace: arc-runners
        finalizers: [autoscalingrunnerset.actions.github.com/finalizer]
        labels:
          actions.github.com/scale-set-name: linux
          app.kubernetes.io/part-of: gha-rs
          app.kubernetes.io/version: 0.14.2
        annotations:
          actions.github.com/cleanup-no-permission-service-account-name: linux-gha-rs-no-permission
          actions.github.com/cleanup-manager-role-name: linux-gha-rs-manager
          runner-scale-set-id: "%d"
      spec:
        githubConfigUrl: %s
        githubConfigSecret: github-app
        runnerScaleSetName: linux
        minRunners: 0
        maxRunners: 10
        template:
          spec:
            restartPolicy: Never
            serviceAccountName: linux-gha-rs-no-permission
            containers:
            - name: runner
              image: ghcr.io/actions/actions-runner:2.338.1
              command: [/home/runner/run.sh]
      ---
      apiVersion: actions.github.com/v1alpha1
      kind: EphemeralRunnerSet
      metadata:
        name: linux
        namespace: arc-runners
        finalizers: [ephemeralrunnerset.actions.github.com/finalizer]
      spec: {replicas: 1, patchID: 0, ephemeralRunnerSpec: {githubConfigUrl: "%s", runnerScaleSetId: %d}}
      ---
      apiVersion: actions.github.com/v1alpha1
      kind: EphemeralRunner
      metadata:
        name: linux-x7k2p-runner-abcde
        namespace: arc-runners
        finalizers: [ephemeralrunner.actions.github.com/finalizer]
      spec: {githubConfigUrl: "%s", githubConfigSecret: github-app, runnerScaleSetId: %d}
      ---
      apiVersion: v1
      kind: Secret
      metadata: {name: linux-x7k2p-runner-abcde, namespace: arc-runners}
      stringData: {jitToken: not-a-real-token}
      ---
      apiVersion: actions.github.com/v1alpha1
      kind: AutoscalingListener
      metadata:
        name: linux-754b578d-listener
        namespace: arc-systems
        finalizers: [autoscalinglistener.actions.github.com/finalizer]
      spec: {autoscalingRunnerSetName: linux, autoscalingRunnerSetNamespace: arc-runners}
      ---
      {apiVersion: v1, kind: ServiceAccount, metadata: {name: linux-754b578d-listener, namespace: arc-systems}}
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: Role
      metadata: {name: linux-754b578d-listener, namespace: arc-runners}
      rules: [{apiGroups: [actions.github.com], resources: [ephemeralrunnersets], verbs: [patch]}]
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: RoleBinding
      metadata: {name: linux-754b578d-listener, namespace: arc-runners}
      roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: linux-754b578d-listener}
      subjects: [{kind: ServiceAccount, name: linux-754b578d-listener, namespace: arc-systems}]
      """;
}
