package dev.runnerset.simulator.kube;

import dev.runnerset.testsupport.apiserver.ApiServerContract;
import dev.runnerset.testsupport.apiserver.Target;
import java.net.http.HttpClient;
import java.time.Clock;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The in-process server keeps the contract; the real one is held to it in the module e2e. */
final class ApiServerContractIT {
  private static KubeApiServer server;
  private static HttpClient client;

  @BeforeAll
  static void start() {
    server = KubeApiServer.start(0, Clock.systemUTC());
    server.apply("{apiVersion: v1, kind: Namespace, metadata: {name: contract}}");
    client = HttpClient.newHttpClient();
  }

  @AfterAll
  static void stop() {
    server.close();
    client.shutdownNow();
  }

  @TestFactory
  Stream<DynamicTest> contract() {
    Target target = new Target(server.url(), client, null, "contract");
    return ApiServerContract.cases().stream()
        .map(c -> DynamicTest.dynamicTest(c.name(), () -> c.check(target)));
  }
}
