package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.config.EmbeddedStatus;
import dev.runnerset.controller.hooks.RunnersReports;
import dev.runnerset.crds.Crds;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Resource;
import dev.runnerset.simulator.cluster.SimulatedCluster;
import dev.runnerset.simulator.kube.KubeApiServer;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;
import java.util.Objects;

/**
 * Runners go through their life in virtual time, and the status of their set is written to an API
 * server as the reconciler writes it; the server says how often, and how large the object is.
 */
final class ReferencesCost implements AutoCloseable {
  private static final String PATH =
      "/apis/runnerset.dev/v1alpha1/namespaces/default/ephemeralrunnersets/linux";
  private static final Resource SET = Resource.of(EphemeralRunnerSet.class, "default", "linux");

  /** What the life of all runners came to. */
  record Cost(int changes, long parentWrites, int largestBytes, long storedBytes) {}

  private final SimulatedCluster cluster = SimulatedCluster.start(Crds.yaml());
  private final KubeApiServer server = cluster.api();
  private final KubernetesClient client = cluster.client();
  private final KubeApi kube = new KubeApi(client, () -> 0);

  ReferencesCost() {}

  /**
   * Measures.
   *
   * @param quietChanges so many more changes of each runner's status while its job runs, none of
   *     which moves it from one count to another
   */
  Cost of(EmbeddedStatus embedded, int runners, int quietChanges) {
    client.resources(EphemeralRunnerSet.class).inNamespace("default").withName("linux").delete();
    server.apply(
        """
        apiVersion: runnerset.dev/v1alpha1
        kind: EphemeralRunnerSet
        metadata: {name: linux, namespace: default}
        spec:
          {replicas: %d, revision: 709f33bb0a, githubConfigUrl: "https://github.com/my-org",
           githubConfigSecret: {name: github}, runnerScaleSetId: 1,
           template: {spec: {containers: [{name: runner, image: "runner:1"}]}}}
        """
            .formatted(runners));
    long before = writes();
    var life = new RunnerLives(runners, quietChanges, read().getMetadata().getUid());
    return run(
        new StatusStep(
            kube,
            PlannerRows.features(embedded, kube::patchesTake),
            new RunnersReports(),
            key -> {}),
        life,
        before);
  }

  private Cost run(StatusStep step, RunnerLives lives, long writesBefore) {
    var memory = Gathering.memory();
    var gathering = Gathering.withoutExits();
    var set = read();
    int largest = 0;
    long stored = 0;
    for (var at = lives.next(); at.isPresent(); at = lives.next()) {
      var now = at.get();
      var unwritten = memory.slots().get(StatusStep.UNWRITTEN);
      if (unwritten.waits(now)) {
        lives.lookAt(unwritten.comparedAt()); // as the step itself would answer
        continue;
      }
      long writes = writes();
      var moment = Gathering.observe(gathering, set, lives.runners(), memory, now);
      step.write(
          PlannerRows.decided(moment),
          memory,
          new WriteCache() {
            @Override
            public void created(HasMetadata made) {}

            @Override
            public void changed(HasMetadata before, HasMetadata after) {}
          });
      moment.now().next().toOptional().ifPresent(lives::lookAt);
      if (writes() > writes) {
        set = read();
        int size = client.raw(PATH).length();
        largest = Math.max(largest, size);
        stored += size;
      }
    }
    return new Cost(lives.changes(), writes() - writesBefore, largest, stored);
  }

  private EphemeralRunnerSet read() {
    return Objects.requireNonNull(kube.get(EphemeralRunnerSet.class, SET));
  }

  private long writes() {
    return server.counters().snapshot().entrySet().stream()
        .filter(e -> e.getKey().isWrite())
        .filter(e -> e.getKey().resource().startsWith("ephemeralrunnersets"))
        .filter(e -> e.getKey().subresource().equals("status"))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  @Override
  public void close() {
    cluster.close();
  }
}
