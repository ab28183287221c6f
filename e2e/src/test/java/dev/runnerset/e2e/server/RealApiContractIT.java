package dev.runnerset.e2e.server;

import dev.runnerset.e2e.RealServer;
import dev.runnerset.testsupport.apiserver.ApiServerContract;
import dev.runnerset.testsupport.apiserver.Target;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The real server keeps the contract that the in-process one is held to in its own module. */
final class RealApiContractIT {
  private static HttpClient http;
  private static Target target;

  @BeforeAll
  static void start() {
    var admin = RealServer.adminIn("contract");
    http = RealServer.http(admin);
    target =
        new Target(URI.create(admin.getConfiguration().getMasterUrl()), http, null, "contract");
  }

  @AfterAll
  static void stop() {
    if (http != null) {
      http.close();
    }
  }

  @TestFactory
  Stream<DynamicTest> contract() {
    return ApiServerContract.cases().stream()
        .map(c -> DynamicTest.dynamicTest(c.name(), () -> c.check(target)));
  }
}
