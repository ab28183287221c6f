package dev.runnerset.images;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Programs of the JDK and of Debian, run to their end. */
final class Tool {
  private Tool() {}

  /**
   * Runs a program and waits for its end.
   *
   * @param input what it reads; a program that prints much must read all of it first
   * @return what it printed
   * @throws IOException if it is not there or fails, with what it printed
   */
  static String run(byte[] input, List<String> command) throws IOException {
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().remove("JDK_JAVA_OPTIONS");
    var process = builder.start();
    try (var in = process.getOutputStream()) {
      in.write(input);
    }
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.onExit().join().exitValue() != 0) {
      throw new IOException(command + " failed: " + output.strip());
    }
    return output;
  }

  static String run(String... command) throws IOException {
    return run(new byte[0], List.of(command));
  }
}
