package dev.runnerset.controller.features.references;

import dev.runnerset.crds.EphemeralRunner;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The deprecated field {@code status.runnerStatuses}: from a runner's name to its revision and
 * status (RF5). Nothing is decided from it (RF6).
 *
 * @param leftOut the number of runners beyond {@link #MOST_BYTES}, the youngest ones
 */
record FullForm(Map<String, Object> byName, int leftOut) {
  /** More is not written: the object would exceed the size that a server takes. */
  static final int MOST_BYTES = 512 * 1024;

  /** The size of {@code {}}. */
  private static final int BRACES = 2;

  private static final int QUOTES_COLON_COMMA = 4;

  static final FullForm NONE = new FullForm(Map.of(), 0);

  static FullForm of(Collection<EphemeralRunner> runners) {
    var byName = new LinkedHashMap<String, Object>();
    int size = BRACES;
    for (var runner : runners.stream().sorted(ChildReferences.OLDEST_FIRST).toList()) {
      var name = runner.getMetadata().getName();
      var entry = entry(runner);
      size += bytes(name) + bytes(Json.OF_KUBERNETES.asJson(entry)) + QUOTES_COLON_COMMA;
      if (size > MOST_BYTES) {
        break;
      }
      byName.put(name, entry);
    }
    return new FullForm(byName, runners.size() - byName.size());
  }

  private static Map<String, Object> entry(EphemeralRunner runner) {
    var entry = new LinkedHashMap<String, Object>();
    if (runner.getSpec().revision() != null) {
      entry.put(
          "revision",
          runner.getSpec().revision()); // the server drops a null, so it would differ each time
    }
    if (runner.getStatus() != null) {
      // through text, so that numbers get the types that they have when they are read again
      var text = Json.OF_KUBERNETES.asJson(runner.getStatus());
      Map<?, ?> status = Json.OF_KUBERNETES.unmarshal(text, Map.class);
      if (status.get("failure") instanceof Map<?, ?> failure) {
        failure.remove("evidence");
      }
      entry.put("status", status);
    }
    return entry;
  }

  /** Loaded with the first use: most processes never need it, and it is not cheap. */
  private static final class Json {
    static final KubernetesSerialization OF_KUBERNETES = new KubernetesSerialization();
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
