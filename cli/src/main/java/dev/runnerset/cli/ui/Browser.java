package dev.runnerset.cli.ui;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Opens the person's browser. */
public final class Browser {
  private Browser() {}

  /**
   * The command that opens a file in the browser; empty where there is no display.
   *
   * @param system the property {@code os.name}
   */
  static Optional<List<String>> command(String system, Map<String, String> environment) {
    var name = system.toLowerCase(Locale.ROOT);
    if (name.startsWith("mac")) {
      return Optional.of(List.of("open"));
    }
    if (name.startsWith("windows")) {
      return Optional.of(List.of("rundll32", "url.dll,FileProtocolHandler"));
    }
    return environment.containsKey("DISPLAY") || environment.containsKey("WAYLAND_DISPLAY")
        ? Optional.of(List.of("xdg-open"))
        : Optional.empty();
  }

  /** Opens a URL if there is a display; whether a browser was asked to. */
  public static boolean open(String url) {
    var command = command(System.getProperty("os.name", ""), System.getenv());
    if (command.isEmpty()) {
      return false;
    }
    try {
      var words = new ArrayList<>(command.get());
      words.add(file(url).toUri().toString());
      new ProcessBuilder(words)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start();
      return true;
    } catch (IOException e) {
      return false; // the URL is printed
    }
  }

  /**
   * A file that leads to the URL and that only this person can read: everybody on the machine sees
   * the words of a command, and the URL has the token.
   */
  private static Path file(String url) throws IOException {
    var file = Files.createTempFile("runnerset-ui", ".html");
    if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
    var text = "<!doctype html><meta http-equiv=\"refresh\" content=\"0;url=" + url + "\">";
    Files.writeString(file, text, StandardCharsets.UTF_8);
    file.toFile().deleteOnExit();
    return file;
  }
}
