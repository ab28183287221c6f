package dev.runnerset.cli.main;

import dev.runnerset.cli.act.Action;
import dev.runnerset.crds.EphemeralRunner;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code retire}: a runner goes as soon as it has no job. */
@Command(
    name = "retire",
    description = "Lets a runner go as soon as it has no job; its set replaces it if it needs one.")
final class RetireCommand implements Callable<Integer> {
  @Mixin final ActOptions act = new ActOptions();

  @Parameters(paramLabel = "RUNNER", description = "the runner")
  String runner = "";

  private final Tool tool;

  RetireCommand(Tool tool) {
    this.tool = tool;
  }

  @Override
  public Integer call() {
    return act.call(
        tool, in -> Action.retire(Named.one(in, EphemeralRunner.class, "runner", runner)));
  }
}
