package dev.runnerset.crds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.testsupport.Checkout;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * No field of v1alpha1 goes, changes its type or becomes required (UP1). {@code
 * -Drunnerset.write=true} adds new fields to the file and takes none away; before the first
 * release, a field that goes is taken out by hand.
 */
final class KindsChangeByAdditionTest {
  private static final Path FILE =
      Path.of("src/test/resources/dev/runnerset/crds/fields-of-v1alpha1.txt");

  private final Map<String, String> now = new TreeMap<>();

  @Test
  void everyFieldStaysAsItIs() throws IOException {
    for (var yaml : Crds.documents()) {
      var crd = Serialization.unmarshal(yaml, CustomResourceDefinition.class);
      var schema = crd.getSpec().getVersions().getFirst().getSchema().getOpenAPIV3Schema();
      collect(schema, crd.getSpec().getNames().getKind());
    }
    var before = once();
    now.forEach((path, type) -> {
      var parent = path.substring(0, path.lastIndexOf('.')).replaceAll("(\\[\\])+$", "");
      assertThat(
              type.endsWith(" required") && !before.containsKey(path) && before.containsKey(parent))
          .as("%s is new and required: objects of older versions lack it", path)
          .isFalse();
    });
    if (Boolean.getBoolean("runnerset.write")) {
      var all = new TreeMap<>(now);
      all.putAll(once());
      Files.writeString(file(), lines(all));
    }
    var once = once();
    var there = new TreeMap<>(now);
    there.keySet().retainAll(once.keySet());
    assertThat(lines(there)).as("fields that were there once").isEqualTo(lines(once));
    var added = new TreeMap<>(now);
    added.keySet().removeAll(once.keySet());
    assertThat(added.keySet())
        .as("new fields: run this test with -Drunnerset.write=true, so that they stay from now on")
        .isEmpty();
  }

  /** What lies below the template is of Kubernetes. */
  private void collect(JSONSchemaProps schema, String path) {
    if (Boolean.TRUE.equals(schema.getXKubernetesPreserveUnknownFields())) {
      return;
    }
    if (schema.getItems() != null) {
      collect(schema.getItems().getSchema(), path + "[]");
    }
    schema
        .getProperties()
        .forEach((name, field) -> {
          var required = schema.getRequired() != null && schema.getRequired().contains(name);
          now.put(path + "." + name, field.getType() + (required ? " required" : ""));
          collect(field, path + "." + name);
        });
  }

  private static String lines(Map<String, String> fields) {
    return fields.entrySet().stream()
        .map(e -> e.getKey() + ": " + e.getValue() + "\n")
        .collect(Collectors.joining());
  }

  private static Map<String, String> once() throws IOException {
    return Files.exists(file())
        ? Files.readAllLines(file()).stream()
            .map(line -> line.split(": ", 2))
            .collect(Collectors.toMap(p -> p[0], p -> p[1], (a, b) -> a, TreeMap::new))
        : Map.of();
  }

  private static Path file() {
    return Checkout.ROOT.resolve("crds").resolve(FILE);
  }
}
