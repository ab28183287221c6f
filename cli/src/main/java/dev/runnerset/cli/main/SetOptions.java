package dev.runnerset.cli.main;

import java.util.Optional;
import picocli.CommandLine.Parameters;

/** The sets that a command reads; one of them may be named. */
final class SetOptions extends SelectionOptions {
  @Parameters(arity = "0..1", paramLabel = "SET", description = "one set (all of the namespace)")
  Optional<String> set = Optional.empty();
}
