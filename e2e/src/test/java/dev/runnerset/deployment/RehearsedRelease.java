package dev.runnerset.deployment;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runnerset.deployment.node.ContainerImage;
import dev.runnerset.e2e.RepositoryFiles;
import dev.runnerset.images.Architecture;
import dev.runnerset.images.ImageArchive;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * This build as a release in a registry on loopback ({@code .ci/rehearse-release}), and the images
 * that a node pulls of it. The registry ends with this object.
 */
final class RehearsedRelease implements AutoCloseable {
  private static final int LIMIT_MINUTES = 5;

  private final Process process;
  private final Path crane;
  private final Path folder;
  private final Map<String, ContainerImage> pulled = new ConcurrentHashMap<>();
  private String registry = "";
  private String version = "";

  /** Publishes; the test is skipped where the tools or the images cannot be had. */
  RehearsedRelease(Path folder) throws IOException {
    this.folder = Files.createDirectories(folder);
    crane = tool("crane");
    process =
        new ProcessBuilder(".ci/rehearse-release")
            .directory(RepositoryFiles.ROOT.toFile())
            .redirectError(folder.resolve("published").toFile())
            .start();
    var reader =
        new BufferedReader(
            new java.io.InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    var line = reader.readLine();
    if (line == null) {
      throw new AssertionError(Files.readString(folder.resolve("published")));
    }
    var place = new ObjectMapper().readTree(line);
    registry = place.path("registry").asText();
    version = place.path("version").asText();
  }

  /** The path of a program of {@code .ci/tools}. */
  static Path tool(String name) {
    var path = run(List.of(".ci/tools", name)).strip();
    Assumptions.assumeTrue(!path.isEmpty(), ".ci/tools has no " + name);
    return Path.of(path);
  }

  String charts() {
    return "oci://" + registry + "/charts";
  }

  String version() {
    return version;
  }

  /** The image behind a name in a pod, pulled for this machine; empty if the registry has none. */
  Optional<ContainerImage> image(String name) {
    return name.startsWith(registry)
        ? Optional.of(pulled.computeIfAbsent(name, this::pull))
        : Optional.empty();
  }

  private ContainerImage pull(String name) {
    try {
      var digest = name.substring(name.lastIndexOf(':') + 1);
      var archive = folder.resolve(digest + ".tar");
      var platform = "linux/" + Architecture.here();
      run(List.of(crane.toString(), "pull", "--platform", platform, name, archive.toString()));
      var root = folder.resolve(digest);
      var image = ImageArchive.read(archive);
      image.unpack(root);
      return ProgramImages.image(image, root);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What a command printed; empty if it failed with the code for what is not here. */
  private static String run(List<String> command) {
    try {
      var process =
          new ProcessBuilder(command)
              .directory(RepositoryFiles.ROOT.toFile())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      var printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)
          || process.exitValue() != 0 && process.exitValue() != 3) {
        throw new AssertionError(command + " ended with " + process.exitValue());
      }
      return printed;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    try {
      if (!process.waitFor(1, TimeUnit.MINUTES)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
