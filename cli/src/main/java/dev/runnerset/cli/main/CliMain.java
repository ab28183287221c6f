package dev.runnerset.cli.main;

import dev.runnerset.base.CommandLines;
import dev.runnerset.base.ProductVersion;
import dev.runnerset.cli.cluster.Cluster;
import dev.runnerset.cli.cluster.ClusterException;
import dev.runnerset.kube.KubeConnection;
import dev.runnerset.kube.UnreachableClusterException;
import dev.runnerset.migrate.BadInput;
import dev.runnerset.migrate.main.MigrateMain;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code kubectl runnerset}: shows and steers sets with the rights of the person who runs it. */
@Command(
    name = "kubectl runnerset",
    versionProvider = ProductVersion.class,
    mixinStandardHelpOptions = true,
    description = {
      "Shows sets of runners, says why something does not work, and pauses, resumes and drains"
          + " sets, with your own rights in the cluster.",
      "Exit codes: 0 done; 1 something is wrong, or the cluster refuses or does not answer; 2 wrong"
          + " flags; 3 there is no such set, runner or job; 4 nobody agreed."
    })
public final class CliMain implements Runnable {
  private CliMain() {}

  /** Runs the command, and ends the process with its exit code. */
  public static void main(String[] args) {
    System.setProperty("logback.configurationFile", "dev/runnerset/cli/logback.xml");
    var tool = Tool.ofThisProcess(CliMain::connect);
    int code = line(tool).execute(args);
    System.exit(tool.out().checkError() ? ExitCode.OK : code); // the reader of a pipe has gone
  }

  /** The command line with all commands. */
  public static CommandLine line(Tool tool) {
    var line =
        CommandLines.of(new CliMain())
            .addSubcommand(new StatusCommand(tool))
            .addSubcommand(new RunnersCommand(tool))
            .addSubcommand(new JobsCommand(tool))
            .addSubcommand(new CapacityCommand(tool))
            .addSubcommand(new HistoryCommand(tool))
            .addSubcommand(new ScheduleCommand(tool))
            .addSubcommand(new UiCommand(tool))
            .addSubcommand(new WhyCommand(tool))
            .addSubcommand(new DoctorCommand(tool))
            .addSubcommand(new TopCommand(tool))
            .addSubcommand(new ReportCommand(tool))
            .addSubcommand(new ModeCommand.Pause(tool))
            .addSubcommand(new ModeCommand.Resume(tool))
            .addSubcommand(new DrainCommand(tool))
            .addSubcommand(new RetireCommand(tool))
            .addSubcommand(new ForceCommand(tool))
            .addSubcommand("migrate", new MigrateMain(System.in, tool.out(), tool.err()))
            .addSubcommand(new CompleteCommand(tool));
    line.setOut(new PrintWriter(tool.out(), true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(tool.err(), true, StandardCharsets.UTF_8))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpWidth(Math.max(55, tool.screen().columns()))
        .setUsageHelpAutoWidth(false);
    line.getSubcommands()
        .values()
        .forEach(each -> each.getCommandSpec().mixinStandardHelpOptions(true));
    return line.setExecutionExceptionHandler((failure, command, parsed) -> ended(failure, tool));
  }

  private static int ended(Exception failure, Tool tool) {
    switch (failure) {
      case CommandException e -> {
        tool.remark(e.getMessage());
        return e.exitCode();
      }
      case ClusterException e -> tool.remark(e.getMessage());
      case UnreachableClusterException e -> tool.remark(e.getMessage());
      case BadInput e -> {
        tool.remark(e.getMessage());
        return ExitCode.USAGE;
      }
      case KubernetesClientException e ->
          tool.remark(ClusterException.of(e, "its address").getMessage());
      default -> tool.remark("This is a fault of the program, please report it: " + failure);
    }
    return ExitCode.WRONG;
  }

  private static Cluster connect(ClusterOptions options) {
    var agent = "kubectl-runnerset/" + ProductVersion.text();
    var client = KubeConnection.connect(options.kubeconfig(), options.context(), agent);
    var namespace = client.getConfiguration().getNamespace();
    return new Cluster(
        client, options.namespace().orElse(namespace == null ? "default" : namespace));
  }

  /** There must be a command. */
  @Override
  public void run() {
    throw new CommandException(
        ExitCode.USAGE, "Name a command: kubectl runnerset --help lists them");
  }
}
