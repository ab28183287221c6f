package dev.runnerset.e2e.chaos;

import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What there is of sets, in the cluster and at their services, beside what was there before. */
final class ChaosLeftovers {
  private static final List<Class<? extends HasMetadata>> KINDS =
      List.of(
          AutoScalingRunnerSet.class,
          AutoScalingListener.class,
          EphemeralRunnerSet.class,
          EphemeralRunner.class,
          Pod.class,
          Secret.class,
          Role.class,
          RoleBinding.class,
          PodDisruptionBudget.class);

  private final KubernetesClient kube;
  private final Set<String> namespaces;
  private final Set<String> before;

  /** Remembers what there is in these namespaces now. */
  ChaosLeftovers(KubernetesClient kube, Set<String> namespaces) {
    this.kube = kube;
    this.namespaces = Set.copyOf(namespaces);
    before = inCluster();
  }

  /** What was not there before; the secrets and the controller's binding of a new set are. */
  List<String> of(Collection<ChaosSet> sets) {
    var found = new ArrayList<String>();
    for (var name : inCluster()) {
      if (!before.contains(name)) {
        found.add(name);
      }
    }
    for (var set : sets) {
      set.service().runners().forEach(r -> found.add("registration of " + r.name()));
      set.service().scaleSets().forEach(s -> found.add("scale set " + s.name()));
    }
    return List.copyOf(found);
  }

  private Set<String> inCluster() {
    var names = new TreeSet<String>();
    for (var namespace : namespaces) {
      for (var kind : KINDS) {
        for (var object : kube.resources(kind).inNamespace(namespace).list().getItems()) {
          names.add(kind.getSimpleName() + " " + namespace + "/" + object.getMetadata().getName());
        }
      }
    }
    return names;
  }
}
