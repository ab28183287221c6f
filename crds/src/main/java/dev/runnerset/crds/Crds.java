package dev.runnerset.crds;

import dev.runnerset.base.Resources;
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
    return Resources.text(
        Crds.class, "/META-INF/fabric8/" + plural + "." + ApiGroup.NAME + "-v1.yml");
  }
}
