package dev.runnerset.images;

import dev.runnerset.controller.main.ControllerMain;
import dev.runnerset.listener.main.ListenerMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** A program that has an image of its own. */
public enum Program {
  /** The operator. */
  CONTROLLER(ControllerMain.class, 8080),
  /** The holder of sessions. */
  LISTENER(ListenerMain.class, 8081);

  private final Class<?> mainClass;
  private final int port;

  Program(Class<?> mainClass, int port) {
    this.mainClass = mainClass;
    this.port = port;
  }

  /** {@code controller} or {@code listener}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  String mainClass() {
    return mainClass.getName();
  }

  /** The port of probes and metrics, unless a flag says otherwise. */
  int port() {
    return port;
  }

  /** The options of the JVM, as an argument file of {@code java}. */
  String jvmOptions() throws IOException {
    return Files.readString(folder().resolve("jvm.options"));
  }

  /** The program's own module; builds and tests run in the folder of this one. */
  Path folder() {
    return Path.of("..", toString());
  }
}
