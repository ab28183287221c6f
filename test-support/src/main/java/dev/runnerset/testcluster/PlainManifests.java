package dev.runnerset.testcluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The manifests of {@code deploy/} for those without helm. The folder is looked for where {@code
 * -Drunnerset.home} says, else here and above.
 */
public final class PlainManifests {
  private PlainManifests() {}

  /** Both programs, their identities and the CRDs. */
  public static String all() {
    return read("runnerset.yaml");
  }

  /**
   * Namespaces, accounts, roles and the admission policy: for programs that run outside of pods.
   */
  public static String identities() {
    return read("identities.yaml");
  }

  /** What the controller needs in a namespace where sets live. */
  public static String ofSetNamespace(String namespace) {
    return read("set-namespace.yaml")
        .replace("metadata:\n", "metadata:\n  namespace: " + namespace + "\n");
  }

  private static String read(String name) {
    var home = System.getProperty("runnerset.home", "");
    var folder =
        Stream.iterate(Path.of(home).toAbsolutePath(), f -> f != null, Path::getParent)
            .map(f -> f.resolve("deploy"))
            .filter(f -> Files.exists(f.resolve(name)))
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("no folder 'deploy' here or above"));
    try {
      return Files.readString(folder.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
