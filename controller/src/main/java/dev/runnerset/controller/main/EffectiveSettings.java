package dev.runnerset.controller.main;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.runnerset.controller.config.FeatureGates;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The settings in force, defaults included, under the names of their flags: for {@code /configz}
 * and the log (AC11). No flag carries a secret.
 */
final class EffectiveSettings {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private EffectiveSettings() {}

  /**
   * The flags of {@link ControllerFlags} by name, and their values, of a command that was parsed.
   */
  static Map<String, Object> of(CommandSpec flags) {
    var all = new LinkedHashMap<String, Object>();
    for (var option : flags.options()) {
      all.put(option.longestName().substring(2), plain(option.getValue()));
    }
    return all;
  }

  private static Object plain(@Nullable Object value) {
    return switch (value) {
      case null -> "";
      case Collection<?> names -> new TreeSet<>(names);
      case FeatureGates gates -> gates.byName();
      case Integer number -> number;
      default -> ControllerFlags.text(value);
    };
  }

  /** The same as JSON. */
  static String json(Map<String, Object> settings) {
    try {
      return JSON.writeValueAsString(settings) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e); // a map of words and numbers
    }
  }
}
