package dev.runnerset.cli;

import dev.runnerset.cli.cluster.Cluster;
import dev.runnerset.cli.main.CliMain;
import dev.runnerset.cli.main.ClusterOptions;
import dev.runnerset.cli.main.Tool;
import dev.runnerset.cli.text.Screen;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;

/** A terminal in which commands run as a person types them, against a cluster of the test. */
public final class Terminal {
  /** When the tests take place. */
  public static final Instant NOW = Instant.parse("2026-11-29T12:00:00Z");

  private final Tool.Connector connector;
  private Screen screen = new Screen(80, true, false);
  private String answers = "";
  private boolean isAnswered;
  private boolean isGone;
  private Tool.Pause pause = time -> {};

  /** What a command printed and ended with. */
  public record Outcome(int exitCode, String out, String err) {}

  /** A terminal for commands that reach that cluster, with {@code ci} as the usual namespace. */
  public static Terminal of(Config config) {
    return new Terminal(options ->
        new Cluster(new KubernetesClientBuilder().withConfig(config).build(), namespace(options)));
  }

  private static String namespace(ClusterOptions options) {
    return options.namespace().orElse("ci");
  }

  public Terminal(Tool.Connector connector) {
    this.connector = connector;
  }

  /** The same with that screen. */
  public Terminal with(Screen other) {
    screen = other;
    return this;
  }

  /** The same with a person who answers so, a line each. */
  public Terminal answering(String lines) {
    answers = lines;
    isAnswered = true;
    return this;
  }

  /** The same where that happens while a command lets time pass. */
  public Terminal meanwhile(Tool.Pause change) {
    pause = change;
    return this;
  }

  /** The person closes the terminal. */
  public void close() {
    isGone = true;
  }

  /** Runs {@code kubectl runnerset} with those words. */
  public Outcome run(String... words) {
    var out =
        new ByteArrayOutputStream() {
          @Override
          public void flush() throws IOException {
            if (isGone) {
              throw new IOException("nobody reads any more");
            }
          }
        };
    var err = new ByteArrayOutputStream();
    var tool =
        new Tool(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            new Tool.Person(new BufferedReader(new StringReader(answers)), isAnswered),
            screen,
            Clock.fixed(NOW, ZoneOffset.UTC),
            pause,
            connector);
    int code = CliMain.line(tool).execute(words);
    return new Outcome(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
