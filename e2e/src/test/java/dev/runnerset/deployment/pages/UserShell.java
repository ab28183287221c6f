package dev.runnerset.deployment.pages;

import dev.runnerset.testcluster.HelmProgram;
import dev.runnerset.testcluster.TestCluster;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A shell as a user has it in a checkout, with a cluster behind it. The folder is a copy made of
 * links, so what a command writes does not land in the checkout.
 */
final class UserShell implements AutoCloseable {
  private static final int LIMIT_MINUTES = 4;

  private final Path home;
  private final Path kubeconfig;
  private final String path;

  UserShell(Path home, TestCluster cluster) throws IOException {
    this.home = home;
    kubeconfig = cluster.adminKubeconfigFile();
    var kubectl =
        cluster
            .kubectl()
            .orElseThrow(() -> new IllegalStateException("no kubectl among the programs"));
    path =
        String.join(
            File.pathSeparator,
            Objects.requireNonNull(HelmProgram.path().getParent()).toString(),
            Objects.requireNonNull(kubectl.getParent()).toString(),
            System.getenv("PATH"));
    try (Stream<Path> entries = Files.list(Pages.ROOT)) {
      for (var entry : entries.toList()) {
        Files.createSymbolicLink(home.resolve(entry.getFileName()), entry);
      }
    }
  }

  /** Takes the links away, so that nobody who deletes the folder follows them. */
  @Override
  public void close() throws IOException {
    try (Stream<Path> entries = Files.list(home)) {
      for (var link : entries.filter(Files::isSymbolicLink).toList()) {
        Files.delete(link);
      }
    }
  }

  /** What a command ended with; output and errors in one text. */
  record Result(int exit, String text) {}

  Result run(String command) {
    try {
      var out = Files.createTempFile(home, "out", ".txt");
      var builder = new ProcessBuilder("bash", "-c", "set -euo pipefail\n" + command);
      builder.directory(home.toFile()).redirectErrorStream(true).redirectOutput(out.toFile());
      builder.redirectInput(new File("/dev/null"));
      var environment = builder.environment();
      environment.put("PATH", path);
      environment.put("HOME", home.toString());
      environment.put("KUBECONFIG", kubeconfig.toString());
      environment.put("GITHUB_TOKEN", "not-a-token");
      var process = builder.start();
      if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        return new Result(-1, "does not end; so far:\n" + Files.readString(out));
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
