package dev.runnerset.deployment;

import dev.runnerset.deployment.node.ContainerImage;
import dev.runnerset.images.Architecture;
import dev.runnerset.images.BuiltImages;
import dev.runnerset.images.ImageArchive;
import dev.runnerset.images.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
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

  private final Map<String, ContainerImage> byName = new HashMap<>();

  /** Unpacks them into a folder. */
  ProgramImages(Path folder) {
    try {
      for (var program : Program.values()) {
        var archive = BuiltImages.archive(program, Architecture.here());
        read(
            archive.orElseGet(() -> Assumptions.abort(BuiltImages.NONE)),
            folder.resolve(program.toString()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
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

  /** The image of an archive that is unpacked in that folder. */
  static ContainerImage image(ImageArchive archive, Path root) {
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
