package dev.runnerset.simulator.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.simulator.service.ActionsServiceServer;
import dev.runnerset.simulator.service.JobRequest;
import dev.runnerset.simulator.service.Options;
import dev.runnerset.simulator.service.ServiceClient;
import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The service carries a thousand runners at once: every job ends, each on a runner of its own. */
final class ThousandRunnersIT {
  private static final int RUNNERS = 1_000;

  @Test
  void aThousandJobsEndOnAThousandRunners() throws Exception {
    try (var service =
            ActionsServiceServer.start(Options.accepting(ServiceClient.TOKEN), Clock.systemUTC());
        var threads = Executors.newVirtualThreadPerTaskExecutor();
        var http =
            HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .executor(threads)
                .build()) {
      var client = new ServiceClient(service);
      client.login();
      int set = client.createSet("linux");
      var session = client.session(set);
      service.control().submit(JobRequest.of(RUNNERS, "linux", Duration.ofSeconds(1)));
      assertThat(client.send(client.poll(session, 0, RUNNERS)).status()).isEqualTo(200);
      var runs = new ArrayList<Future<Integer>>();
      for (int i = 0; i < RUNNERS; i++) {
        var blob = client.jit(set, "r" + i).get("encodedJITConfig").asText();
        var protocol =
            new RunnerProtocol(http, JitConfig.decode(blob), "2.338.1", Clock.systemUTC());
        var runner = new SimulatedRunner(protocol, Optional.empty(), "r" + i, Clock.systemUTC());
        runs.add(threads.submit(runner::run));
      }
      for (var run : runs) {
        assertThat(run.get(60, TimeUnit.SECONDS)).isZero();
      }
      assertThat(service.control().jobs())
          .allMatch(job -> job.result().equals("succeeded"))
          .extracting(job -> job.runnerName())
          .doesNotHaveDuplicates();
      assertThat(service.control().violations()).isEmpty();
      assertThat(service.control().runners()).isEmpty();
    }
  }
}
