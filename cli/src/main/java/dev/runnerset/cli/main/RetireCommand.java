package dev.runnerset.cli.main;

import dev.runnerset.cli.act.Action;
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
    try (var cluster = tool.connector().connect(act.cluster)) {
      act.carryOut(tool, cluster, Action.retire(Runners.one(cluster, runner)));
      return ExitCode.OK;
    }
  }
}
