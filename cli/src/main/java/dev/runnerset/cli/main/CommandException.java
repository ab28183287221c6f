package dev.runnerset.cli.main;

/** A command that ends with one sentence on standard error. */
final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  /**
   * That sentence, and one of {@link ExitCode}.
   *
   * @param sentence says what to change
   */
  CommandException(int exitCode, String sentence) {
    super(sentence);
    this.exitCode = exitCode;
  }

  int exitCode() {
    return exitCode;
  }
}
