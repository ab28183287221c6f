package dev.runnerset.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The checkout that a test runs in: in its root, or in the folder of a module. */
public final class Checkout {
  private static final String MARK = "home.properties";

  /** Its root. */
  public static final Path ROOT =
      Stream.iterate(Path.of("").toAbsolutePath(), f -> f != null, Path::getParent)
          .filter(folder -> Files.exists(folder.resolve(MARK)))
          .findFirst()
          .orElseThrow(() -> new IllegalStateException("no " + MARK + " here or above"));

  private Checkout() {}

  /** The text of a file, by its path from the root. */
  public static String read(String path) {
    try {
      return Files.readString(ROOT.resolve(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
