package dev.runnerset.e2e.deletion;

import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.Labels;
import dev.runnerset.demo.figures.Measure;
import dev.runnerset.e2e.SeparateSet;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What the deletion of a set left, in the cluster and at its service. */
final class Remains {
  private Remains() {}

  /** Jobs that did not end by themselves, as the service and the node count them. */
  static long killed(SeparateSet set) {
    var podByName = Measure.podByName(set.world());
    return set.service().control().jobs().stream()
        .filter(job ->
            job.lost()
                || !job.result().equals("succeeded")
                || Measure.isKilled(job, podByName.get(job.runnerName())))
        .count();
  }

  /** What the programs did that the service forbids. */
  static List<String> violations(SeparateSet set) {
    return set.service().control().violations().stream().map(Object::toString).toList();
  }

  /**
   * Every object, registration and scale set of the set that is still there.
   *
   * @param users whether what its user made counts, too: role bindings and the secret
   */
  static List<String> objects(SeparateSet set, boolean users) {
    var left = new ArrayList<String>();
    var control = set.service().control();
    control.runners().forEach(r -> left.add("registration " + r.name()));
    control.scaleSets().forEach(s -> left.add("scale set " + s.name()));
    var kube = set.world().kube();
    var namespace = set.namespace();
    Stream.of(
            kube.resources(AutoScalingRunnerSet.class).inNamespace(namespace).list().getItems(),
            kube.resources(EphemeralRunnerSet.class).inNamespace(namespace).list().getItems(),
            kube.resources(EphemeralRunner.class).inNamespace(namespace).list().getItems(),
            kube.pods().inNamespace(namespace).list().getItems(),
            kube.secrets().inNamespace(namespace).list().getItems(),
            kube.rbac().roles().inNamespace(namespace).list().getItems(),
            kube.rbac().roleBindings().inNamespace(namespace).list().getItems(),
            kube.policy().v1().podDisruptionBudget().inNamespace(namespace).list().getItems(),
            kube.resources(AutoScalingListener.class)
                .inAnyNamespace()
                .withLabel(Labels.SET_NAMESPACE, namespace)
                .list()
                .getItems())
        .flatMap(List::stream)
        .filter(object -> users || !isUsers(object))
        .forEach(object -> left.add(object.getKind() + " " + object.getMetadata().getName()));
    kube.leases().inAnyNamespace().list().getItems().stream()
        .filter(lease -> lease.toString().contains(set.name()))
        .forEach(lease -> left.add("word in Lease " + lease.getMetadata().getName()));
    return left;
  }

  static boolean hasNamespace(SeparateSet set) {
    return set.world().kube().namespaces().withName(set.namespace()).get() != null;
  }

  /** Whether the user of the set made it; a finalizer of ours would hold it. */
  private static boolean isUsers(HasMetadata object) {
    var labels = object.getMetadata().getLabels();
    boolean ours = labels != null && labels.containsKey(Labels.SET);
    return !ours
        && object.getMetadata().getFinalizers().stream().noneMatch(f -> f.contains("runnerset"));
  }
}
