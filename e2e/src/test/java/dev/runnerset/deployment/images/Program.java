package dev.runnerset.deployment.images;

import dev.runnerset.e2e.RepositoryFiles;
import java.util.Locale;

/** A program that has an image of its own. */
public enum Program {
  /** The operator. */
  CONTROLLER("dev.runnerset.controller.main.ControllerMain", 8080),
  /** The holder of sessions. */
  LISTENER("dev.runnerset.listener.main.ListenerMain", 8081);

  private final String mainClass;
  private final int port;

  Program(String mainClass, int port) {
    this.mainClass = mainClass;
    this.port = port;
  }

  /** {@code controller} or {@code listener}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  String mainClass() {
    return mainClass;
  }

  /** The port of probes and metrics, unless a flag says otherwise. */
  int port() {
    return port;
  }

  /** The options of the JVM, as an argument file of {@code java}. */
  String jvmOptions() {
    return RepositoryFiles.read(this + "/jvm.options");
  }
}
