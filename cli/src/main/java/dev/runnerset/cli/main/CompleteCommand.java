package dev.runnerset.cli.main;

import static java.util.Objects.requireNonNull;

import dev.runnerset.cli.cluster.Selection;
import dev.runnerset.crds.AutoScalingRunnerSet;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code __complete WORDS}: what the last word may become, a line each, in the form that kubectl
 * reads from {@code kubectl_complete-runnerset} for bash, zsh and fish.
 */
@Command(name = "__complete", hidden = true)
final class CompleteCommand implements Callable<Integer> {
  /** The shell completes no file names. */
  private static final String NO_FILES = ":4";

  @Spec private @Nullable CommandSpec spec;

  @Parameters(arity = "0..*")
  List<String> words = List.of();

  private final Tool tool;

  CompleteCommand(Tool tool) {
    this.tool = tool;
  }

  @Override
  public Integer call() {
    var given = words.isEmpty() ? List.of("") : words;
    var last = given.getLast();
    var found = new TreeSet<String>();
    if (!last.startsWith("-") && given.size() > 1 && takesSet(given.getFirst())) {
      found.addAll(sets());
    } else {
      found.addAll(commandsAndFlags(given, last));
    }
    found.stream().filter(word -> word.startsWith(last)).forEach(tool.out()::println);
    tool.out().println(NO_FILES);
    return ExitCode.OK;
  }

  /** Whether the first parameter of a command may be a set. */
  private boolean takesSet(String command) {
    var found = requireNonNull(spec).root().subcommands().get(command);
    return found != null
        && found.getCommandSpec().positionalParameters().stream()
            .anyMatch(parameter -> parameter.paramLabel().startsWith("SET"));
  }

  private List<String> commandsAndFlags(List<String> given, String last) {
    var candidates = new ArrayList<CharSequence>();
    AutoComplete.complete(
        requireNonNull(spec).root(),
        given.toArray(String[]::new),
        given.size() - 1,
        last.length(),
        0,
        candidates);
    return candidates.stream().map(end -> last + end).toList();
  }

  /** The names of the sets in the usual namespace; none where the cluster does not answer. */
  private List<String> sets() {
    try (var cluster = tool.connector().connect(new ClusterOptions())) {
      var selection = Selection.of(cluster.namespace());
      return Named.names(cluster.list(AutoScalingRunnerSet.class, selection).items());
    } catch (RuntimeException e) {
      return List.of(); // a completion has nowhere to say what is wrong: the command will
    }
  }
}
