package dev.runnerset.cli.main;

import dev.runnerset.cli.act.Action;
import dev.runnerset.cli.act.DrainProgress;
import dev.runnerset.cli.cluster.Cluster;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.GoDuration;
import dev.runnerset.crds.RunnerMode;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code drain}: a set runs its jobs to their end, and nothing more. */
@Command(
    name = "drain",
    description =
        "Lets a set take no new jobs; idle runners go now, the others after their job."
            + " kubectl runnerset resume ends it.")
final class DrainCommand implements Callable<Integer> {
  private static final Duration PACE = Duration.ofSeconds(2);

  @Mixin final ActOptions act = new ActOptions();

  @Parameters(paramLabel = "SET", description = "the set")
  String set = "";

  @Option(
      names = "--wait",
      description =
          "show the progress until no runner is left; Ctrl-C ends the waiting, and the"
              + " drain goes on")
  boolean isAwaited;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      description = "wait at most that long, as 30m; then exit code 1 (no limit)")
  @Nullable String timeout;

  private final Tool tool;

  DrainCommand(Tool tool) {
    this.tool = tool;
  }

  @Override
  public Integer call() throws InterruptedException {
    var most = timeout == null ? null : limit(timeout);
    try (var cluster = tool.connector().connect(act.cluster)) {
      var found = Named.one(cluster, AutoScalingRunnerSet.class, "set", set);
      boolean drains = act.carryOut(tool, cluster, Action.mode(found, RunnerMode.DRAINED));
      if (!isAwaited || !drains) {
        return ExitCode.OK;
      }
      var hint =
          new Thread(
              () -> tool.remark("The drain goes on; look with: kubectl runnerset status " + set));
      Runtime.getRuntime().addShutdownHook(hint);
      try {
        return await(cluster, most);
      } finally {
        Runtime.getRuntime().removeShutdownHook(hint);
      }
    }
  }

  private static Duration limit(String text) {
    return GoDuration.parse(text)
        .orElseThrow(() ->
            new CommandException(
                ExitCode.USAGE, "--timeout: '" + text + "' is no duration: write 30m or 2h"));
  }

  private int await(Cluster cluster, @Nullable Duration most) throws InterruptedException {
    var begun = tool.now();
    var before = "";
    while (true) {
      var now = cluster.get(AutoScalingRunnerSet.class, cluster.namespace(), set);
      if (now.isEmpty()) {
        throw new CommandException(ExitCode.NOT_FOUND, "The set is gone.");
      }
      var progress = DrainProgress.of(now.get());
      if (!progress.sentence().equals(before)) {
        tool.out().println(progress.sentence());
        before = progress.sentence();
      }
      if (progress.step() != DrainProgress.Step.WAITS) {
        return progress.step() == DrainProgress.Step.DONE ? ExitCode.OK : ExitCode.WRONG;
      }
      if (most != null && !tool.now().isBefore(begun.plus(most))) {
        throw new CommandException(
            ExitCode.WRONG, "The set still has runners after " + timeout + "; the drain goes on.");
      }
      tool.pause().pass(PACE);
    }
  }
}
