package dev.runnerset.cli.main;

import dev.runnerset.cli.act.Action;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.RunnerMode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code pause} and {@code resume}: whether a set takes jobs. */
abstract sealed class ModeCommand implements Callable<Integer> {
  @Mixin final ActOptions act = new ActOptions();

  @Parameters(paramLabel = "SET", description = "the set")
  String set = "";

  private final Tool tool;
  private final RunnerMode mode;

  private ModeCommand(Tool tool, RunnerMode mode) {
    this.tool = tool;
    this.mode = mode;
  }

  @Override
  public Integer call() {
    return act.call(
        tool, in -> Action.mode(Named.one(in, AutoScalingRunnerSet.class, "set", set), mode));
  }

  /** {@code pause}. */
  @Command(
      name = "pause",
      description = "Lets a set take no new jobs; its runners stay, and jobs that run go on.")
  static final class Pause extends ModeCommand {
    Pause(Tool tool) {
      super(tool, RunnerMode.PAUSED);
    }
  }

  /** {@code resume}. */
  @Command(name = "resume", description = "Lets a set that is paused or drained take jobs again.")
  static final class Resume extends ModeCommand {
    Resume(Tool tool) {
      super(tool, RunnerMode.ACTIVE);
    }
  }
}
