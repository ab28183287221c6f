package dev.runnerset.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Run by the build with the class path of everything: tells the launcher which java, and what. */
final class WriteLaunchFile {
  private WriteLaunchFile() {}

  /** Writes the java binary and the class path, a line each, into {@code args[0]}. */
  public static void main(String[] args) throws IOException {
    var java = Path.of(System.getProperty("java.home"), "bin", "java");
    Files.writeString(Path.of(args[0]), java + "\n" + System.getProperty("java.class.path") + "\n");
  }
}
