package dev.runnerset.deployment;

import dev.runnerset.deployment.node.ContainerImage;
import dev.runnerset.e2e.RepositoryFiles;
import dev.runnerset.images.ImageArchive;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/** The images of the build, unpacked, by the names that they bear and under one tag more each. */
final class ProgramImages {
  /** What an upgrade begins with. */
  static final String FORMER = "former";

  private static final Path ARCHIVES = RepositoryFiles.ROOT.resolve("images/target/images");
  private final Map<String, ContainerImage> byName = new HashMap<>();

  /** Unpacks them into a folder. */
  ProgramImages(Path folder) {
    try {
      for (var program : List.of("controller", "listener")) {
        read(archive(program), folder.resolve(program));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path archive(String program) throws IOException {
    var machine = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
    Assumptions.assumeTrue(
        Files.isDirectory(ARCHIVES),
        "no images: the module 'images' makes them where there is apt");
    var pattern = "runnerset-" + program + "-*-" + machine + ".tar";
    try (var found = Files.newDirectoryStream(ARCHIVES, pattern)) {
      var archives = found.iterator();
      if (!archives.hasNext()) {
        throw new IllegalStateException("no image in " + ARCHIVES + ": build the module 'images'");
      }
      return archives.next();
    }
  }

  private void read(Path file, Path root) throws IOException {
    var archive = ImageArchive.read(file);
    archive.unpack(root);
    var image = image(archive, root);
    for (var name : archive.names()) {
      byName.put(name, image);
      byName.put(name.substring(0, name.lastIndexOf(':') + 1) + FORMER, image);
    }
  }

  private static ContainerImage image(ImageArchive archive, Path root) {
    var variables = new HashMap<String, String>();
    for (var variable : archive.environment()) {
      int equals = variable.indexOf('=');
      variables.put(variable.substring(0, equals), variable.substring(equals + 1));
    }
    return new ContainerImage(
        root, archive.entryPoint(), List.of(), variables, archive.config().path("User").asText());
  }

  /** The image that a pod names; empty if the build made none of that name. */
  Optional<ContainerImage> named(String name) {
    return Optional.ofNullable(byName.get(name));
  }
}
