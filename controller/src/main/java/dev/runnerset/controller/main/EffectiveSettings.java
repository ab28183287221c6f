package dev.runnerset.controller.main;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.runnerset.controller.config.ControllerSettings;
import dev.runnerset.controller.config.FeatureGate;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;

/**
 * What the controller works with, defaults included, under the names of its flags: for {@code
 * /configz} and the log (AC11). No flag carries a secret.
 */
final class EffectiveSettings {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private EffectiveSettings() {}

  /** Flags and their values. */
  static Map<String, Object> of(ControllerSettings settings) {
    var gates = new LinkedHashMap<String, Boolean>();
    for (var gate : FeatureGate.values()) {
      gates.put(gate.word(), settings.gates().isOn(gate));
    }
    var ages = settings.ageCollection();
    var all = new LinkedHashMap<String, Object>();
    all.put("namespace", new TreeSet<>(settings.namespaces()));
    all.put("controller-namespace", settings.controllerNamespace());
    all.put("listener-namespace", settings.listenerNamespace());
    all.put("listener-service-account", settings.listenerServiceAccount());
    all.put("identity", settings.identity());
    all.put("lease-duration", text(settings.lease().lasts()));
    all.put("renew-deadline", text(settings.lease().renewWithin()));
    all.put("retry-period", text(settings.lease().retryEvery()));
    all.put("runner-concurrency", settings.concurrency());
    all.put("protection-window", text(settings.protectionWindow()));
    all.put("feature-gates", gates);
    all.put("runner-maximum-gc-age", text(ages.maximumAge()));
    all.put("runner-minimum-gc-age", text(ages.minimumAge()));
    all.put("runner-gc-period", text(ages.period()));
    all.put("embedded-status", settings.embeddedStatus().word());
    return all;
  }

  /** The same as JSON. */
  static String json(ControllerSettings settings) {
    try {
      return JSON.writeValueAsString(of(settings)) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e); // a map of words and numbers
    }
  }

  /** As a flag takes it: {@code 1h30m}, {@code 0s}. */
  static String text(Duration time) {
    var words = new StringBuilder();
    append(words, time.toHours(), "h");
    append(words, time.toMinutesPart(), "m");
    append(words, time.toSecondsPart(), "s");
    append(words, time.toMillisPart(), "ms");
    return words.isEmpty() ? "0s" : words.toString();
  }

  private static void append(StringBuilder words, long amount, String unit) {
    if (amount > 0) {
      words.append(amount).append(unit);
    }
  }
}
