package dev.runnerset.images;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The Java run-time of the images: the modules that the programs need, linked by jlink. */
final class JavaRuntime {
  /**
   * What both programs use: HTTP as client and server, XML for the log's configuration, naming and
   * Unsafe for libraries, management for the figures of the process, jdk.net for sockets that are
   * asked whether the other end is there. The test that runs the images says what is missing.
   */
  static final List<String> MODULES =
      List.of(
          "java.base",
          "java.logging",
          "java.management",
          "java.naming",
          "java.net.http",
          "java.xml",
          "jdk.httpserver",
          "jdk.management",
          "jdk.net",
          "jdk.unsupported");

  private JavaRuntime() {}

  /**
   * Links a run-time; works for another architecture than that of this machine. In a process of its
   * own, since what jlink makes depends on what its JVM has done before.
   *
   * @param modules a folder of jmod files
   * @param target must not exist
   */
  static void link(Path modules, Path target) throws IOException {
    var _ =
        Tool.run(
            Path.of(System.getProperty("java.home"), "bin", "jlink").toString(),
            "--module-path",
            modules.toString(),
            "--add-modules",
            String.join(",", MODULES),
            "--strip-java-debug-attributes",
            "--no-header-files",
            "--no-man-pages",
            "--output",
            target.toString());
  }
}
