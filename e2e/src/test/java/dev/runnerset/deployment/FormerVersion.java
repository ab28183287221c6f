package dev.runnerset.deployment;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/**
 * The version before this one, as {@code .ci/previous} builds it: its chart, and the classes of its
 * programs, which run with the libraries of this build.
 *
 * @param words for people
 */
record FormerVersion(String words, Path chart, Path classes) {
  /** Builds it; empty where that is not possible, for a reason that is printed. */
  static Optional<FormerVersion> find() {
    try {
      var process =
          new ProcessBuilder(Repository.ROOT.resolve(".ci/previous").toString())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      var out = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
      if (process.waitFor() != 0) {
        return Optional.empty();
      }
      var folder = Path.of(out.substring(out.lastIndexOf('\n') + 1));
      return Optional.of(
          new FormerVersion(
              Files.readString(folder.resolve("words")).strip(),
              folder.resolve("charts/runnerset"),
              folder.resolve("classes")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /** Makes the unpacked image of a program one of this version: its jars of ours are replaced. */
  void putInto(Path root) throws IOException {
    try (var ours = Files.newDirectoryStream(root.resolve("app/lib"), "runnerset-*.jar")) {
      boolean first = true;
      for (var jar : ours) {
        write(jar, first);
        first = false;
      }
      if (first) {
        throw new IllegalStateException("no jar of ours in " + root);
      }
    }
  }

  /** A jar with all classes, or with none. */
  private void write(Path jar, boolean all) throws IOException {
    try (var out = new JarOutputStream(Files.newOutputStream(jar));
        var files = Files.walk(classes)) {
      for (var file : files.filter(f -> all && Files.isRegularFile(f)).toList()) {
        out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
        Files.copy(file, out);
        out.closeEntry();
      }
    }
  }
}
