package dev.runnerset.controller.autoscalingrunnerset.children;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runnerset.controller.autoscalingrunnerset.planning.SpecCheck;
import dev.runnerset.controller.ownership.Ownership;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSpec;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.crds.condition.StatusConditions.Value;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.NamespaceTermination;
import dev.runnerset.kube.Preconditions;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the runners of a runner set from the API server: for its deletion no cache will do. */
public record LiveRunners(KubeApi kube) {

  /**
   * Numbers of runners.
   *
   * @param unfinished those that are not in a terminal phase
   * @param busy those of them that have a job
   * @param held why some cannot go yet, to be put behind another sentence; empty if none says so
   */
  public record Count(int unfinished, int busy, int all, String held) {}

  /** Counts the runners; blocks for one request. */
  public Count of(AutoScalingRunnerSet set, @Nullable EphemeralRunnerSet ers) {
    var runners = list(set, ers);
    var unfinished =
        runners.stream().filter(runner -> !runner.statusOrNone().isTerminal()).toList();
    var busy = unfinished.stream().filter(runner -> runner.statusOrNone().isBusy()).count();
    return new Count(unfinished.size(), (int) busy, runners.size(), held(runners));
  }

  private static String held(List<EphemeralRunner> runners) {
    var whyByName = new TreeMap<String, String>();
    for (var runner : runners) {
      StatusConditions.find(
              runner.statusOrNone().conditions(), ConditionType.REMOVABLE, Value.FALSE)
          .ifPresent(
              c -> whyByName.put(runner.getMetadata().getName(), StatusConditions.message(c)));
    }
    return whyByName.isEmpty()
        ? ""
        : "; %d cannot go yet, as %s: %s"
            .formatted(whyByName.size(), whyByName.firstKey(), whyByName.firstEntry().getValue());
  }

  /**
   * Deletes these runners. Their finalizer asks the service first and waits for runners with a job
   * that nobody forces. Blocks for one request, and for one per runner.
   */
  public void delete(
      AutoScalingRunnerSet set,
      @Nullable EphemeralRunnerSet ers,
      Predicate<EphemeralRunner> which) {
    for (var runner : list(set, ers)) {
      if (which.test(runner) && !runner.isMarkedForDeletion()) {
        kube.delete(Resource.of(runner), Preconditions.uid(runner));
      }
    }
  }

  /**
   * Deletes the runner, and lets its finalizer go without the service's consent. The annotation is
   * set after the deletion, so that a crash in between forces nothing. Blocks for two requests.
   */
  public void force(EphemeralRunner runner) {
    kube.delete(Resource.of(runner), Preconditions.uid(runner));
    var body = JsonNodeFactory.instance.objectNode();
    body.putObject("metadata")
        .put("uid", runner.getMetadata().getUid())
        .putObject("annotations")
        .put(Labels.FORCE_DELETE, "true");
    var _ = kube.mergeIfThere(EphemeralRunner.class, Resource.of(runner), body);
  }

  /**
   * Whether the set's namespace is being deleted: then nobody can make a secret there any more. No
   * permission to read namespaces is needed. Blocks for one request, which stores nothing.
   */
  public boolean isNamespaceTerminating(AutoScalingRunnerSet set) {
    var probe = new EphemeralRunner();
    probe.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace(set.getMetadata().getNamespace())
            .withName(set.getMetadata().getName() + "-probe")
            .build());
    var spec = set.getSpec();
    probe.setSpec(
        EphemeralRunnerSpec.builder(spec.githubConfigUrl(), spec.githubConfigSecret(), 1).build());
    try {
      var _ = kube.dryRunCreate(probe);
      return false;
    } catch (KubernetesClientException e) {
      return NamespaceTermination.isCauseOf(e);
    }
  }

  /**
   * All pods of the set's namespace by name, since somebody may have removed a label. Blocks for
   * one request.
   */
  public Map<String, Pod> podByName(AutoScalingRunnerSet set) {
    return kube.list(Pod.class, set.getMetadata().getNamespace(), Map.of()).stream()
        .collect(Collectors.toMap(pod -> pod.getMetadata().getName(), pod -> pod));
  }

  /**
   * The runners of the set; blocks for one request. A set of an older version may have a name that
   * is no value of a label: then all of its namespace are listed.
   */
  public List<EphemeralRunner> list(AutoScalingRunnerSet set, @Nullable EphemeralRunnerSet ers) {
    var meta = set.getMetadata();
    var labels =
        SpecCheck.name(set).isEmpty()
            ? Map.of(Labels.SET, meta.getName())
            : Map.<String, String>of();
    return kube.list(EphemeralRunner.class, meta.getNamespace(), labels).stream()
        .filter(runner -> Ownership.isOf(runner, set, ers))
        .toList();
  }
}
