package dev.runnerset.base;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version of this build, for {@code --version}, the log and what the service sees of us. */
public final class ProductVersion implements IVersionProvider {
  private static final String TEXT = read();

  /** The version; {@code dev} if the build was not Maven's. */
  public static String text() {
    return TEXT;
  }

  @Override
  public String[] getVersion() {
    return new String[] {"${COMMAND-FULL-NAME} " + TEXT};
  }

  private static String read() {
    var properties = new Properties();
    try (var file = ProductVersion.class.getResourceAsStream("version.properties")) {
      if (file != null) {
        properties.load(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    var version = properties.getProperty("version", "");
    return version.isEmpty() || version.startsWith("$") ? "dev" : version;
  }
}
