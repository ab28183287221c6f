package dev.runnerset.crds;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The CustomResourceDefinitions, as they were generated when this module was built. */
public final class Crds {
  private static final List<String> PLURALS =
      List.of(
          "autoscalingrunnersets",
          "ephemeralrunnersets",
          "ephemeralrunners",
          "autoscalinglisteners");

  private Crds() {}

  /** One YAML document a kind, for {@code kubectl apply -f -}. */
  public static String yaml() {
    return String.join("", documents());
  }

  /** The documents of {@link #yaml()}, each beginning with {@code ---}. */
  public static List<String> documents() {
    return PLURALS.stream().map(plural -> "---\n" + read(plural)).toList();
  }

  private static String read(String plural) {
    var resource = "/META-INF/fabric8/" + plural + "." + ApiGroup.NAME + "-v1.yml";
    try (var in = Crds.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException(
            resource + " is not on the class path: build the crds module");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
