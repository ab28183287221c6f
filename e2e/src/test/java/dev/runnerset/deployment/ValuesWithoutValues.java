package dev.runnerset.deployment;

import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Values files with the keys of a chart and no values. */
final class ValuesWithoutValues {
  private ValuesWithoutValues() {}

  /**
   * Two files: one has all keys of the top, the other has the keys below them.
   *
   * @param left keys that are left out, wherever they are
   */
  static List<String> of(Path values, Set<String> left) throws IOException {
    Map<?, ?> all = Serialization.unmarshal(Files.readString(values), Map.class);
    return List.of(
        Serialization.asYaml(emptied(all, left, false)),
        Serialization.asYaml(emptied(all, left, true)));
  }

  private static Map<String, Object> emptied(Map<?, ?> values, Set<String> left, boolean deep) {
    var emptied = new LinkedHashMap<String, Object>();
    values.forEach((key, value) -> {
      if (!left.contains(String.valueOf(key))) {
        emptied.put(
            String.valueOf(key),
            deep && value instanceof Map<?, ?> map && !map.isEmpty()
                ? emptied(map, left, true)
                : null);
      }
    });
    return emptied;
  }
}
