package dev.runnerset.deployment.images;

import java.util.List;

/** A program that has an image of its own. */
public enum Program {
  /** The operator. */
  CONTROLLER("dev.runnerset.controller.main.ControllerMain", 8080, 30),
  /** The holder of sessions. */
  LISTENER("dev.runnerset.listener.main.ListenerMain", 8081, 20);

  private final String mainClass;
  private final int port;
  private final int heapPercent;

  Program(String mainClass, int port, int heapPercent) {
    this.mainClass = mainClass;
    this.port = port;
    this.heapPercent = heapPercent;
  }

  /** {@code controller} or {@code listener}. */
  @Override
  public String toString() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }

  String mainClass() {
    return mainClass;
  }

  /** The port of probes and metrics, unless a flag says otherwise. */
  int port() {
    return port;
  }

  /**
   * The options of the JVM. docs/adr/0028 and docs/start/images.md have the figures behind them.
   *
   * <p>The heap is a share of the container's memory; below some 250 MiB the JVM takes the share
   * that is called minimal. The rest is classes, code and threads: some 100 MiB at any size.
   */
  List<String> jvmOptions() {
    return List.of(
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-XX:CompileThresholdScaling=3",
        "-XX:MaxRAMPercentage=" + heapPercent,
        "-XX:MinRAMPercentage=" + heapPercent,
        "-XX:InitialRAMPercentage=8",
        "-XX:+ExitOnOutOfMemoryError",
        "-XX:+ErrorFileToStderr",
        "-XX:-UsePerfData");
  }
}
