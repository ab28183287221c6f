package dev.runnerset.e2e.memory;

import dev.runnerset.demo.programs.Program;
import dev.runnerset.deployment.ProcessFacts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;

/** How much memory a program holds, as the kernel and its JVM say. */
final class ProcessMemory {
  private final Program program;

  ProcessMemory(Program program) {
    this.program = program;
  }

  /** What is resident, in MiB, its pages of files included. */
  double rss() {
    try {
      return new ProcessFacts(program.pid()).mebibytes("VmRSS");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * What is live in its heap, in bytes, after a full collection, without the room that the
   * collection did not close.
   */
  long live() {
    return jcmd("GC.class_histogram")
        .lines()
        .filter(line -> line.matches(" *\\d+: .*") && !line.contains("jdk.internal.vm.Filler"))
        .mapToLong(line -> Long.parseLong(line.strip().split("\\s+")[2])) // rank, count, bytes
        .sum();
  }

  private String jcmd(String command) {
    var jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    try {
      var process = new ProcessBuilder(jcmd, Long.toString(program.pid()), command).start();
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Prints both. */
  void print(String when) {
    double rss = rss(); // a full collection may give pages back
    System.out.printf(
        Locale.ROOT,
        "figure: %s, %s: RSS %.0f MiB, live heap %.1f MB%n",
        program.name(),
        when,
        rss,
        live() / 1e6);
  }
}
