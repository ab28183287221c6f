package dev.runnerset.e2e.beside;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.e2e.RepositoryFiles;
import dev.runnerset.e2e.Shell;
import dev.runnerset.migrate.main.MigrateMain;
import dev.runnerset.testcluster.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The commands of a page of the docs, in the page's order, run as they stand there. */
final class PageCommands {
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
  private final Shell shell;

  /**
   * The commands of a page.
   *
   * @param folder where they run; {@code ./runnerset} knows migrate there, and {@code deploy} is
   *     there
   */
  PageCommands(Path page, Path folder, TestCluster cluster) throws IOException {
    shell = new Shell(cluster, folder);
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
    return shell.run(command).done().text();
  }
}
