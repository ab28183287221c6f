package dev.runnerset.testsupport;

import java.io.File;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A program of {@code MODULE/src/test/go/NAME} that judges what ours do. It is built once for each
 * state of its sources, into {@code ${XDG_CACHE_HOME:-~/.cache}/runnerset}; that needs Go and the
 * Go module proxy.
 */
public final class GoProgram {
  private static final int BUILD_MINUTES = 15;
  private static final int RUN_MINUTES = 5;
  private final String name;
  private final Path source;
  private final Path program;

  /** The program of that name, in that module. */
  public GoProgram(String module, String name) throws IOException {
    this.name = name;
    source = Checkout.ROOT.resolve(module).resolve("src/test/go").resolve(name);
    program = cache().resolve(name).resolve(hash(source)).resolve(name);
  }

  /** Why it cannot be run here; empty if it can. */
  public Optional<String> unavailableReason() {
    var go =
        Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "go")));
    return go || Files.exists(program)
        ? Optional.empty()
        : Optional.of("no Go on the PATH, which builds " + name);
  }

  /** The lines it prints; takes a minute and more when it has to be built first. */
  public List<String> run(List<String> arguments) throws IOException, InterruptedException {
    if (!Files.exists(program)) {
      build();
    }
    var command = new ArrayList<>(List.of(program.toString()));
    command.addAll(arguments);
    return run(new ProcessBuilder(command), RUN_MINUTES);
  }

  private void build() throws IOException, InterruptedException {
    Files.createDirectories(program.getParent());
    var built = Files.createTempFile(program.getParent(), "building", "");
    var go =
        new ProcessBuilder("go", "build", "-trimpath", "-buildvcs=false", "-o", "" + built, ".");
    go.environment().putAll(java.util.Map.of("CGO_ENABLED", "0", "GOWORK", "off"));
    run(go.directory(source.toFile()), BUILD_MINUTES);
    try {
      Files.move(built, program, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(built, program, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private List<String> run(ProcessBuilder command, int minutes)
      throws IOException, InterruptedException {
    var out = Files.createTempFile(name, ".out");
    var err = Files.createTempFile(name, ".err");
    try {
      var process = command.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
      try {
        if (!process.waitFor(minutes, TimeUnit.MINUTES) || process.exitValue() != 0) {
          throw new IllegalStateException(command.command() + " failed: " + Files.readString(err));
        }
      } finally {
        process.destroyForcibly();
      }
      return Files.readAllLines(out);
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  private static Path cache() {
    var named = System.getenv("XDG_CACHE_HOME");
    var home =
        named == null || named.isBlank()
            ? Path.of(System.getProperty("user.home"), ".cache")
            : Path.of(named);
    return home.resolve("runnerset");
  }

  private static String hash(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      var digest = MessageDigest.getInstance("SHA-256");
      for (var file : files.sorted().toList()) {
        digest.update(Files.readAllBytes(file));
      }
      return HexFormat.of().formatHex(digest.digest(), 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
