package dev.runnerset.e2e.upgrade;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * The fields that the set and its two children have while nothing happens: they stay when another
 * version follows, also a field {@code later} that neither version knows (UP4).
 */
final class WrittenFields {
  private static final String LATER = "later";

  /** The kinds whose spec a controller writes; a set with a field more asks for a newer one. */
  private static final Set<String> WITH_LATER_SPEC =
      Set.of("EphemeralRunnerSet", "AutoScalingListener");

  /** Fields that a later write may make shorter, or clear. */
  private static final Set<String> COME_AND_GO =
      Set.of("conditions", "childReferences", "runnerStatuses", "releasedIdle");

  private final KubernetesClient kube;
  private final KubeApi api;

  WrittenFields(KubernetesClient kube) {
    this.kube = kube;
    api = new KubeApi(kube);
  }

  /** The set, its EphemeralRunnerSet and its listener object. */
  List<HasMetadata> objects() {
    var objects = new ArrayList<HasMetadata>();
    objects.addAll(objects(AutoScalingRunnerSet.class));
    objects.addAll(objects(EphemeralRunnerSet.class));
    objects.addAll(objects(AutoScalingListener.class));
    return objects;
  }

  <T extends HasMetadata> List<T> objects(Class<T> kind) {
    return kube.resources(kind).inAnyNamespace().list().getItems();
  }

  /** Kind and path of each field below spec and status. */
  NavigableSet<String> paths() {
    var paths = new TreeSet<String>();
    for (var object : objects()) {
      var whole = api.getWhole(Resource.of(object));
      collect(whole.path("spec"), object.getKind() + " spec", paths);
      collect(whole.path("status"), object.getKind() + " status", paths);
    }
    return paths;
  }

  private static void collect(JsonNode value, String path, NavigableSet<String> paths) {
    if (value.isArray()) {
      value.forEach(item -> collect(item, path, paths));
      return;
    }
    paths.add(path);
    value.properties().stream()
        .filter(field -> !COME_AND_GO.contains(field.getKey()))
        .forEach(field -> collect(field.getValue(), path + "." + field.getKey(), paths));
  }

  /** The same kinds, each with the field that is to come. */
  static List<CustomResourceDefinition> withLater(List<CustomResourceDefinition> kinds) {
    for (var kind : kinds) {
      var schema = kind.getSpec().getVersions().getFirst().getSchema().getOpenAPIV3Schema();
      var field = new JSONSchemaPropsBuilder().withType("string").build();
      for (var part : List.of("spec", "status")) {
        Objects.requireNonNull(schema.getProperties().get(part)).getProperties().put(LATER, field);
      }
    }
    return kinds;
  }

  /** Writes that field into each object as a version to come would; how often. */
  int writeLater() {
    var value = JsonNodeFactory.instance.objectNode().put(LATER, "stays");
    int written = 0;
    for (var object : objects()) {
      var _ = api.mergeStatus(object.getClass(), Resource.of(object), value);
      written++;
      if (WITH_LATER_SPEC.contains(object.getKind())) {
        var body = JsonNodeFactory.instance.objectNode().set("spec", value);
        var _ = api.merge(object.getClass(), Resource.of(object), body);
        written++;
      }
    }
    return written;
  }

  /** How often that field is there. */
  long later() {
    return paths().stream().filter(path -> path.endsWith("." + LATER)).count();
  }
}
