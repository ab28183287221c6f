package dev.runnerset.images;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.base.CommandLines;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The images are made once more, in another folder, from the same jars and packages. */
final class ReproducibleImageIT {
  @Test
  void theSamePartsGiveTheSameImages(@TempDir Path folder) throws IOException {
    var _ = archive(Program.CONTROLLER); // skipped where none is made
    var built = System.getProperty("images.arguments");
    assertThat(built).as("the build passes its arguments").isNotNull();
    var arguments = new ArrayList<>(List.of(built.split("\\|", -1)));
    arguments.add("--target=" + folder.resolve("again"));
    arguments.add("--architectures=" + Architecture.here());
    assertThat(CommandLines.of(new ImagesMain()).execute(arguments.toArray(String[]::new)))
        .isZero();
    for (var program : Program.values()) {
      var first = archive(program);
      var again = folder.resolve("again").resolve(first.getFileName());
      assertThat(again).hasSameBinaryContentAs(first);
    }
  }

  private static Path archive(Program program) throws IOException {
    return BuiltImages.archive(program, Architecture.here())
        .orElseGet(() -> Assumptions.abort(BuiltImages.NONE));
  }
}
