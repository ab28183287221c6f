package dev.runnerset.controller.config;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which features are on.
 *
 * @param on the gates that are on; all others are off
 */
public record FeatureGates(Set<FeatureGate> on) {
  /** Each gate as it is by default. */
  public static final FeatureGates DEFAULTS = parse("");

  /** Copies the set. */
  public FeatureGates {
    on = Set.copyOf(on);
  }

  /**
   * The gates as a flag spells them: {@code A=true,B=false}; other gates keep their default.
   *
   * @throws IllegalArgumentException with a sentence for the user: an unknown gate, a value that is
   *     neither true nor false, a gate named twice
   */
  public static FeatureGates parse(String text) {
    var on = EnumSet.noneOf(FeatureGate.class);
    Arrays.stream(FeatureGate.values()).filter(FeatureGate::isOnByDefault).forEach(on::add);
    var named = new HashSet<FeatureGate>();
    for (var part : text.isBlank() ? new String[0] : text.split(",", -1)) {
      var pair = part.strip().split("=", -1);
      var gate = FeatureGate.named(pair[0]).orElseThrow(() -> unknown(pair[0]));
      if (pair.length != 2 || !(pair[1].equals("true") || pair[1].equals("false"))) {
        throw new IllegalArgumentException(
            "feature gate "
                + gate.word()
                + ": write "
                + gate.word()
                + "=true or "
                + gate.word()
                + "=false, not '"
                + part.strip()
                + "'");
      }
      if (!named.add(gate)) {
        throw new IllegalArgumentException("feature gate " + gate.word() + " is named twice");
      }
      if (pair[1].equals("true")) {
        on.add(gate);
      } else {
        on.remove(gate);
      }
    }
    return new FeatureGates(on);
  }

  private static IllegalArgumentException unknown(String word) {
    var known =
        Arrays.stream(FeatureGate.values())
            .map(FeatureGate::word)
            .collect(Collectors.joining(", "));
    return new IllegalArgumentException("unknown feature gate '" + word + "': there is " + known);
  }

  /** All gates by their name in the flag, and whether each is on. */
  public Map<String, Boolean> byName() {
    var all = new LinkedHashMap<String, Boolean>();
    for (var gate : FeatureGate.values()) {
      all.put(gate.word(), isOn(gate));
    }
    return all;
  }

  /** Whether the feature is on. */
  public boolean isOn(FeatureGate gate) {
    return on.contains(gate);
  }
}
