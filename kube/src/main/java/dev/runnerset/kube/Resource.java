package dev.runnerset.kube;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * The address of one object.
 *
 * @param apiPath {@code /api/v1} or {@code /apis/<group>/<version>}
 * @param namespace empty for a cluster-scoped kind
 */
public record Resource(String apiPath, String namespace, String plural, String name) {

  /** The address of an object of a typed class. */
  public static Resource of(HasMetadata object) {
    return of(
        object.getClass(), object.getMetadata().getNamespace(), object.getMetadata().getName());
  }

  /** The address of an object of the class's kind. */
  public static Resource of(Class<? extends HasMetadata> kind, String namespace, String name) {
    var version = HasMetadata.getApiVersion(kind);
    var path = version.indexOf('/') < 0 ? "/api/" + version : "/apis/" + version;
    return new Resource(path, namespace, HasMetadata.getPlural(kind), name);
  }

  /** The resourceVersion of an object as a number; 0 if it is none. */
  public static long version(HasMetadata object) {
    try {
      return Long.parseLong(object.getMetadata().getResourceVersion());
    } catch (NumberFormatException e) {
      return 0; // null, too
    }
  }

  /** The path of the object. */
  String path() {
    return collectionPath() + "/" + URLEncoder.encode(name, StandardCharsets.UTF_8);
  }

  /** The path of all objects of its kind in its namespace. */
  String collectionPath() {
    return apiPath + (namespace.isEmpty() ? "" : "/namespaces/" + namespace) + "/" + plural;
  }

  @Override
  public String toString() {
    return plural + " " + (namespace.isEmpty() ? "" : namespace + "/") + name;
  }
}
