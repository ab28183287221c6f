package dev.runnerset.cli.main;

import dev.runnerset.cli.act.Action;
import dev.runnerset.cli.act.ActionWriter;
import dev.runnerset.cli.cluster.Cluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The flags of commands that change something, and how they do it. */
final class ActOptions {
  @Mixin final ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--dry-run",
      description = "print the write and let the API server check it, but change nothing")
  boolean dryRun;

  @Option(
      names = {"-y", "--yes"},
      description = "ask nothing: for scripts")
  boolean yes;

  /** Connects, and carries out what is planned there. */
  int call(Tool tool, Function<Cluster, Action.Plan> planner) {
    try (var in = tool.connector().connect(cluster)) {
      carryOut(tool, in, planner.apply(in));
      return ExitCode.OK;
    }
  }

  /**
   * Carries a plan out, after a question.
   *
   * @return whether the object is as it was asked for
   * @throws CommandException if nobody agrees, or the plan or the API server refuses
   */
  boolean carryOut(Tool tool, Cluster in, Action.Plan plan) {
    return switch (plan) {
      case Action.Plan.Refused(var sentence) ->
          throw new CommandException(ExitCode.WRONG, sentence + ".");
      case Action.Plan.Nothing(var sentence) -> {
        tool.out().println(sentence + ".");
        yield true;
      }
      case Action.Plan.Do(var action) -> {
        tool.remark(action.sentence());
        action
            .ownedByGit()
            .ifPresent(owner ->
                tool.remark(
                    "The set comes from Git by "
                        + owner
                        + ", which will set "
                        + action.field()
                        + " back: change it there, too."));
        yield write(tool, in, action);
      }
    };
  }

  private boolean write(Tool tool, Cluster in, Action action) {
    if (dryRun) {
      tool.out().println(command(action));
    } else if (!yes) {
      agree(tool);
    }
    switch (ActionWriter.send(in, action, dryRun)) {
      case DONE -> {}
      case CHANGED_MEANWHILE ->
          throw new CommandException(
              ExitCode.WRONG,
              "Somebody else changed it at the same moment: look at it, and run the command again.");
      case GONE ->
          throw new CommandException(
              ExitCode.NOT_FOUND, "It is gone: " + action.target().getMetadata().getName() + ".");
    }
    if (!dryRun) {
      tool.out().println(action.field() + " is " + action.value() + " now.");
    }
    return !dryRun;
  }

  /** The same write with kubectl. */
  private static String command(Action action) {
    var meta = action.target().getMetadata();
    var patch = Serialization.asJson(action.patch());
    return "kubectl patch %s %s -n %s --type merge -p '%s'"
        .formatted(resource(action.target()), meta.getName(), meta.getNamespace(), patch);
  }

  private static String resource(HasMetadata object) {
    return HasMetadata.getFullResourceName(object.getClass());
  }

  private static void agree(Tool tool) {
    if (!tool.person().isThere()) {
      throw new CommandException(
          ExitCode.DECLINED, "There is no terminal to ask at: add --yes, or --dry-run to look.");
    }
    tool.err().print("Go on? Write yes: ");
    tool.err().flush();
    try {
      var answer = tool.person().answers().readLine();
      if (answer == null || !answer.strip().toLowerCase(Locale.ROOT).equals("yes")) {
        throw new CommandException(ExitCode.DECLINED, "Nothing was changed.");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
