package dev.runnerset.deployment.node;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A container as a local process: process 1 of a process space of its own, in the image's file
 * system, with the pod's network, under the pod's user and without rights.
 */
final class ContainerProcess {
  private static final long SIGNAL_SECONDS = 10;
  private static final long SOON_MILLIS = 20;
  private static final int ENDED_BY_SIGKILL = 137;
  private final Process process;
  private final Path parent;
  private volatile boolean killed;

  /**
   * Who the process is.
   *
   * @param volumeGroup whose the files in volumes are; the process is in that group, too
   */
  record Identity(int user, int group, int volumeGroup) {}

  /**
   * What to start, and what it begins with.
   *
   * @param folder the container's own; must not exist yet
   * @param log its output is appended here
   */
  record Setup(
      Path folder,
      Path log,
      Path image,
      List<String> command,
      Map<String, String> environment,
      List<PodVolumes.Mount> mounts,
      Identity identity,
      boolean readOnlyRoot) {}

  private ContainerProcess(Process process, Path parent) {
    this.process = process;
    this.parent = parent;
  }

  /** Starts it in the pod's network. */
  static ContainerProcess start(PodSandbox sandbox, Setup setup)
      throws IOException, InterruptedException {
    var folder = Files.createDirectories(setup.folder());
    var parent = folder.resolve("parent");
    Files.writeString(folder.resolve("environment"), environment(setup.environment()));
    Files.writeString(folder.resolve("mounts"), mounts(setup.mounts()));
    var name = setup.environment().getOrDefault("HOSTNAME", "localhost");
    Files.writeString(folder.resolve("hostname"), name + "\n");
    Files.writeString(folder.resolve("hosts"), "127.0.0.1\tlocalhost\n127.0.0.1\t" + name + "\n");
    var command = new ArrayList<String>();
    command.addAll(List.of("bash", script("hold.sh", folder), parent.toString()));
    command.addAll(List.of("unshare", "--mount", "--pid", "--uts", "--ipc", "--fork"));
    command.addAll(List.of("bash", script("container.sh", folder), folder.toString()));
    command.add(setup.image().toString());
    command.add(Boolean.toString(setup.readOnlyRoot()));
    command.add(Integer.toString(setup.identity().user()));
    command.add(Integer.toString(setup.identity().group()));
    command.add(Integer.toString(setup.identity().volumeGroup()));
    command.addAll(setup.command());
    var builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(setup.log().toFile()));
    return new ContainerProcess(sandbox.inside(builder::start), parent);
  }

  private static String script(String name, Path folder) throws IOException {
    try (var text = ContainerProcess.class.getResourceAsStream(name)) {
      if (text == null) {
        throw new IOException(name + " is missing");
      }
      return Files.write(folder.resolve(name), text.readAllBytes()).toString();
    }
  }

  private static String environment(Map<String, String> variables) {
    return variables.entrySet().stream()
        .map(v -> v.getKey() + "=" + v.getValue() + "\0")
        .collect(Collectors.joining());
  }

  private static String mounts(List<PodVolumes.Mount> mounts) {
    return mounts.stream()
        .map(m -> m.source() + "\t" + m.target() + "\t" + (m.readOnly() ? "ro" : "rw") + "\n")
        .collect(Collectors.joining());
  }

  /** Completed with the exit code when it has ended; 128 and the signal if one ended it. */
  CompletableFuture<Integer> ended() {
    // unshare cannot hand SIGKILL on, and says 1
    return process.onExit().thenApply(ended -> killed ? ENDED_BY_SIGKILL : ended.exitValue());
  }

  /** Process 1 of the container, as this machine numbers it; empty when it has ended. */
  Optional<Long> pid() throws IOException {
    var text = Files.exists(parent) ? Files.readString(parent).strip() : "";
    return text.isEmpty()
        ? Optional.empty()
        : ProcessHandle.of(Long.parseLong(text))
            .flatMap(unshare -> unshare.children().findFirst())
            .map(ProcessHandle::pid);
  }

  /**
   * Sends process 1 a signal; does nothing when it has ended.
   *
   * @param name as {@code kill} takes it
   */
  void signal(String name) throws IOException, InterruptedException {
    var pid = pid();
    while (pid.isEmpty() && process.isAlive()) {
      Thread.sleep(SOON_MILLIS); // it is about to begin or to end
      pid = pid();
    }
    if (pid.isEmpty()) {
      return;
    }
    if (name.equals("KILL")) {
      killed = true;
    }
    var kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid.get()));
    var sent = kill.redirectErrorStream(true).start();
    if (!sent.waitFor(SIGNAL_SECONDS, TimeUnit.SECONDS)) {
      throw new IOException("kill -" + name + " does not end");
    }
    var said = new String(sent.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (sent.exitValue() != 0 && pid().isPresent()) {
      throw new IOException("kill -" + name + ": " + said.strip());
    }
  }
}
