package dev.runnerset.simulator.kube.http;

import dev.runnerset.simulator.kube.status.ApiException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parameters of a request; the last one of a name counts. */
public record Query(Map<String, String> values) {

  static Query parse(@Nullable String raw) {
    Map<String, String> values = new HashMap<>();
    if (raw != null) {
      for (String pair : raw.split("&")) {
        int equals = pair.indexOf('=');
        String name = equals < 0 ? pair : pair.substring(0, equals);
        values.put(decode(name), equals < 0 ? "" : decode(pair.substring(equals + 1)));
      }
    }
    return new Query(Map.copyOf(values));
  }

  private static String decode(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  public String text(String name) {
    return values.getOrDefault(name, "");
  }

  public boolean has(String name) {
    return !text(name).isEmpty();
  }

  public boolean isTrue(String name) {
    String value = text(name);
    return value.equals("true") || value.equals("1");
  }

  /**
   * @throws ApiException 400 if it is no number
   */
  public long number(String name, long absent) {
    try {
      return has(name) ? Long.parseLong(text(name)) : absent;
    } catch (NumberFormatException e) {
      throw ApiException.badRequest("invalid value for " + name + ": " + text(name));
    }
  }

  public boolean dryRun() {
    if (has("dryRun") && !text("dryRun").equals("All")) {
      throw ApiException.badRequest("dryRun: Unsupported value: supported values: \"All\"");
    }
    return has("dryRun");
  }
}
