package dev.runnerset.testcluster;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Decides where the programs come from: the folder named by {@code KUBE_API_TEST_DIR}, flat or as
 * {@code k8s/<version>-linux-amd64/} (the newest version that is complete); else the build script
 * beside the {@code go.mod} in {@code test-cluster} of this or a parent folder.
 */
final class ProgramFinder {
  static final String FOLDER_VARIABLE = "KUBE_API_TEST_DIR";
  static final String SWITCH_VARIABLE = "RUNNERSET_TEST_CLUSTER";

  private final Map<String, String> environment;
  private final Path start;

  ProgramFinder(Map<String, String> environment, Path start) {
    this.environment = environment;
    this.start = start.toAbsolutePath();
  }

  boolean isSwitchedOff() {
    return "off".equals(environment.get(SWITCH_VARIABLE));
  }

  ProgramSource find(boolean controllers) {
    if (isSwitchedOff()) {
      return new ProgramSource.Unavailable(SWITCH_VARIABLE + "=off");
    }
    String folder = environment.get(FOLDER_VARIABLE);
    if (folder != null && !folder.isBlank()) {
      return inFolder(Path.of(folder), controllers);
    }
    return buildScript();
  }

  boolean isOnPath(String program) {
    return onPath(program).isPresent();
  }

  /** The first program of this name on the {@code PATH}. */
  Optional<Path> onPath(String program) {
    return Arrays.stream(environment.getOrDefault("PATH", "").split(File.pathSeparator))
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Where helm comes from: the places of {@link #find}, a folder without helm being none. */
  ProgramSource findHelm() {
    ProgramSource source = find(false);
    return source instanceof ProgramSource.Ready(Programs programs) && programs.helm().isEmpty()
        ? new ProgramSource.Unavailable(programs.folder() + " has no helm")
        : source;
  }

  private static ProgramSource inFolder(Path folder, boolean controllers) {
    List<String> wanted =
        controllers
            ? List.of("etcd", "kube-apiserver", "kube-controller-manager")
            : List.of("etcd", "kube-apiserver");
    return Stream.concat(Stream.of(folder), versionFolders(folder.resolve("k8s")).stream())
        .filter(f -> wanted.stream().allMatch(p -> Files.isExecutable(f.resolve(p))))
        .findFirst()
        .<ProgramSource>map(f -> new ProgramSource.Ready(new Programs(f)))
        .orElseGet(() ->
            new ProgramSource.Unavailable(
                "%s=%s has not all of %s, neither flat nor in k8s/<version>-linux-amd64"
                    .formatted(FOLDER_VARIABLE, folder, wanted)));
  }

  private static List<Path> versionFolders(Path k8s) {
    if (!Files.isDirectory(k8s)) {
      return List.of();
    }
    try (Stream<Path> folders = Files.list(k8s)) {
      return folders
          .filter(f -> f.getFileName().toString().matches("v?[0-9]+\\.[0-9]+\\.[0-9]+-.*"))
          .sorted(Comparator.comparing(ProgramFinder::version, Arrays::compare).reversed())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int[] version(Path folder) {
    String digits = folder.getFileName().toString().replaceAll("^v|-.*$", "");
    return Arrays.stream(digits.split("\\.")).mapToInt(Integer::parseInt).toArray();
  }

  private ProgramSource buildScript() {
    Optional<Path> script =
        Stream.iterate(start, f -> f != null, Path::getParent)
            .map(f -> f.resolve("test-cluster"))
            .filter(f -> Files.isRegularFile(f.resolve("go.mod")))
            .map(f -> f.resolve("build"))
            .findFirst();
    return script
        .<ProgramSource>map(ProgramSource.Buildable::new)
        .orElseGet(() ->
            new ProgramSource.Unavailable(
                "no test-cluster/go.mod in %s or above, and %s is not set"
                    .formatted(start, FOLDER_VARIABLE)));
  }
}
