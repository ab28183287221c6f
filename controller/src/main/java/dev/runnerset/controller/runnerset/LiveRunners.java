package dev.runnerset.controller.runnerset;

import dev.runnerset.crd.AutoScalingRunnerSet;
import dev.runnerset.crd.EphemeralRunner;
import dev.runnerset.crd.Labels;
import io.fabric8.kubernetes.client.KubernetesClient;

/** The runners of a set as the server has them: at its end no cache is good enough. */
final class LiveRunners {
  private final KubernetesClient client;

  LiveRunners(KubernetesClient client) {
    this.client = client;
  }

  /** How many there are. */
  record Count(int unfinished, int all) {}

  /** Blocks for one request. */
  Count of(AutoScalingRunnerSet set) {
    var runners =
        client
            .resources(EphemeralRunner.class)
            .inNamespace(set.getMetadata().getNamespace())
            .withLabel(Labels.SET, set.getMetadata().getName())
            .list()
            .getItems();
    var unfinished = runners.stream().filter(LiveRunners::isUnfinished).count();
    return new Count((int) unfinished, runners.size());
  }

  private static boolean isUnfinished(EphemeralRunner runner) {
    return runner.getStatus() == null || !runner.getStatus().isTerminal();
  }
}
