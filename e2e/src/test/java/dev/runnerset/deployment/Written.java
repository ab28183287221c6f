package dev.runnerset.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.e2e.RepositoryFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files of the repository that a test makes: compared, or written with -Drunnerset.write=true. */
public final class Written {
  private Written() {}

  public static void is(Path file, String text) {
    try {
      if (Boolean.getBoolean("runnerset.write")) {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
      }
      assertThat(Files.exists(file) ? Files.readString(file) : "")
          .as("%s; -Drunnerset.write=true writes it", RepositoryFiles.ROOT.relativize(file))
          .isEqualTo(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
