package dev.runnerset.base;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Texts that lie beside the classes of the program, and are as constant as these. */
public final class Resources {
  private Resources() {}

  /**
   * A text on the class path.
   *
   * @param name as {@link Class#getResource} takes it
   * @throws IllegalStateException if the class path has no such text
   */
  public static String text(Class<?> beside, String name) {
    try (var in = beside.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is not on the class path: build its module");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
