package dev.runnerset.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.ConfigUrl;
import dev.runnerset.actions.Credentials;
import dev.runnerset.actions.http.AllowedHosts;
import dev.runnerset.actions.http.CallLimits;
import dev.runnerset.actions.http.RetryRules;
import dev.runnerset.actions.http.UserAgent;
import dev.runnerset.simulator.service.ActionsServiceServer;
import dev.runnerset.simulator.service.Options;
import java.time.Clock;
import org.junit.jupiter.api.Test;

/** The same credential in a hundred namespaces is one client of the service. */
class HttpServiceConnectorIT {
  @Test
  void equalCredentialsOfManyNamespacesShareTheirRegistration() {
    try (var service = ActionsServiceServer.start(Options.accepting("pat"), Clock.systemUTC())) {
      var connector =
          new HttpServiceConnector(
              UserAgent.of("test", "test"),
              settings ->
                  settings
                      .withAllowedHosts(AllowedHosts.of("127.0.0.1"))
                      .withRetry(RetryRules.ONCE)
                      .withLimits(CallLimits.atMost(4)),
              Clock.systemUTC());
      for (int namespace = 0; namespace < 100; namespace++) {
        var settings =
            ConnectionSettings.direct(
                ConfigUrl.parse(service.configUrl("acme").toString()),
                new Credentials.Token("pat"));
        assertThat(connector.connect(settings).runnerNamed("none")).isEmpty();
      }
      assertThat(service.control().counters())
          .containsEntry("runnerRegistration", 1L)
          .containsEntry("findRunner", 100L);
    }
  }
}
