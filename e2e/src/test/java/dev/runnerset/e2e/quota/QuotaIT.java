package dev.runnerset.e2e.quota;

import dev.runnerset.crds.Crds;
import dev.runnerset.simulator.kube.KubeApiServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Clock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The in-process API server counts as the real one does, by the same trial (39.3). */
final class QuotaIT {
  private static KubeApiServer server;
  private static KubernetesClient client;
  private static QuotaTrial trial;

  @BeforeAll
  static void start() {
    server = KubeApiServer.start(0, Clock.systemUTC());
    server.apply(Crds.yaml());
    client =
        new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(server.kubeconfig()))
            .build();
    trial = new QuotaTrial(client, new RandomPods.Extras(false, false));
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  @Test
  void quotasCountOfRandomPodsWhatWeSay() {
    trial.chargesAreAsTheServersOwn(200, 8);
  }

  @Test
  void asManyRunnersFitAsWeSay() {
    trial.asManyFitAsWereSaid(40);
  }
}
