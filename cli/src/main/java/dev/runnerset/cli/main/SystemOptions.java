package dev.runnerset.cli.main;

import picocli.CommandLine.Option;

/** Where the programs run. */
final class SystemOptions {
  @Option(
      names = "--controller-namespace",
      paramLabel = "NAME",
      description = "the namespace of the controller (runnerset-system)")
  String controller = "runnerset-system";

  @Option(
      names = "--listener-namespace",
      paramLabel = "NAME",
      description = "the namespace of the listener (runnerset-listener)")
  String listener = "runnerset-listener";
}
