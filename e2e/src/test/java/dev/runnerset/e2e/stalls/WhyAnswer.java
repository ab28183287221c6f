package dev.runnerset.e2e.stalls;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.runnerset.cli.cluster.Cluster;
import dev.runnerset.cli.main.CliMain;
import dev.runnerset.cli.main.Tool;
import dev.runnerset.cli.text.Screen;
import dev.runnerset.e2e.SeparateSet;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.Reader;
import java.time.Clock;

/** What {@code kubectl runnerset why} answers about a set, as a person would get it. */
final class WhyAnswer {
  private WhyAnswer() {}

  /** Its first line; what went wrong if there is none. */
  static String firstLine(SeparateSet set) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    var config = set.world().cluster().admin();
    var tool =
        new Tool(
            new PrintStream(out, true, UTF_8),
            new PrintStream(err, true, UTF_8),
            new Tool.Person(new BufferedReader(Reader.nullReader()), false),
            new Screen(80, false, false),
            Clock.systemUTC(),
            Thread::sleep,
            options ->
                new Cluster(
                    new KubernetesClientBuilder().withConfig(config).build(), set.namespace()));
    int code = CliMain.line(tool).execute("why", set.name());
    return out.toString(UTF_8)
        .lines()
        .findFirst()
        .orElseGet(() -> "exit code " + code + ": " + err.toString(UTF_8));
  }
}
