package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.runnerset.simulator.service.JobRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Many hosts of one namespace that accept and never answer: docs/adr/0045. */
class HangingHostsIT {
  /** Less than one call may take, so that no end of a call can have helped. */
  private static final Duration SOON = Duration.ofSeconds(18);

  private final ControllerWorld world = new ControllerWorld();
  private final List<ServerSocket> hosts = new ArrayList<>();

  @AfterEach
  void stop() throws IOException {
    world.close();
    for (var host : hosts) {
      host.close();
    }
  }

  @Test
  void aJobOfAnotherNamespaceIsDoneAtOnceBeside300SetsWhoseHostsNeverAnswer() throws IOException {
    aJobIsDoneBeside(300);
  }

  @Test
  @Tag("nightly")
  void aJobOfAnotherNamespaceIsDoneAtOnceBeside1000SetsWhoseHostsNeverAnswer() throws IOException {
    aJobIsDoneBeside(1000);
  }

  private void aJobIsDoneBeside(int sets) throws IOException {
    world.secret("github", "github_token: " + ControllerWorld.TOKEN);
    world.startController();
    world.startNode();
    world.create("well");
    await("the set").atMost(Duration.ofMinutes(1)).until(() -> world.listener("well").isPresent());
    for (int i = 0; i < sets; i++) {
      createAtAHostThatNeverAnswers(i);
    }
    await("each set to tell whom it asks")
        .atMost(Duration.ofMinutes(4))
        .pollInterval(Duration.ofSeconds(2))
        .until(() ->
            world.sets("many").stream()
                .allMatch(set -> !set.statusOrNone().conditions().isEmpty()));
    world.service.control().submit(JobRequest.of(1, "well", Duration.ofMillis(10)));
    world.hearNothing("well", 5); // but the service gives it the job
    var begin = System.nanoTime();
    world.demand("well", 1, 1);
    await("the job")
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> world.service.control().jobCounts().completed() == 1);
    var wait = Duration.ofNanos(System.nanoTime() - begin);
    LoggerFactory.getLogger(HangingHostsIT.class).info("{} sets, the job's wait: {}", sets, wait);
    assertThat(wait).isLessThan(SOON);
  }

  /** Its connections are made by the system, and nobody takes them. */
  private void createAtAHostThatNeverAnswers(int number) throws IOException {
    var host = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    hosts.add(host);
    if (number == 0) {
      world.createNamespace("many");
      world.secretIn("many", "github", "github_token: " + ControllerWorld.TOKEN);
    }
    world.setYaml(
        """
        apiVersion: runnerset.dev/v1alpha1
        kind: AutoScalingRunnerSet
        metadata: {name: hangs-%d, namespace: many}
        spec:
          githubConfigUrl: http://127.0.0.1:%d/my-org
          githubConfigSecret: {name: github}
          maxRunners: 5
          template: {spec: {containers: [{name: runner, image: runner:1}]}}
        """
            .formatted(number, host.getLocalPort()));
  }
}
