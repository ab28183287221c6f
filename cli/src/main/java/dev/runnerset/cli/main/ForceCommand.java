package dev.runnerset.cli.main;

import dev.runnerset.cli.act.Action;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code force}: ends a deletion that waits. */
@Command(
    name = "force",
    description = {
      "Ends the deletion of a runner, or with --set of a set and its runners, that waits for a job"
          + " or for the service.",
      "Jobs that run there are lost."
    })
final class ForceCommand implements Callable<Integer> {
  @Mixin final ActOptions act = new ActOptions();

  @Parameters(paramLabel = "NAME", description = "the runner, or with --set the set")
  String name = "";

  @Option(names = "--set", description = "the name is that of a set")
  boolean isSet;

  private final Tool tool;

  ForceCommand(Tool tool) {
    this.tool = tool;
  }

  @Override
  public Integer call() {
    return act.call(
        tool,
        in ->
            isSet
                ? Action.force(Named.one(in, AutoScalingRunnerSet.class, "set", name))
                : Action.force(Named.one(in, EphemeralRunner.class, "runner", name)));
  }
}
