package dev.runnerset.e2e.quota;

import dev.runnerset.e2e.RealServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Our evaluator of quotas and the real server agree, on costs and on room (39.3). */
final class RealQuotaIT {
  private static QuotaTrial trial;

  @BeforeAll
  static void start() {
    var client = RealServer.adminIn("quota");
    client
        .resource(
            "{\"apiVersion\": \"node.k8s.io/v1\", \"kind\": \"RuntimeClass\", \"handler\": \"a\","
                + " \"metadata\": {\"name\": \"%s\"},".formatted(RandomPods.RUNTIME)
                + " \"overhead\": {\"podFixed\": {\"cpu\": \"250m\", \"memory\": \"64Mi\"}}}")
        .create();
    trial = new QuotaTrial(client, new RandomPods.Extras(true, true));
  }

  @Test
  void quotasCountOfTwoHundredRandomPodsWhatWeSay() {
    trial.chargesAreAsTheServersOwn(200, 8);
  }

  @Test
  void asManyRunnersFitAsWeSay() {
    trial.asManyFitAsWereSaid(40);
  }
}
