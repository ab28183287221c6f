package dev.runnerset.listener.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The whole listener over HTTP, against the simulated servers. */
final class ListenerOverHttpTest {
  private static final Duration SOON = Duration.ofSeconds(10);
  private Servers servers;

  @BeforeEach
  void start() {
    servers = new Servers();
  }

  @AfterEach
  void stop() {
    servers.close();
  }

  @Test
  void demandAndMarksArriveAndTheSessionIsInTheStatus() {
    servers.listen(10);
    servers.listener("a");
    await().atMost(SOON).until(servers::isConnected);
    assertThat(servers.listenerStatus().holder()).isEqualTo("a");
    assertThat(servers.listenerStatus().sessionId())
        .isEqualTo(servers.service.control().scaleSets().getFirst().sessionId());
    assertThat(servers.listenerStatus().epoch()).isEqualTo(1);

    servers.submit(2, Duration.ofSeconds(1));
    await().atMost(SOON).until(() -> servers.assigned() == 2);
    servers.runner("linux-aaaa");
    servers.runner("linux-bbbb");
    await().atMost(SOON).until(() -> servers.runnerStatus("linux-aaaa").isBusy());
    await().atMost(SOON).until(() -> servers.runnerStatus("linux-bbbb").jobResult() != null);
    await().atMost(SOON).until(() -> servers.runnerStatus("linux-aaaa").jobResult() != null);
    await().atMost(SOON).until(() -> servers.assigned() == 0);
    var status = servers.runnerStatus("linux-aaaa");
    assertThat(status.jobResult()).isEqualTo("succeeded");
    assertThat(status.job()).isNotNull();
    assertThat(status.job().completedIn()).isLessThanOrEqualTo(servers.demand().messageId());
    assertThat(status.job().displayName()).isEqualTo("build");
    assertThat(status.runnerId()).as("another writer's field").isPositive();
    assertThat(servers.service.control().violations()).isEmpty();
  }
}
