package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.read.ListAppender;
import dev.runnerset.base.Installation;
import dev.runnerset.crds.Crds;
import dev.runnerset.simulator.cluster.SimulatedCluster;
import dev.runnerset.testcluster.FreePort;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A start that fails is one line that names what to do, and no stack trace. */
@Timeout(60)
final class StartIT {
  @TempDir Path folder;

  /** What the user reads: standard error, and what was logged with a stack trace. */
  private List<String> start(String kubeconfig, String... flags) throws IOException {
    var file = Files.writeString(folder.resolve("kubeconfig"), kubeconfig).toString();
    var all = new ArrayList<>(List.of("--kubeconfig", file));
    all.addAll(List.of(flags));
    if (Stream.of(flags).noneMatch(flag -> flag.startsWith("--health-port"))) {
      all.add("--health-port=0");
    }
    var log = new ListAppender<ILoggingEvent>();
    log.start();
    var root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.addAppender(log);
    var err = new ByteArrayOutputStream();
    var before = System.err;
    System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
    try {
      assertThat(ControllerMain.run(all.toArray(String[]::new))).isEqualTo(1);
    } finally {
      System.setErr(before);
      root.detachAppender(log);
    }
    return Stream.concat(
            err.toString(StandardCharsets.UTF_8).lines(),
            log.list.stream()
                .filter(event -> event.getThrowableProxy() != null)
                .map(ILoggingEvent::toString))
        .toList();
  }

  @Test
  void theKindsAreNotKnown() throws IOException {
    try (var cluster = SimulatedCluster.start()) {
      assertThat(start(cluster.api().kubeconfig()))
          .containsExactly(
              "runnerset controller: the API server does not know"
                  + " autoscalingrunnersets.runnerset.dev: run "
                  + Installation.UPGRADE);
    }
  }

  @Test
  void theNamespaceOfTheLeaseIsMissing() throws IOException {
    try (var cluster = SimulatedCluster.start(Crds.yaml())) {
      assertThat(start(cluster.api().kubeconfig(), "--controller-namespace=nowhere"))
          .containsExactly(
              "runnerset controller: there is no namespace nowhere: run " + Installation.UPGRADE);
    }
  }

  @Test
  void theRolesAreMissing() throws IOException {
    try (var cluster = SimulatedCluster.start(Crds.yaml())) {
      cluster.createNamespace("runnerset-system");
      cluster.api().faults().failNextWrites("leases.coordination.k8s.io", 403, 9);
      assertThat(start(cluster.api().kubeconfig()))
          .singleElement()
          .asString()
          .startsWith("runnerset controller: cannot hold a lease in the namespace runnerset-system")
          .endsWith(": run " + Installation.UPGRADE);
    }
  }

  @Test
  void theServerDoesNotAnswer() throws IOException {
    String kubeconfig;
    try (var cluster = SimulatedCluster.start()) {
      kubeconfig = cluster.api().kubeconfig();
    }
    assertThat(start(kubeconfig))
        .singleElement()
        .asString()
        .startsWith("runnerset controller: cannot list autoscalingrunnersets.runnerset.dev")
        .contains("the API server http")
        .contains("does not answer")
        .contains("--kubeconfig");
  }

  @Test
  void thePortIsTaken() throws IOException {
    try (var cluster = SimulatedCluster.start(Crds.yaml());
        var other = new ServerSocket(0, 1, InetAddress.ofLiteral("::"))) {
      cluster.createNamespace("runnerset-system");
      assertThat(start(cluster.api().kubeconfig(), "--health-port=" + other.getLocalPort()))
          .containsExactly(
              "runnerset controller: cannot serve port "
                  + other.getLocalPort()
                  + " (Address already in use): name another with --health-port, or 0 for none");
    }
  }

  /** The line that says that it is ready, and the probe, agree; a lease that is lost ends it. */
  @Test
  void itIsReadyWhenItsProbeSaysSo() throws IOException {
    try (var cluster = SimulatedCluster.start(Crds.yaml());
        var http = HttpClient.newHttpClient()) {
      cluster.createNamespace("runnerset-system");
      var probe =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + FreePort.find() + "/readyz"));
      var answers = new ArrayList<Integer>();
      var awaited = new HashSet<>(Set.of("the controller is ready", "this process leads"));
      var whenReady =
          new AppenderBase<ILoggingEvent>() {
            @Override
            protected void append(ILoggingEvent event) {
              if (event.getMessage().equals("the controller is ready")) {
                answers.add(answer(http, probe.build()));
              }
              if (awaited.remove(event.getMessage()) && awaited.isEmpty()) {
                cluster.api().faults().failNextWrites("leases.coordination.k8s.io", 403, 99);
              }
            }
          };
      whenReady.start();
      var log = (Logger) LoggerFactory.getLogger(ControllerMain.class.getPackageName());
      log.addAppender(whenReady);
      log.setLevel(Level.INFO);
      List<String> said;
      try {
        said =
            start(
                cluster.api().kubeconfig(),
                "--health-port=" + probe.build().uri().getPort(),
                "--lease-duration=9s",
                "--renew-deadline=4s",
                "--retry-period=1s");
      } finally {
        log.detachAppender(whenReady);
        log.setLevel(null);
      }
      assertThat(answers).as(said.toString()).containsExactly(200);
    }
  }

  private static int answer(HttpClient http, HttpRequest request) {
    try {
      return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void theVersionIsPrinted() {
    var out = new ByteArrayOutputStream();
    var before = System.out;
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    try {
      assertThat(ControllerMain.run("--version")).isZero();
    } finally {
      System.setOut(before);
    }
    assertThat(out.toString(StandardCharsets.UTF_8).strip()).matches("runnerset controller \\S+");
  }
}
