package dev.runnerset.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.testcluster.TestCluster;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A folder in which commands run, with a cluster behind them, as its administrator types them. */
public final class Shell {
  private final Path folder;
  private final Path kubectl;
  private final Map<String, String> variables = new HashMap<>();
  private Duration limit = Duration.ofMinutes(4);

  /** A shell in a folder of its own. */
  public Shell(TestCluster cluster, Path folder) {
    this.folder = folder;
    kubectl = cluster.kubectl().orElseThrow();
    variables.put("PATH", System.getenv("PATH"));
    variables.put("KUBECONFIG", cluster.adminKubeconfigFile().toString());
    find(kubectl);
  }

  /** Commands find the programs that are in the folder of this one. */
  public void find(Path program) {
    variables.merge("PATH", program.getParent() + File.pathSeparator, (path, more) -> more + path);
  }

  /** How long a command may take from now on; it is killed after that. */
  public void limit(Duration value) {
    limit = value;
  }

  /** Sets an environment variable. */
  public void set(String variable, String value) {
    variables.put(variable, value);
  }

  /**
   * What a command ended with.
   *
   * @param text output and errors
   */
  public record Result(int exit, String text) {
    /** The same, if the command was carried out. */
    public Result done() {
      assertThat(exit).as(text).isZero();
      return this;
    }

    /** Holds that it was not, in these words. */
    public void refusedWith(String words) {
      assertThat(text).contains(words);
      assertThat(exit).as(text).isNotZero();
    }
  }

  /** Runs commands of bash up to the first one that fails. */
  public Result run(String commands) {
    return start(List.of("bash", "-c", "set -euo pipefail\n" + commands));
  }

  /** Runs kubectl with these words. */
  public Result kubectl(String... words) {
    return start(Stream.concat(Stream.of(kubectl.toString()), Stream.of(words)).toList());
  }

  /** Runs kubectl with these words, and a file that it reads. */
  public Result kubectlWith(String text, String... words) {
    try {
      var file = Files.writeString(Files.createTempFile(folder, "input", ".yaml"), text);
      return kubectl(
          Stream.concat(Stream.of(words), Stream.of("-f", file.toString())).toArray(String[]::new));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Result start(List<String> command) {
    try {
      var out = Files.createTempFile(folder, "command", ".out");
      var builder =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectInput(new File("/dev/null"))
              .redirectErrorStream(true)
              .redirectOutput(out.toFile());
      builder.environment().putAll(variables);
      var process = builder.start();
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
        return new Result(-1, command + " does not end; so far:\n" + Files.readString(out));
      }
      return new Result(process.exitValue(), Files.readString(out));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
