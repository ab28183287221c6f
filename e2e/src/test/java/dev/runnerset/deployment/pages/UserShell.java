package dev.runnerset.deployment.pages;

import dev.runnerset.e2e.RepositoryFiles;
import dev.runnerset.e2e.Shell;
import dev.runnerset.testcluster.HelmProgram;
import dev.runnerset.testcluster.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;

/**
 * A shell as a user has it in a checkout, with a cluster behind it. The folder is a copy made of
 * links, so what a command writes does not land in the checkout.
 */
final class UserShell implements AutoCloseable {
  private final Path home;
  private final Shell shell;

  UserShell(Path home, TestCluster cluster) throws IOException {
    this.home = home;
    shell = new Shell(cluster, home);
    shell.find(HelmProgram.path());
    shell.find(plugin(Files.createDirectory(home.resolveSibling("plugins"))));
    shell.set("HOME", home.toString());
    shell.set("GITHUB_TOKEN", "not-a-token");
    try (Stream<Path> entries = Files.list(RepositoryFiles.ROOT)) {
      for (var entry : entries.toList()) {
        Files.createSymbolicLink(home.resolve(entry.getFileName()), entry);
      }
    }
  }

  /** The plugin of kubectl, from this checkout. */
  private static Path plugin(Path folder) throws IOException {
    var script =
        "#!/bin/sh\nexec " + RepositoryFiles.ROOT.resolve("runnerset") + " kubectl \"$@\"\n";
    var file = Files.writeString(folder.resolve("kubectl-runnerset"), script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return file;
  }

  /** Takes the links away, so that nobody who deletes the folder follows them. */
  @Override
  public void close() throws IOException {
    try (Stream<Path> entries = Files.list(home)) {
      for (var link : entries.filter(Files::isSymbolicLink).toList()) {
        Files.delete(link);
      }
    }
  }

  Shell.Result run(String command) {
    return shell.run(command);
  }
}
