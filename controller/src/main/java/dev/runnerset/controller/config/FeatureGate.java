package dev.runnerset.controller.config;

import dev.runnerset.base.NearestWord;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Features that {@code --feature-gates} turns on or off. The names are stable; {@code
 * docs/reference/feature-gates.md} is generated from here.
 */
public enum FeatureGate {
  /** Age collection of idle runners. */
  RUNNER_MAXIMUM_GC_AGE(
      "RunnerMaximumGCAge",
      Stage.ALPHA,
      false,
      "idle runners are collected once they are older than `--runner-maximum-gc-age` or the set's"
          + " `spec.garbageCollection.maximumIdleAge`"
          + " ([age collection](../operate/age-collection.md))");

  /** The maturity of a feature. */
  public enum Stage {
    /** Off by default; may change. */
    ALPHA,
    /** On by default. */
    BETA,
    /** Always on. */
    GA
  }

  private final String word;
  private final Stage stage;
  private final boolean byDefault;
  private final String what;

  FeatureGate(String word, Stage stage, boolean byDefault, String what) {
    this.word = word;
    this.stage = stage;
    this.byDefault = byDefault;
    this.what = what;
  }

  /** Its name in the flag. */
  public String word() {
    return word;
  }

  /** Its maturity. */
  public Stage stage() {
    return stage;
  }

  /** Whether it is on by default. */
  public boolean isOnByDefault() {
    return byDefault;
  }

  /** What it turns on, in a sentence of Markdown. */
  public String what() {
    return what;
  }

  /**
   * The gate of that name, spelled exactly.
   *
   * @throws IllegalArgumentException with a sentence for the user: there is none
   */
  static FeatureGate named(String word) {
    return Arrays.stream(values())
        .filter(gate -> gate.word.equals(word))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "unknown feature gate '"
                    + word
                    + "': "
                    + NearestWord.to(word, Arrays.stream(values()).map(FeatureGate::word).toList())
                        .map(near -> "did you mean " + near + "? ")
                        .orElse("")
                    + "there is "
                    + Arrays.stream(values())
                        .map(FeatureGate::word)
                        .collect(Collectors.joining(", "))));
  }
}
