package dev.runnerset.controller.flags;

import picocli.CommandLine;

/** Runs a command; wrong flags end in one line on standard error that names the command, and 2. */
public final class Commands {
  private Commands() {}

  /** The command with that end for wrong flags, whoever finds them: the parser or the command. */
  public static CommandLine of(Object command) {
    return new CommandLine(command)
        .setParameterExceptionHandler((failure, given) -> {
          var line = failure.getCommandLine();
          var first = String.valueOf(failure.getMessage()).lines().findFirst().orElse("bad flags");
          line.getErr().println(line.getCommandName() + ": " + first + " (see --help)");
          return CommandLine.ExitCode.USAGE;
        });
  }
}
