package dev.runnerset.controller.config;

import java.util.Arrays;
import java.util.Optional;

/**
 * Behaviour that is off, or may be turned off, by {@code --feature-gates}. The names are stable;
 * {@code docs/feature-gates.md} is generated from here.
 */
public enum FeatureGate {
  /** Age collection of idle runners. */
  RUNNER_MAXIMUM_GC_AGE(
      "RunnerMaximumGCAge",
      Stage.ALPHA,
      false,
      "idle runners are collected once they are older than `--runner-maximum-gc-age` or the set's"
          + " `spec.garbageCollection.maximumIdleAge` ([age-collection.md](age-collection.md))");

  /** How far a feature has come. */
  public enum Stage {
    /** Off unless asked for; it may change. */
    ALPHA,
    /** On unless refused. */
    BETA,
    /** On for good. */
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

  /** How far it has come. */
  public Stage stage() {
    return stage;
  }

  /** Whether it is on when nobody says anything. */
  public boolean isOnByDefault() {
    return byDefault;
  }

  /** What it turns on, in a sentence of Markdown. */
  public String what() {
    return what;
  }

  /** The gate of that name, spelled exactly. */
  static Optional<FeatureGate> named(String word) {
    return Arrays.stream(values()).filter(gate -> gate.word.equals(word)).findFirst();
  }
}
