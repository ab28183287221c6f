package dev.runnerset.testcluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs {@code test-cluster/build}. */
final class BuildScript {
  /** Cold builds took 3 to 10 minutes on two cores; the rest is for a slow machine. */
  private static final Duration LIMIT = Duration.ofMinutes(30);

  private static final int NO_GO = 3;

  private BuildScript() {}

  /** {@code Ready}, or {@code Unavailable} without Go. Blocks while it builds. */
  static ProgramSource run(Path script) {
    try {
      Path out = Files.createTempFile("test-cluster-build", ".out");
      Path err = Files.createTempFile("test-cluster-build", ".err");
      try {
        return run(script, out, err);
      } finally {
        Files.delete(out);
        Files.delete(err);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterStartException("interrupted while building the test cluster", e);
    }
  }

  private static ProgramSource run(Path script, Path out, Path err)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("bash", script.toString())
            .redirectOutput(Redirect.to(out.toFile()))
            .redirectError(Redirect.to(err.toFile()))
            .start();
    try {
      if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        throw new ClusterStartException(script + " did not end within " + LIMIT);
      }
    } finally {
      process.descendants().forEach(ProcessHandle::destroy);
      process.destroy();
    }
    return switch (process.exitValue()) {
      case 0 -> new ProgramSource.Ready(new Programs(Path.of(lastLine(out))));
      case NO_GO -> new ProgramSource.Unavailable(LogTail.of(err).strip());
      default ->
          throw new ClusterStartException(
              "%s failed with %d:%n%s".formatted(script, process.exitValue(), LogTail.of(err)));
    };
  }

  private static String lastLine(Path out) throws IOException {
    List<String> lines = Files.readAllLines(out);
    if (lines.isEmpty()) {
      throw new ClusterStartException("the build of the test cluster printed no folder");
    }
    return lines.getLast();
  }
}
