package dev.runnerset.deployment;

import dev.runnerset.images.Architecture;
import dev.runnerset.images.BuiltImages;
import dev.runnerset.images.ContainerCommand;
import dev.runnerset.images.ImageArchive;
import dev.runnerset.images.Program;
import dev.runnerset.testcluster.FreePort;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** A program that runs from its unpacked image, as in a pod. */
final class ImageProcess implements AutoCloseable {
  private static final Duration READY_WITHIN = Duration.ofSeconds(60);
  private static final Duration ENDS_WITHIN = Duration.ofSeconds(30);

  private final HttpClient http = HttpClient.newHttpClient();
  private final Process process;
  private final Path log;
  private final int port;
  private final Instant started;

  private ImageProcess(Process process, Path log, int port, Instant started) {
    this.process = process;
    this.log = log;
    this.port = port;
    this.started = started;
  }

  /**
   * Starts it.
   *
   * @param folder gets its log, its file system and its {@code /tmp}
   * @param identity token, ca.crt and namespace, as a pod finds them
   * @param variables of the pod
   * @param mebibytes memory of the container, by which the JVM sizes its heap
   */
  static ImageProcess start(
      Program program, Path folder, Path identity, Map<String, String> variables, int mebibytes)
      throws IOException {
    var archive = BuiltImages.archive(program, Architecture.here());
    var image = ImageArchive.read(archive.orElseGet(() -> Assumptions.abort(BuiltImages.NONE)));
    var root = folder.resolve("root");
    image.unpack(root);
    var tmp = Files.createDirectory(folder.resolve("tmp"));
    Files.setPosixFilePermissions(
        tmp, java.nio.file.attribute.PosixFilePermissions.fromString("rwxrwxrwx"));
    var mounts = Map.of("/tmp", tmp, "/var/run/secrets/kubernetes.io/serviceaccount", identity);
    int port = FreePort.find();
    var command = new ArrayList<>(image.entryPoint());
    command.addAll(List.of("--health-port=" + port, "--allowed-hosts=127.0.0.1"));
    var log = folder.resolve("log");
    var builder =
        new ProcessBuilder(ContainerCommand.of(root, mounts, command))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().keySet().retainAll(List.of("PATH"));
    builder.environment().putAll(variables);
    // As in a container with that limit and two processors, whatever this machine has.
    builder
        .environment()
        .put("JAVA_TOOL_OPTIONS", "-XX:MaxRAM=%dm -XX:ActiveProcessorCount=2".formatted(mebibytes));
    var started = Instant.now();
    return new ImageProcess(builder.start(), log, port, started);
  }

  /** Waits until it is ready, and tells how long that took since the start. */
  Duration awaitReady() throws Exception {
    while (Instant.now().isBefore(started.plus(READY_WITHIN)) && process.isAlive()) {
      if (answer("/readyz") == 200) {
        return Duration.between(started, Instant.now());
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
    throw new IllegalStateException("not ready: " + log());
  }

  private int answer(String path) throws InterruptedException {
    var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build();
    try {
      return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    } catch (IOException e) {
      return 0;
    }
  }

  /** The processor time it has used. */
  Duration cpu() {
    return process.info().totalCpuDuration().orElseThrow();
  }

  /** A line of {@code /proc/PID/status}, without its name. */
  String status(String name) throws IOException {
    try (var lines = Files.lines(Path.of("/proc", Long.toString(process.pid()), "status"))) {
      return lines
          .filter(line -> line.startsWith(name + ":"))
          .map(line -> line.substring(name.length() + 1).strip())
          .findFirst()
          .orElseThrow();
    }
  }

  /** A size of {@code /proc/PID/status}. */
  int mebibytes(String name) throws IOException {
    return (int) new ProcessFacts(process.pid()).mebibytes(name);
  }

  /** Asks it to end with SIGTERM, as a node does, and tells how long that took. */
  Duration end() throws InterruptedException {
    var from = Instant.now();
    process.destroy();
    if (!process.waitFor(ENDS_WITHIN.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException("it does not end: " + log());
    }
    return Duration.between(from, Instant.now());
  }

  int exitCode() {
    return process.exitValue();
  }

  String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    http.close();
  }
}
