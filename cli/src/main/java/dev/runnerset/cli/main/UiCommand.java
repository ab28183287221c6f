package dev.runnerset.cli.main;

import dev.runnerset.cli.ui.Browser;
import dev.runnerset.cli.ui.ClusterStage;
import dev.runnerset.cli.ui.Stage;
import dev.runnerset.cli.ui.Ui;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ui}: a page of the fleet that lives, on loopback. */
@Command(
    name = "ui",
    description = {
      "Serves a page of sets and runners on 127.0.0.1 until Ctrl-C, and opens it in your browser.",
      "It reads the cluster with your own rights, and changes nothing without --allow-actions. The"
          + " address works once and for one browser."
    })
final class UiCommand implements Callable<Integer> {
  @Mixin final SelectionOptions sets = new SelectionOptions();

  @Option(names = "--port", paramLabel = "PORT", description = "the port; 0 (the default): any")
  int port;

  @Option(names = "--no-browser", description = "print the address, and open no browser")
  boolean noBrowser;

  @Option(
      names = "--allow-actions",
      description = "the page has buttons to pause, resume and drain sets, and to retire runners")
  boolean allowActions;

  private final Tool tool;

  UiCommand(Tool tool) {
    this.tool = tool;
  }

  @Override
  public Integer call() throws InterruptedException {
    if (port < 0 || port > 65_535) {
      throw new CommandException(ExitCode.USAGE, "--port: " + port + " is not in 0..65535");
    }
    try (var cluster = tool.connector().connect(sets.cluster);
        var ui =
            Ui.start(
                cluster,
                sets.selection(cluster),
                port,
                allowActions ? new ClusterStage(cluster) : Stage.NONE,
                tool.clock())) {
      tool.out().println(ui.entryUrl());
      boolean isOpen = !noBrowser && Browser.open(ui.entryUrl());
      tool.remark(
          (isOpen ? "A browser opens that address." : "Open that address in a browser.")
              + " It works once. Ctrl-C ends the page.");
      new CountDownLatch(1).await();
    }
    return ExitCode.OK;
  }
}
