package dev.runnerset.cli.main;

import dev.runnerset.cli.cluster.Cluster;
import dev.runnerset.cli.text.Screen;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the commands work with; tests have their own.
 *
 * @param pause lets time pass between two looks at a cluster
 */
public record Tool(
    PrintStream out,
    PrintStream err,
    Person person,
    Screen screen,
    Clock clock,
    Pause pause,
    Connector connector) {
  /**
   * Who answers questions.
   *
   * @param answers a line each; read only if somebody is there
   * @param isThere whether standard input is a terminal
   */
  public record Person(BufferedReader answers, boolean isThere) {}

  /** Lets time pass. */
  @FunctionalInterface
  public interface Pause {
    /** Returns after that time. */
    void pass(Duration time) throws InterruptedException;
  }

  /** Connects to the cluster that the flags name. */
  @FunctionalInterface
  public interface Connector {
    /**
     * The cluster; nothing is sent yet.
     *
     * @throws dev.runnerset.kube.UnreachableClusterException with one sentence for the user
     */
    Cluster connect(ClusterOptions options);
  }

  /** The streams and the terminal of this process. */
  public static Tool ofThisProcess(Connector connector) {
    var console = System.console();
    boolean isTerminal = console != null && console.isTerminal();
    return new Tool(
        utf8(System.out),
        utf8(System.err),
        new Person(
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)),
            isTerminal),
        Screen.of(System.getenv(), isTerminal),
        Clock.systemUTC(),
        Thread::sleep,
        connector);
  }

  private static PrintStream utf8(PrintStream stream) {
    return new PrintStream(stream, true, StandardCharsets.UTF_8);
  }

  Instant now() {
    return clock.instant();
  }

  /** Prints lines to standard output. */
  void print(Iterable<String> lines) {
    lines.forEach(out::println);
  }

  /** Prints a remark beside the output, which programs do not read. */
  void remark(@Nullable String line) {
    err.println(line);
  }
}
