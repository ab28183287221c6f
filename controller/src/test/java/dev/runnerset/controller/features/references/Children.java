package dev.runnerset.controller.features.references;

import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.Serialization;

/** Parents and children written as YAML. */
public final class Children {
  private Children() {}

  public static EphemeralRunner runner(String name, String created, String... more) {
    return of(
        EphemeralRunner.class,
        """
        metadata:
          name: %s
          namespace: ns
          uid: uid-%s
          creationTimestamp: %s
          annotations: {runnerset.dev/provisioned-for: Demand, runnerset.dev/set-uid: uid-set}
          ownerReferences:
          - {apiVersion: v1, kind: Pod, name: other, uid: uid-other}
          - {apiVersion: runnerset.dev/v1alpha1, kind: EphemeralRunnerSet, name: linux,
            uid: uid-ers, controller: true}
        spec: {githubConfigUrl: u, githubConfigSecret: {name: s}, runnerScaleSetId: 1,
          revision: 709f33bb0a}
        %s
        """
            .formatted(name, name, '"' + created + '"', String.join("\n", more)));
  }

  public static EphemeralRunnerSet ers(String uid) {
    return of(
        EphemeralRunnerSet.class,
        """
        metadata:
          name: linux
          namespace: ns
          uid: %s
          creationTimestamp: "2026-11-21T10:00:00Z"
          ownerReferences:
          - {apiVersion: runnerset.dev/v1alpha1, kind: AutoScalingRunnerSet, name: linux,
            uid: uid-set, controller: true}
        spec: {replicas: 1, revision: 709f33bb0a}
        """
            .formatted(uid));
  }

  public static AutoScalingRunnerSet set(String uid) {
    return of(
        AutoScalingRunnerSet.class, "metadata: {name: linux, namespace: ns, uid: " + uid + "}");
  }

  public static <T extends HasMetadata> T of(Class<T> kind, String yaml) {
    return Serialization.unmarshal(
        "apiVersion: %s\nkind: %s\n%s"
            .formatted(HasMetadata.getApiVersion(kind), HasMetadata.getKind(kind), yaml),
        kind);
  }
}
