package dev.runnerset.listener.main;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.ConfigUrl;
import dev.runnerset.actions.Credentials;
import dev.runnerset.listener.session.ServiceAccess;
import dev.runnerset.simulator.service.ActionsServiceServer;
import dev.runnerset.simulator.service.Options;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A thousand sessions of one credential are one client of the service, not a thousand. */
class HttpConnectorIT {
  @Test
  void theSessionsOfOneCredentialShareTheirRegistration() {
    try (var service = ActionsServiceServer.start(Options.accepting("pat"), Clock.systemUTC())) {
      var connector = new HttpConnector(Duration.ofSeconds(50), () -> true, Clock.systemUTC());
      for (int i = 0; i < 50; i++) {
        var url = ConfigUrl.parse(service.configUrl("acme").toString());
        var access =
            new ServiceAccess(url, new Credentials.Token("pat"), null, null, List.of(), null);
        assertThat(connector.connect(access).runnerNamed("none")).isEmpty();
      }
      assertThat(service.control().counters())
          .containsEntry("runnerRegistration", 1L)
          .containsEntry("registrationToken", 1L)
          .containsEntry("findRunner", 50L);
    }
  }
}
