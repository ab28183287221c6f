package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.runnerset.simulator.service.ActionsServiceServer;
import dev.runnerset.simulator.service.FaultPlan;
import dev.runnerset.simulator.service.HttpFault;
import dev.runnerset.simulator.service.JobRequest;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Many services of one namespace that never answer, and a set of another one whose jobs do not wait
 * for that: docs/adr/0045, docs/adr/0110.
 */
class HangingHostsIT {
  /** What is promised; on a busy machine twice what a job waits without the others. */
  private static final Duration MOST = Duration.ofSeconds(2);

  private static final int JOBS = 5;

  private final ControllerWorld world = new ControllerWorld();
  private final List<Closeable> hosts = new ArrayList<>();

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
    try (var _ = listen()) {
      var alone = typicalWait();
      for (int i = 0; i < sets; i++) {
        create(i, "http://127.0.0.1:" + hostThatNeverAnswers() + "/my-org");
      }
      await("each set to tell whom it asks")
          .atMost(Duration.ofMinutes(4))
          .pollInterval(Duration.ofSeconds(2))
          .until(() ->
              world.sets("many").stream()
                  .allMatch(set -> set.statusOrNone().conditions().size() > 1));
      assertSoon(sets + " sets at hosts that never answer", alone);
    }
  }

  /** They answer until the sets are registered; then each has a runner that waits for its call. */
  @Test
  void aJobIsDoneAtOnceBesideSetsThatAreRegisteredAndWhoseServicesThenHang() {
    int sets = 60;
    try (var _ = listen()) {
      var alone = typicalWait();
      var services = new ArrayList<ActionsServiceServer>();
      for (int i = 0; i < sets; i++) {
        var service = world.anotherService();
        service.control().faults(FaultPlan.NONE.withHttp(HttpFault.hang("generatejitconfig")));
        services.add(service);
        create(i, service.configUrl("my-org").toString());
      }
      await("each service to be asked for a runner")
          .atMost(Duration.ofMinutes(4))
          .pollInterval(Duration.ofSeconds(1))
          .until(() ->
              services.stream().allMatch(service -> !service.control().scaleSets().isEmpty()));
      var hang = FaultPlan.NONE.withHttp(HttpFault.hang("*"));
      services.forEach(service -> service.control().faults(hang));
      assertSoon(sets + " sets whose services hang", alone);
    }
  }

  /** The healthy set and its listener. */
  private PlayedListener listen() {
    world.secret("github", "github_token: " + ControllerWorld.TOKEN);
    world.createNamespace("many");
    world.secretIn("many", "github", "github_token: " + ControllerWorld.TOKEN);
    world.startController();
    world.startNode();
    world.create("well");
    return new PlayedListener(world, "well");
  }

  private void assertSoon(String beside, Duration alone) {
    var wait = typicalWait();
    System.out.printf("%s: a job waits %s; without them %s%n", beside, wait, alone);
    var twice = alone.multipliedBy(2);
    assertThat(wait).isLessThan(twice.compareTo(MOST) > 0 ? twice : MOST);
  }

  /** The median of some jobs, one after the other, each with a runner that is made for it. */
  private Duration typicalWait() {
    var waits = new ArrayList<Duration>();
    var control = world.control;
    for (int i = 0; i < JOBS; i++) {
      int before = control.jobCounts().completed();
      var begin = System.nanoTime();
      control.submit(JobRequest.of(1, "well", Duration.ofMillis(10)));
      await("the job")
          .atMost(Duration.ofMinutes(2))
          .pollInterval(Duration.ofMillis(20))
          .until(() -> control.jobCounts().completed() > before);
      waits.add(Duration.ofNanos(System.nanoTime() - begin));
    }
    return waits.stream().sorted().toList().get(JOBS / 2);
  }

  /** Its connections are made by the system, and nobody takes them. */
  private int hostThatNeverAnswers() throws IOException {
    var host = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    hosts.add(host);
    return host.getLocalPort();
  }

  private void create(int number, String url) {
    world.setYaml(
        """
        apiVersion: runnerset.dev/v1alpha1
        kind: AutoScalingRunnerSet
        metadata: {name: hangs-%d, namespace: many}
        spec:
          githubConfigUrl: %s
          githubConfigSecret: {name: github}
          minRunners: 1
          maxRunners: 5
          template: {spec: {containers: [{name: runner, image: runner:1}]}}
        """
            .formatted(number, url));
  }
}
