package dev.runnerset.demo;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Ahead-of-time caches of the two programs (JEP 483, 514, 515): classes loaded and methods profiled
 * in a rehearsal, so that the first burst after a start does not wait for the compiler. A cache fits
 * one JVM and one class path of jars; one that does not fit is ignored by the JVM.
 */
record AotCache(Path folder, boolean training) {

  /** Beside the build's own output; written by {@code --train}, used wherever it is there. */
  static AotCache ofBuild(boolean training) {
    return new AotCache(Path.of(classPath().getFirst()).resolveSibling("aot"), training);
  }

  /** What the JVM of that program is told. */
  List<String> jvmOptions(String program) {
    var file = folder.resolve(program + ".aot");
    if (training) {
      try {
        Files.createDirectories(folder);
        Files.deleteIfExists(file);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return List.of("-XX:AOTCacheOutput=" + file);
    }
    return isFresh(file) ? List.of("-XX:AOTCache=" + file, "-Xlog:aot=off") : List.of();
  }

  /** The class path of the programs: jars alone, since a folder of classes cannot be cached. */
  static String programClassPath() {
    var jars = classPath().stream().filter(entry -> entry.endsWith(".jar")).toList();
    return jars.size() + 1 < classPath().size()
        ? String.join(File.pathSeparator, classPath())
        : jars.stream().collect(Collectors.joining(File.pathSeparator));
  }

  private static boolean isFresh(Path file) {
    return Files.isReadable(file)
        && classPath().stream()
            .filter(entry -> entry.endsWith(".jar"))
            .allMatch(jar -> Path.of(jar).toFile().lastModified() <= file.toFile().lastModified());
  }

  private static List<String> classPath() {
    return Arrays.asList(System.getProperty("java.class.path").split(File.pathSeparator));
  }
}
