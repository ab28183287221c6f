package dev.runnerset.e2e.beside;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.e2e.RepositoryFiles;
import dev.runnerset.migrate.main.MigrateMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The commands of a page of the docs, in the page's order, run as they stand there. */
final class PageCommands {
  private static final int LIMIT_SECONDS = 200;

  private static final String LAUNCHER =
      """
      #!/bin/sh
      run() { exec '%s' -XX:TieredStopAtLevel=1 -cp '%s' "$@"; }
      command=$1
      shift
      case $command in
        migrate) run %s "$@" ;;
        *) exit 2 ;;
      esac
      """;

  private final Deque<String> left = new ArrayDeque<>();
  private final Path folder;
  private final Path kubectl;
  private final Path kubeconfig;

  /**
   * The commands of a page.
   *
   * @param folder where they run; {@code ./runnerset} knows migrate there, and {@code deploy} is
   *     there
   */
  PageCommands(Path page, Path folder, Path kubectl, Path kubeconfig) throws IOException {
    this.folder = folder;
    this.kubectl = kubectl;
    this.kubeconfig = kubeconfig;
    Files.readString(page)
        .lines()
        .filter(line -> line.startsWith("$ "))
        .map(line -> line.substring(2))
        .forEach(left::add);
    var java = Path.of(System.getProperty("java.home"), "bin", "java");
    var launcher =
        Files.writeString(
            folder.resolve("runnerset"),
            LAUNCHER.formatted(
                java, System.getProperty("java.class.path"), MigrateMain.class.getName()));
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
    Files.createSymbolicLink(
        folder.resolve("deploy"), RepositoryFiles.ROOT.resolve("deploy").toAbsolutePath());
  }

  /** Runs the next command, which must begin so; what it printed. */
  String run(String beginning) {
    var command = left.poll();
    assertThat(command).as("the page's next command").startsWith(beginning);
    return shell(command);
  }

  /** Passes over the next command, which must begin so: it needs what is not here. */
  void skip(String beginning) {
    assertThat(left.poll()).as("the page's next command").startsWith(beginning);
  }

  /** What was not run and not passed over. */
  List<String> left() {
    return List.copyOf(left);
  }

  /** Runs a command that is not on the page. */
  String shell(String command) {
    try {
      var out = Files.createTempFile(folder, "command", ".out");
      var builder =
          new ProcessBuilder("bash", "-eo", "pipefail", "-c", command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(out.toFile());
      var environment = builder.environment();
      environment.put("KUBECONFIG", kubeconfig.toString());
      environment.put("PATH", kubectl.getParent() + ":" + System.getenv("PATH"));
      var process = builder.start();
      if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError(command + " does not end: " + Files.readString(out));
      }
      var text = Files.readString(out);
      assertThat(process.exitValue()).as("%s\n%s", command, text).isZero();
      return text;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
