package dev.runnerset.testcluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * The helm of the tests: that of the control plane's programs, which a {@code go.mod} pins; where
 * those cannot be had, a helm 3 on the {@code PATH}. No cluster is started.
 */
public final class HelmProgram {
  private HelmProgram() {}

  /** Why there is no helm here; empty if there is one. Never builds where Go is at hand. */
  public static Optional<String> unavailableReason() {
    return switch (source()) {
      case ProgramSource.Unavailable(String reason) -> Optional.of(reason);
      case ProgramSource.Ready _, ProgramSource.Buildable _ -> Optional.empty();
    };
  }

  /**
   * The program; takes minutes when it has to be built first.
   *
   * @throws IllegalStateException when {@link #unavailableReason} says why
   */
  public static Path path() {
    ProgramSource source =
        switch (source()) {
          case ProgramSource.Buildable(Path script) -> BuildScript.run(script);
          case ProgramSource other -> other;
        };
    return switch (source) {
      case ProgramSource.Ready(Programs found) ->
          found.helm().orElseThrow(() -> new IllegalStateException(found.folder() + ": no helm"));
      case ProgramSource.Unavailable(String reason) -> throw new IllegalStateException(reason);
      case ProgramSource.Buildable(Path script) -> throw new IllegalStateException("" + script);
    };
  }

  private static ProgramSource source() {
    ProgramFinder finder = TestCluster.finder();
    ProgramSource pinned =
        switch (finder.findHelm()) {
          // Without Go the script is quick either way: it finds what was built before, or says no.
          case ProgramSource.Buildable(Path script) when !finder.isOnPath("go") ->
              BuildScript.run(script);
          case ProgramSource other -> other;
        };
    if (pinned instanceof ProgramSource.Unavailable && !finder.isSwitchedOff()) {
      return finder
          .onPath("helm")
          .filter(HelmProgram::isVersion3)
          .<ProgramSource>map(helm ->
              new ProgramSource.Ready(
                  new Programs(Objects.requireNonNull(helm.toAbsolutePath().getParent()))))
          .orElse(pinned);
    }
    return pinned;
  }

  private static boolean isVersion3(Path helm) {
    try {
      Process process =
          new ProcessBuilder(helm.toString(), "version", "--template", "{{.Version}}")
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String version = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.waitFor() == 0 && version.startsWith("v3.");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
