package dev.runnerset.images;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.spi.ToolProvider;

/** The Java run-time of the images: the modules that the programs need, linked by jlink. */
final class JavaRuntime {
  /**
   * What the class files of both programs name, as jdeps tells (a test compares), and
   * jdk.management for the figures of the process.
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
          "jdk.unsupported");

  private JavaRuntime() {}

  /**
   * Links a run-time; works for another architecture than that of this machine.
   *
   * @param modules a folder of jmod files
   * @param target must not exist
   */
  static void link(Path modules, Path target) {
    var out = new StringWriter();
    int result =
        ToolProvider.findFirst("jlink")
            .orElseThrow(() -> new IllegalStateException("this JDK has no jlink"))
            .run(
                new PrintWriter(out),
                new PrintWriter(out),
                "--module-path",
                modules.toString(),
                "--add-modules",
                String.join(",", MODULES),
                "--strip-java-debug-attributes",
                "--no-header-files",
                "--no-man-pages",
                "--output",
                target.toString());
    if (result != 0) {
      throw new IllegalStateException("jlink failed: " + out);
    }
  }
}
