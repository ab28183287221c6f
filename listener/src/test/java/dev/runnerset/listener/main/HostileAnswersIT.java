package dev.runnerset.listener.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.simulator.service.ActionsServiceServer;
import dev.runnerset.simulator.service.FaultPlan;
import dev.runnerset.simulator.service.HttpFault;
import dev.runnerset.simulator.service.HttpFault.Body;
import dev.runnerset.simulator.service.Options;
import io.fabric8.kubernetes.api.model.Condition;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A1: the servers of one tenant do not end the process that listens for all. */
final class HostileAnswersIT {
  private static final int HOSTILE = 50;
  private static final int JOBS = 10;

  /** Less than the limit of the chart leaves for the heap (51 MB). */
  private static final String HEAP = "48m";

  @TempDir Path folder;

  @Test
  void fiftySetsWithHostileServersLeaveTheJobsOfAnotherSetAlone() throws Exception {
    try (var servers = new Servers();
        var hostile = ActionsServiceServer.start(Options.accepting(Servers.TOKEN), Servers.CLOCK);
        var asController = Servers.asController(hostile)) {
      for (int i = 0; i < HOSTILE; i++) {
        var name = "hostile-" + i;
        Servers.makeSet(servers.kube, servers.client, hostile, asController, name, "");
      }
      servers.listen(JOBS);
      hostile.control().faults(faults());
      var process = ListenerProcess.start(folder, servers.kube, HEAP);
      try {
        await()
            .atMost(Duration.ofSeconds(60))
            .until(() ->
                !process.isAlive() || (servers.isConnected() && malformed(servers) == HOSTILE));
        assertThat(process.isAlive()).as("the process goes on: %s", log()).isTrue();
        var longest = Duration.ZERO;
        for (int job = 1; job <= JOBS; job++) {
          int wanted = job;
          var at = Instant.now(Servers.CLOCK);
          servers.submit(1, Duration.ofMinutes(1));
          await().atMost(Duration.ofSeconds(20)).until(() -> servers.assigned() == wanted);
          var waited = Duration.between(at, Instant.now(Servers.CLOCK));
          longest = waited.compareTo(longest) > 0 ? waited : longest;
        }
        System.out.printf(
            "figure: longest wait of a job beside %d hostile sets, ms: %d; polls answered: %d%n",
            HOSTILE, longest.toMillis(), hostile.control().counters().get("getMessage.fault"));
        assertThat(process.isAlive()).as("the process goes on").isTrue();
        assertThat(longest).isLessThan(Duration.ofSeconds(10)); // of a slow machine
      } finally {
        process.destroy();
        process.waitFor();
      }
      assertThat(log()).doesNotContain("OutOfMemory");
    }
  }

  private String log() throws IOException {
    return Files.readString(folder.resolve("log"), StandardCharsets.UTF_8);
  }

  /** Some beyond the bound, some within it, some packed: each poll meets another one. */
  private static FaultPlan faults() {
    return FaultPlan.NONE.withHttp(
        HttpFault.hostile("getMessage", Body.BOMB, 64 << 20).withShare(1 / 10.0),
        HttpFault.hostile("getMessage", Body.FLOOD, 500_000).withShare(1 / 5.0),
        HttpFault.hostile("getMessage", Body.DEEP, 500_000).withShare(1 / 5.0),
        HttpFault.hostile("getMessage", Body.LONG_TEXT, 500_000).withShare(1 / 5.0),
        HttpFault.hostile("getMessage", Body.LONG_NUMBER, 500_000).withShare(1 / 5.0),
        HttpFault.hostile("getMessage", Body.FLOOD, 4 << 20));
  }

  /** The sets that say, or said, what answers them. */
  private long malformed(Servers servers) throws IOException {
    var log = log();
    return servers
        .client
        .resources(AutoScalingListener.class)
        .inNamespace("trusted")
        .list()
        .getItems()
        .stream()
        .filter(l ->
            l.statusOrNone().conditions().stream()
                    .map(Condition::getReason)
                    .anyMatch("MalformedAnswer"::equals)
                || log.contains(
                    "listener=\"%s\" reason=\"MalformedAnswer\""
                        .formatted(l.getMetadata().getName())))
        .count();
  }
}
