package dev.runnerset.controller.config;

import java.util.Arrays;
import java.util.EnumMap;
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
  private static final Set<String> VALUES = Set.of("true", "false");

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
    var byGate = new EnumMap<FeatureGate, Boolean>(FeatureGate.class);
    for (var part : text.isBlank() ? new String[0] : text.split(",", -1)) {
      var pair = part.strip().split("=", -1);
      var gate = FeatureGate.named(pair[0]);
      if (pair.length != 2 || !VALUES.contains(pair[1])) {
        throw new IllegalArgumentException(
            "feature gate %1$s: write %1$s=true or %1$s=false, not '%2$s'"
                .formatted(gate.word(), part.strip()));
      }
      if (byGate.put(gate, Boolean.valueOf(pair[1])) != null) {
        throw new IllegalArgumentException("feature gate " + gate.word() + " is named twice");
      }
    }
    return new FeatureGates(
        Arrays.stream(FeatureGate.values())
            .filter(gate -> byGate.getOrDefault(gate, gate.isOnByDefault()))
            .collect(Collectors.toSet()));
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
