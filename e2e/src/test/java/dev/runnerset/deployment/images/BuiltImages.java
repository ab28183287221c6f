package dev.runnerset.deployment.images;

import dev.runnerset.e2e.RepositoryFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** The images that the build of this module made in its phase package. */
public final class BuiltImages {
  private static final Path FOLDER = RepositoryFiles.ROOT.resolve("e2e/target/images");

  private BuiltImages() {}

  /** The archives, in the order of their names; the test is skipped where none were made. */
  static List<Path> archives() throws IOException {
    if (!Files.isDirectory(FOLDER)) {
      return Assumptions.abort(
          "no images: mvn -pl e2e -am package -DskipTests makes them where there is apt");
    }
    try (var files = Files.list(FOLDER)) {
      return files.filter(file -> file.toString().endsWith(".tar")).sorted().toList();
    }
  }

  /** The archive of a program for an architecture; the test is skipped where none were made. */
  public static Path archive(Program program, Architecture architecture) throws IOException {
    return archives().stream()
        .filter(file -> file.getFileName().toString().startsWith("runnerset-" + program + "-"))
        .filter(file -> file.toString().endsWith("-" + architecture + ".tar"))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no image of the " + program));
  }
}
