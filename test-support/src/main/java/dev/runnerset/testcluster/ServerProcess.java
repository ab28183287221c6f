package dev.runnerset.testcluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One program of the control plane, running, its output in {@code <name>.log}. */
final class ServerProcess {
  /** Waits for the end of its input, which is the end of this JVM, however that came about. */
  private static final String OUTLIVE_NOTHING =
      "trap '' INT TERM HUP; read -r _; kill -9 \"$1\" 2>/dev/null; rm -rf -- \"$2\"";

  private final String name;
  private final Process process;
  private final Process guard;
  private final Path log;

  private ServerProcess(String name, Process process, Process guard, Path log) {
    this.name = name;
    this.process = process;
    this.guard = guard;
    this.log = log;
  }

  static ServerProcess start(String name, List<String> command, Workspace workspace)
      throws IOException {
    Path log = workspace.file(name + ".log");
    Process process =
        new ProcessBuilder(command)
            .directory(workspace.folder().toFile())
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(log.toFile()))
            .start();
    try {
      Process guard =
          new ProcessBuilder(
                  "sh",
                  "-c",
                  OUTLIVE_NOTHING,
                  "sh",
                  Long.toString(process.pid()),
                  workspace.folder().toString())
              .redirectOutput(Redirect.DISCARD)
              .redirectError(Redirect.DISCARD)
              .start();
      return new ServerProcess(name, process, guard, log);
    } catch (IOException e) {
      process.destroyForcibly();
      throw e;
    }
  }

  long pid() {
    return process.pid();
  }

  /** Processor time used so far; zero once it has ended. Resolution 10 ms. */
  Duration cpuTime() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** What it last wrote. */
  String logTail() {
    return LogTail.of(log);
  }

  /** Fails with the end of its log if it has ended. */
  void requireAlive() {
    if (!process.isAlive()) {
      throw new ClusterStartException(
          "%s ended with %d:%n%s".formatted(name, process.exitValue(), logTail()));
    }
  }

  /** Ends it as a crash does, and returns when it is gone. */
  void kill() {
    guard.destroyForcibly();
    process.destroyForcibly().onExit().join();
  }

  /**
   * Sends it a signal.
   *
   * @param signal as {@code kill} takes it: {@code STOP} lets it hang, {@code CONT} go on
   */
  void signal(String signal) {
    try {
      var sent = new ProcessBuilder("kill", "-" + signal, Long.toString(pid())).start();
      int code = sent.onExit().join().exitValue();
      if (code != 0) {
        throw new IllegalStateException(
            "kill -%s of %s ended with %d".formatted(signal, name, code));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Asks it to end, kills it if it is still there after {@code grace}, returns when it is gone. */
  void stop(Duration grace) {
    guard.destroyForcibly();
    process.destroy();
    boolean interrupted = false;
    try {
      if (process.waitFor(grace.toMillis(), TimeUnit.MILLISECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      interrupted = true;
    }
    process.destroyForcibly().onExit().join();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
