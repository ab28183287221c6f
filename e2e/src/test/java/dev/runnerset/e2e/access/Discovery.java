package dev.runnerset.e2e.access;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;

/** What an API server serves, by its own word. */
final class Discovery {
  private Discovery() {}

  /**
   * A kind of resource.
   *
   * @param root of its paths
   * @param group empty for the core group
   * @param name with its subresource
   */
  record Served(String root, String group, String name, boolean namespaced, List<String> verbs) {
    Served {
      verbs = List.copyOf(verbs);
    }

    /** As a table names it. */
    String word() {
      return group.isEmpty() ? name : name.replaceFirst("(/|$)", "." + group + "$1");
    }
  }

  /** Every resource and subresource, each group in the version that the server prefers. */
  static List<Served> of(KubernetesClient client) {
    var resources = new ArrayList<>(served(client, "/api/v1", ""));
    for (var group : json(client, "/apis").get("groups")) {
      var version = group.get("preferredVersion").get("groupVersion").asText();
      resources.addAll(served(client, "/apis/" + version, group.get("name").asText()));
    }
    return List.copyOf(resources);
  }

  private static List<Served> served(KubernetesClient client, String root, String group) {
    var resources = new ArrayList<Served>();
    for (var resource : json(client, root).get("resources")) {
      var verbs = new ArrayList<String>();
      resource.get("verbs").forEach(verb -> verbs.add(verb.asText()));
      resources.add(
          new Served(
              root,
              group,
              resource.get("name").asText(),
              resource.get("namespaced").asBoolean(),
              verbs));
    }
    return resources;
  }

  private static JsonNode json(KubernetesClient client, String path) {
    return client.getKubernetesSerialization().unmarshal(client.raw(path), JsonNode.class);
  }
}
