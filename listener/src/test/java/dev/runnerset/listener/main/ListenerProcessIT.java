package dev.runnerset.listener.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.runnerset.base.Installation;
import dev.runnerset.simulator.kube.KubeApiServer;
import dev.runnerset.testcluster.FreePort;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The listener as a process of its own. */
final class ListenerProcessIT {
  @TempDir Path folder;

  private Process start(String... arguments) throws IOException {
    return ListenerProcess.command(List.of("-Xmx128m"), arguments)
        .redirectError(folder.resolve("err").toFile())
        .redirectOutput(folder.resolve("out").toFile())
        .start();
  }

  private String err() throws IOException {
    return Files.readString(folder.resolve("err"), StandardCharsets.UTF_8);
  }

  @Test
  void aSignalEndsItOrderlyWithExitCode0() throws Exception {
    try (var servers = new Servers()) {
      servers.listen(10);
      var kubeconfig = folder.resolve("kubeconfig");
      Files.writeString(kubeconfig, servers.kube.kubeconfig());
      int port = FreePort.find();
      var process =
          start(
              "--kubeconfig",
              kubeconfig.toString(),
              "--namespace=trusted",
              "--identity=p1",
              "--allowed-hosts=127.0.0.1",
              "--lease-duration=30s",
              "--renew-deadline=20s",
              "--health-port=" + port);
      try {
        await().atMost(Duration.ofSeconds(30)).until(servers::isConnected);
        assertThat(get(port, "/healthz")).isEqualTo("200 ok");
        await()
            .atMost(Duration.ofSeconds(30))
            .untilAsserted(() -> assertThat(get(port, "/readyz")).isEqualTo("200 ok"));
        await()
            .atMost(Duration.ofSeconds(30))
            .untilAsserted(() ->
                assertThat(get(port, "/metrics"))
                    .startsWith("200 ")
                    .contains(
                        "runnerset_listener_assigned_jobs{name=\"linux\",namespace=\"team\"} 0.0")
                    .contains(
                        "runnerset_listener_sessions_total{event=\"opened\",name=\"linux\","
                            + "namespace=\"team\"} 1.0")
                    .contains("process_open_fds "));
        assertThat(get(port, "/metrics")).doesNotContain(Servers.TOKEN);
        process.destroy();
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
      } finally {
        process.destroyForcibly();
      }
      assertThat(servers.listenerStatus().sessionId()).isNull();
      assertThat(servers.service.control().scaleSets().getFirst().sessionId()).isNull();
      assertThat(err()).contains("session is open").doesNotContain(Servers.TOKEN, "Exception");
      servers.patientListener("next");
      await().atMost(Duration.ofSeconds(15)).until(servers::isConnected); // the lease was released
    }
  }

  @Test
  void aClusterThatCannotBeFoundIsOneLineAndExitCode2() throws Exception {
    assertThat(refused("--kubeconfig", folder.resolve("missing").toString()))
        .startsWith("runnerset listener: ");
  }

  @Test
  void definitionsThatAreNotAppliedAreOneLineThatNamesTheCommand() throws Exception {
    try (var bare = KubeApiServer.start(0, Clock.systemUTC())) {
      var kubeconfig = Files.writeString(folder.resolve("kubeconfig"), bare.kubeconfig());
      assertThat(refused("--kubeconfig", kubeconfig.toString())).contains(Installation.UPGRADE);
    }
  }

  @Test
  void aNamespaceThatIsMissingIsOneLineThatNamesTheCommand() throws Exception {
    try (var servers = new Servers()) {
      var kubeconfig = Files.writeString(folder.resolve("kubeconfig"), servers.kube.kubeconfig());
      assertThat(refused("--kubeconfig", kubeconfig.toString(), "--namespace=nowhere"))
          .contains("nowhere", Installation.UPGRADE);
    }
  }

  @Test
  void aServerThatDoesNotAnswerIsOneLine() throws Exception {
    var kubeconfig = folder.resolve("kubeconfig");
    try (var gone = KubeApiServer.start(0, Clock.systemUTC())) {
      Files.writeString(kubeconfig, gone.kubeconfig());
    }
    assertThat(refused("--kubeconfig", kubeconfig.toString())).contains("does not answer");
  }

  /** What a process says that does not start: one line, and nothing else. */
  private String refused(String... arguments) throws Exception {
    var process = start(arguments);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(2);
    assertThat(err()).hasLineCount(1);
    return err();
  }

  private static String get(int port, String path) throws Exception {
    try (var client = HttpClient.newHttpClient()) {
      var answer =
          client.send(
              HttpRequest.newBuilder(URI.create("http://localhost:" + port + path)).build(),
              HttpResponse.BodyHandlers.ofString());
      return answer.statusCode() + " " + answer.body().strip();
    }
  }
}
