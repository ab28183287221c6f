package dev.runnerset.cli.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.cli.main.CliMain;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** 42.2: the memory of {@code ui} as a process of its own, with three browsers. */
@Tag("nightly")
final class UiMemoryIT {
  private static final int SETS = 300;
  private static final int RUNNERS_EACH = 10;
  private static final long MIB = 1024;

  @TempDir Path folder;

  @Test
  void threeHundredSetsAndThreeThousandRunnersTakeLessThanTwoHundredMebibytes() throws Exception {
    try (var fleet = Fleets.many(SETS, RUNNERS_EACH)) {
      var kubeconfig =
          Files.writeString(folder.resolve("kubeconfig"), fleet.server().kubeconfig()).toString();
      var command = new ArrayList<>(List.of(program("java")));
      command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx96m"));
      command.addAll(List.of("-cp", System.getProperty("java.class.path")));
      command.addAll(List.of(CliMain.class.getName(), "ui", "-A", "--no-browser"));
      command.addAll(List.of("--kubeconfig", kubeconfig));
      var page = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      try (var out =
              new BufferedReader(
                  new InputStreamReader(page.getInputStream(), StandardCharsets.UTF_8));
          var visitor = new Visitor(out.readLine());
          var first = visitor.events("");
          var second = visitor.events("?set=ci/set-1");
          var third = visitor.events("?set=ci/set-2")) {
        first.await("ci/set-299");
        second.await("ci/set-1-9");
        third.await("ci/set-2-9");
        for (int i = 0; i < SETS; i++) {
          fleet.status("ci", "set-" + i, "{runners: {busy: " + (20 + i) + "}}");
        }
        first.await("\"busy\":" + (20 + SETS - 1) + ",");
        long rss = kibibytes(page, "VmRSS");
        System.out.printf(
            "ui with %d sets, %d runners, 3 browsers, after %d changes: RSS %d MiB, at most %d%n",
            SETS, SETS * RUNNERS_EACH, SETS, rss / MIB, kibibytes(page, "VmHWM") / MIB);
        assertThat(rss).isLessThan(200 * MIB);
      } finally {
        page.destroy();
      }
    }
  }

  private static String program(String name) {
    return Path.of(System.getProperty("java.home"), "bin", name).toString();
  }

  private static long kibibytes(Process process, String field) throws IOException {
    return Files.readAllLines(Path.of("/proc", String.valueOf(process.pid()), "status")).stream()
        .filter(line -> line.startsWith(field + ":"))
        .map(line -> line.replaceAll("\\D", ""))
        .mapToLong(Long::parseLong)
        .findFirst()
        .orElseThrow();
  }
}
