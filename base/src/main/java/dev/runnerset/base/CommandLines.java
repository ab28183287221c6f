package dev.runnerset.base;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Command lines that answer wrong flags with one line on standard error, which names the command,
 * and exit code 2.
 */
public final class CommandLines {
  private static final int LONGEST_LINE = 4_000;

  private CommandLines() {}

  /**
   * The command line of a command. Wrong flags may be found by the parser or by the command, which
   * throws {@link ParameterException}.
   */
  public static CommandLine of(Object command) {
    return new CommandLine(command)
        .setParameterExceptionHandler(
            (failure, given) -> refused(failure.getCommandLine(), failure));
  }

  /**
   * The same for a command whose failures need no stack trace: {@link IllegalArgumentException}
   * means wrong flags, too, and any other exception ends in one line and exit code 1.
   */
  public static CommandLine withoutStackTraces(Object command) {
    return of(command)
        .setExecutionExceptionHandler((failure, line, parsed) -> {
          if (failure instanceof IllegalArgumentException) {
            return refused(line, failure);
          }
          line.getErr().println(name(line) + ": " + firstLine(failure));
          return CommandLine.ExitCode.SOFTWARE;
        });
  }

  private static String name(CommandLine line) {
    return line.getCommandSpec().qualifiedName();
  }

  private static int refused(CommandLine line, Exception failure) {
    var words = failure instanceof UnmatchedArgumentException unknown ? known(unknown) : "";
    line.getErr().println(name(line) + ": " + firstLine(failure) + words + " (see --help)");
    return CommandLine.ExitCode.USAGE;
  }

  /** The flag or the command that is meant, perhaps, and all that there are. */
  private static String known(UnmatchedArgumentException unknown) {
    var commands = unknown.getCommandLine().getSubcommands().keySet();
    var given = unknown.getUnmatched().getFirst().replaceFirst("=.*", "");
    if (!commands.isEmpty() && !given.startsWith("-")) {
      return nearest(given, List.copyOf(commands));
    }
    var flags =
        unknown.getCommandLine().getCommandSpec().optionsMap().keySet().stream()
            .filter(name -> name.startsWith("--"))
            .sorted()
            .toList();
    return nearest(given, flags);
  }

  private static String nearest(String given, List<String> words) {
    return NearestWord.to(given, words).map(word -> "; did you mean " + word + "?").orElse("")
        + "; there are "
        + String.join(", ", words);
  }

  private static String firstLine(Exception failure) {
    var message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    return ShortText.of(message.lines().findFirst().orElse("wrong flags"), LONGEST_LINE);
  }
}
