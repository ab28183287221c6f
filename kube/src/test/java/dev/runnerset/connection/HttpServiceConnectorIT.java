package dev.runnerset.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.ConfigUrl;
import dev.runnerset.actions.Credentials;
import dev.runnerset.actions.http.AllowedHosts;
import dev.runnerset.actions.http.CallLimits;
import dev.runnerset.actions.http.RetryRules;
import dev.runnerset.actions.http.UserAgent;
import dev.runnerset.simulator.service.ActionsServiceServer;
import dev.runnerset.simulator.service.Options;
import java.time.Clock;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The clients of the service that sets share and exchange. */
class HttpServiceConnectorIT {
  private final ActionsServiceServer service =
      ActionsServiceServer.start(Options.accepting("pat"), Clock.systemUTC());
  private final ServiceConnector connector =
      HttpServiceConnector.of(
          UserAgent.of("test", "test"),
          settings ->
              settings
                  .withAllowedHosts(AllowedHosts.of("127.0.0.1"))
                  .withRetry(RetryRules.ONCE)
                  .withLimits(CallLimits.atMost(4)),
          Clock.systemUTC());

  @AfterEach
  void stop() {
    service.close();
  }

  private ActionsService connect() {
    return connector.connect(
        ConnectionSettings.direct(
            ConfigUrl.parse(service.configUrl("acme").toString()), new Credentials.Token("pat")));
  }

  /** The same credential in a hundred namespaces is one client of the service. */
  @Test
  void equalCredentialsOfManyNamespacesShareTheirRegistration() {
    for (int namespace = 0; namespace < 100; namespace++) {
      assertThat(connect().runnerNamed("none")).isEmpty();
    }
    assertThat(service.control().counters())
        .containsEntry("runnerRegistration", 1L)
        .containsEntry("findRunner", 100L);
  }

  /** So a connection can be closed as soon as another one is in its place. */
  @Test
  void callsUnderWayEndWhenTheirConnectionIsClosed() throws Exception {
    var connection = connect();
    assertThat(connection.runnerNamed("none")).isEmpty();
    try (var threads = Executors.newFixedThreadPool(4)) {
      var calls =
          IntStream.range(0, 200)
              .mapToObj(i -> threads.submit(() -> connection.runnerNamed("none")))
              .toList();
      calls.getFirst().get();
      connection.close();
      for (var call : calls) {
        assertThat(call.get()).isEmpty();
      }
    }
  }
}
