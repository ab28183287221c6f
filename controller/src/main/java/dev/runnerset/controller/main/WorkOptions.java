package dev.runnerset.controller.main;

import dev.runnerset.controller.config.ControllerSettings;
import java.time.Duration;
import picocli.CommandLine.Option;

/** How it works on its sets. */
final class WorkOptions {
  @Option(
      names = "--runner-concurrency",
      paramLabel = "N",
      defaultValue = "" + ControllerSettings.CONCURRENCY,
      description =
          "calls to one service at once, 1 to 512; half as many more threads reconcile (default:"
              + " ${DEFAULT-VALUE})")
  private int concurrency = ControllerSettings.CONCURRENCY;

  @Option(
      names = "--protection-window",
      paramLabel = "TIME",
      defaultValue = "10s",
      converter = DurationText.class,
      description =
          "a runner that just became idle is spared so long while jobs are on their way (default:"
              + " ${DEFAULT-VALUE})")
  private Duration protectionWindow = ControllerSettings.PROTECTION_WINDOW;

  int concurrency() {
    return concurrency;
  }

  Duration protectionWindow() {
    return protectionWindow;
  }
}
