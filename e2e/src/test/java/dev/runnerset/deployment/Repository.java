package dev.runnerset.deployment;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The folders of this repository that the tests read. */
final class Repository {
  static final Path ROOT = root();

  private Repository() {}

  static Path chart(String name) {
    return ROOT.resolve("charts").resolve(name);
  }

  private static Path root() {
    return Stream.iterate(Path.of("").toAbsolutePath(), f -> f != null, Path::getParent)
        .filter(f -> Files.isDirectory(f.resolve("charts")))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no folder 'charts' here or above"));
  }
}
