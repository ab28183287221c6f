package dev.runnerset.images;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The images that the build of this module made in its phase package. */
public final class BuiltImages {
  /** Why there may be none. */
  public static final String NONE =
      "no images: mvn -pl images -am package -DskipTests makes them where there is apt";

  /** Tests run in the folder of their module, which is beside this one. */
  private static final Path FOLDER = Path.of("..", "images", "target", "images");

  private BuiltImages() {}

  /**
   * The archive of a program for an architecture; empty where the build made no images.
   *
   * @throws IllegalStateException if there are images, but not this one
   */
  public static Optional<Path> archive(Program program, Architecture architecture)
      throws IOException {
    if (!Files.isDirectory(FOLDER)) {
      return Optional.empty();
    }
    try (var files = Files.list(FOLDER)) {
      return Optional.of(
          files
              .filter(file -> file.getFileName().toString().startsWith("runnerset-" + program))
              .filter(file -> file.toString().endsWith("-" + architecture + ".tar"))
              .min(Path::compareTo)
              .orElseThrow(() -> new IllegalStateException("no image of the " + program)));
    }
  }
}
