package dev.runnerset.testcluster;

import java.nio.file.Path;

/** Where the programs of the control plane come from. */
sealed interface ProgramSource {
  /** They are there. */
  record Ready(Programs programs) implements ProgramSource {}

  /** {@code test-cluster/build} prints their folder, and builds them first if it must. */
  record Buildable(Path script) implements ProgramSource {}

  /** They cannot be had; the reason is for a reader of a test report. */
  record Unavailable(String reason) implements ProgramSource {}
}
