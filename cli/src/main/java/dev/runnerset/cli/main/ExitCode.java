package dev.runnerset.cli.main;

/** What the program ends with; docs/operate/kubectl-runnerset.md has the same table. */
final class ExitCode {
  /** Done. */
  static final int OK = 0;

  /** Something is wrong with what was asked about, or the cluster refuses or does not answer. */
  static final int WRONG = 1;

  /** The command line is wrong. */
  static final int USAGE = 2;

  /** There is no such set, runner or job. */
  static final int NOT_FOUND = 3;

  /** A person was needed to agree and did not, or there was none. */
  static final int DECLINED = 4;

  private ExitCode() {}
}
