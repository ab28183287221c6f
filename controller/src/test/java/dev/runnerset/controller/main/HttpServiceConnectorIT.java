package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.ConfigUrl;
import dev.runnerset.actions.Credentials;
import dev.runnerset.controller.connection.ConnectionSettings;
import dev.runnerset.simulator.service.ActionsServiceServer;
import dev.runnerset.simulator.service.Options;
import java.time.Clock;
import org.junit.jupiter.api.Test;

/** The same credential in a hundred namespaces is one client of the service. */
class HttpServiceConnectorIT {
  @Test
  void equalCredentialsOfManyNamespacesShareTheirRegistration() {
    try (var service = ActionsServiceServer.start(Options.accepting("pat"), Clock.systemUTC())) {
      var connector = new HttpServiceConnector("test", 32, () -> true, Clock.systemUTC());
      for (int namespace = 0; namespace < 100; namespace++) {
        var settings =
            new ConnectionSettings(
                ConfigUrl.parse(service.configUrl("acme").toString()),
                new Credentials.Token("pat"),
                null,
                "");
        assertThat(connector.connect(settings).runnerNamed("none")).isEmpty();
      }
      assertThat(service.control().counters())
          .containsEntry("runnerRegistration", 1L)
          .containsEntry("findRunner", 100L);
    }
  }
}
