package dev.runnerset.listener.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The listener as a process of its own. */
final class ListenerProcessIT {
  @TempDir Path folder;

  private Process start(String... arguments) throws IOException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx128m", "-cp", System.getProperty("java.class.path")));
    command.add("-Dlogback.configurationFile=logback.xml"); // the tests' own is on this path too
    command.add(ListenerMain.class.getName());
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
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
      var process =
          start("--kubeconfig", kubeconfig.toString(), "--namespace=trusted", "--identity=p1");
      try {
        await().atMost(Duration.ofSeconds(30)).until(servers::isConnected);
        process.destroy();
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
      } finally {
        process.destroyForcibly();
      }
      assertThat(servers.listenerStatus().sessionId()).isNull();
      assertThat(servers.service.control().scaleSets().getFirst().sessionId()).isNull();
      assertThat(err()).contains("session is open").doesNotContain(Servers.TOKEN, "Exception");
      servers.listener("next");
      await().atMost(Duration.ofSeconds(4)).until(servers::isConnected); // the lease was released
    }
  }

  @Test
  void aClusterThatCannotBeFoundIsOneLineAndExitCode2() throws Exception {
    var process = start("--kubeconfig", folder.resolve("missing").toString());
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(2);
    assertThat(err()).hasLineCount(1).startsWith("runnerset listener: ");
  }
}
