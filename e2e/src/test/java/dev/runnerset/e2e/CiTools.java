package dev.runnerset.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** The programs of {@code .ci/tools}. */
public final class CiTools {
  private static final int NOT_HERE = 3;
  private static final int BUILD_MINUTES = 40;

  private CiTools() {}

  /**
   * The path of a program, which is built if it is not there; the calling test is skipped where it
   * cannot be built.
   *
   * @param folder for what the build says
   */
  public static Path built(String name, Path folder) throws IOException, InterruptedException {
    var path = folder.resolve(name + ".path").toFile();
    var said = folder.resolve(name + ".build").toFile();
    var build =
        new ProcessBuilder(RepositoryFiles.ROOT.resolve(".ci/tools").toString(), name)
            .directory(RepositoryFiles.ROOT.toFile())
            .redirectOutput(path)
            .redirectError(said)
            .start();
    if (!build.waitFor(BUILD_MINUTES, TimeUnit.MINUTES)) {
      build.destroyForcibly();
      throw new AssertionError(name + " was not built in " + BUILD_MINUTES + " minutes");
    }
    Assumptions.assumeTrue(build.exitValue() != NOT_HERE, Files.readString(said.toPath()));
    assertThat(build.exitValue()).as(Files.readString(said.toPath())).isZero();
    return Path.of(Files.readString(path.toPath()).strip());
  }
}
