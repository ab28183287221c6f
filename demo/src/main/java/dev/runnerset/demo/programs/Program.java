package dev.runnerset.demo.programs;

import dev.runnerset.demo.progress.DemoException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One of the two programs as a process of its own, as it would run in a cluster. */
public final class Program implements AutoCloseable {
  private static final long STOP_SECONDS = 20;

  private final String name;
  private final List<String> command;
  private int words;
  private final Path log;

  /** The simulated service is on this machine and speaks plain http. */
  static final String ALLOWED_HOSTS = "--allowed-hosts=127.0.0.1";

  private final ProgramProbe probe;
  private volatile @Nullable Process process;

  /**
   * A program that is not started yet.
   *
   * @param jvmOptions as a deployment would give them
   * @param probe the port at which it is to tell of itself
   * @param log its output is appended here
   */
  Program(
      String name,
      List<String> jvmOptions,
      String mainClass,
      List<String> arguments,
      ProgramProbe probe,
      Path log) {
    this.name = name;
    this.log = log;
    this.probe = probe;
    command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmOptions);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass));
    command.addAll(arguments);
    command.add("--health-port=" + probe.port());
    words = command.size();
    // it would outlive a rehearsal that is killed
    Runtime.getRuntime().addShutdownHook(new Thread(this::close, name + "-end"));
  }

  /** Lets it run the code of that class path in place of this build's. */
  public Program of(String classPath) {
    var classes = Path.of(classPath.substring(0, classPath.indexOf(File.pathSeparator)));
    if (!Files.exists(classes.resolve("dev/runnerset/actions/http/AllowedHosts.class"))
        && command.remove(ALLOWED_HOSTS)) {
      words--; // a version before that flag
    }
    command.set(command.indexOf("-cp") + 1, classPath);
    return this;
  }

  /** Lets it run with one more option of the JVM, which wins over the others. */
  public Program with(String jvmOption) {
    command.add(command.indexOf("-cp"), jvmOption);
    words++;
    return this;
  }

  public void start() {
    try {
      var builder = new ProcessBuilder(command).redirectErrorStream(true);
      process = builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile())).start();
    } catch (IOException e) {
      throw new UncheckedIOException(name + " could not be started", e);
    }
  }

  /** Stops it in order and starts it again with more arguments than at first. */
  public void restartWith(String... more) {
    close();
    command.subList(words, command.size()).clear();
    command.addAll(List.of(more));
    start();
  }

  /** Ends it as a crash would: no signal it can see. */
  public void kill() {
    if (process != null) {
      process.destroyForcibly();
      await(process);
    }
  }

  /**
   * Sends it a signal.
   *
   * @param name as {@code kill} takes it: {@code STOP} lets it hang, {@code CONT} go on
   */
  public void signal(String name) {
    if (process == null) {
      return;
    }
    try {
      var pid = Long.toString(process.pid());
      var sent = new ProcessBuilder("kill", "-" + name, pid).start();
      if (!await(sent)) {
        throw new DemoException("kill -" + name + " does not end");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether it is there. */
  public boolean isAlive() {
    return process != null && process.isAlive();
  }

  /** Whether it runs and answers. */
  public boolean hasStarted() {
    return isAlive() && probe.hasStarted();
  }

  /** The number of its process. */
  public long pid() {
    return Objects.requireNonNull(process, "not started").pid();
  }

  /** The processor time it has used, in milliseconds; 0 when it has ended. */
  public long cpuMillis() {
    return process == null
        ? 0
        : process.info().totalCpuDuration().map(d -> d.toMillis()).orElse(0L);
  }

  /** The last lines it printed. */
  public String lastLines() {
    return lastLines(15);
  }

  /** So many of the last lines it printed. */
  public String lastLines(int most) {
    try {
      var lines = Files.readAllLines(log);
      return String.join("\n", lines.subList(Math.max(0, lines.size() - most), lines.size()));
    } catch (IOException e) {
      return "";
    }
  }

  public String name() {
    return name;
  }

  /** Where it serves its metrics. */
  public int port() {
    return probe.port();
  }

  /** Asks it to stop, and ends it when it does not. */
  @Override
  public void close() {
    if (process != null && process.isAlive()) {
      process.destroy();
      if (!await(process)) {
        process.destroyForcibly();
      }
    }
  }

  private static boolean await(Process process) {
    try {
      return process.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
