package dev.runnerset.simulator.kube.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.simulator.kube.json.Json;
import dev.runnerset.simulator.kube.kind.PodResources;
import dev.runnerset.simulator.kube.kind.ResourceType;
import dev.runnerset.simulator.kube.quota.LimitRanges;
import dev.runnerset.simulator.kube.quota.Quotas;
import dev.runnerset.simulator.kube.status.ApiException;
import dev.runnerset.simulator.kube.store.Cluster;
import dev.runnerset.simulator.kube.store.ResourceStore;
import dev.runnerset.simulator.kube.store.StoredObject;
import java.net.URI;
import java.util.List;
import java.util.Set;

/**
 * What a cluster has against a new object, in the words of the real server: service accounts and
 * priority classes that a pod names, limit ranges, validating webhooks, quotas. This server calls
 * no webhook: each one that matches answers as if nobody were behind it.
 */
final class AdmissionRules {
  private static final Set<String> BUILT_IN_CLASSES =
      Set.of("system-cluster-critical", "system-node-critical");
  private static final int HTTPS = 443;

  private final Cluster cluster;
  private final LimitRanges limitRanges;
  private final Quotas quotas;

  AdmissionRules(Cluster cluster) {
    this.cluster = cluster;
    this.limitRanges = new LimitRanges(cluster);
    this.quotas = new Quotas(cluster);
  }

  /** What a pod names must be there. Nobody makes the service accounts {@code default} here. */
  void checkReferences(ResourceType type, String namespace, String name, ObjectNode object) {
    if (!type.is(ResourceType.PODS)) {
      return;
    }
    String account = object.at("/spec/serviceAccountName").asText("default");
    if (!account.equals("default") && !isThere("", "serviceaccounts", namespace, account)) {
      throw ApiException.forbidden(
          type.resource(),
          name,
          "error looking up service account "
              + namespace
              + "/"
              + account
              + ": serviceaccount \""
              + account
              + "\" not found");
    }
    String priority = object.at("/spec/priorityClassName").asText();
    if (!priority.isEmpty()
        && !BUILT_IN_CLASSES.contains(priority)
        && !isThere("scheduling.k8s.io", "priorityclasses", "", priority)) {
      throw ApiException.forbidden(
          type.resource(), name, "no PriorityClass with name " + priority + " was found");
    }
  }

  private boolean isThere(String group, String plural, String namespace, String name) {
    return store(group, plural).find(ResourceStore.key(namespace, name)) != null;
  }

  private ResourceStore store(String group, String plural) {
    return cluster.store(cluster.catalog().find(group, "v1", plural).orElseThrow());
  }

  /** What a limit range adds to a pod, and what follows from its resources then. */
  void fillIn(ResourceType type, String namespace, ObjectNode object) {
    if (type.is(ResourceType.PODS)) {
      limitRanges.fill(namespace, object);
      object
          .withObjectProperty("status")
          .put("qosClass", PodResources.quality(object.path("spec")));
    }
  }

  /** The last look before an object is stored; to be called under the lock of its store. */
  void admit(ResourceType type, String namespace, String name, ObjectNode object, boolean dryRun) {
    limitRanges.check(type, namespace, name, object);
    callWebhooks(type, namespace);
    quotas.admit(type, namespace, object, dryRun);
    if (type.is(ResourceType.QUOTAS)) {
      quotas.fillStatus(namespace, object);
    }
  }

  private void callWebhooks(ResourceType type, String namespace) {
    ResourceStore configurations =
        store("admissionregistration.k8s.io", "validatingwebhookconfigurations");
    for (StoredObject configuration : configurations.snapshot("").objects()) {
      for (JsonNode webhook : configuration.json().path("webhooks")) {
        boolean fails = !webhook.path("failurePolicy").asText("Fail").equals("Ignore");
        if (fails && isFor(webhook, type) && selects(webhook, namespace)) {
          throw notReached(webhook);
        }
      }
    }
  }

  private static boolean isFor(JsonNode webhook, ResourceType type) {
    for (JsonNode rule : webhook.path("rules")) {
      if (names(rule, "operations", "CREATE")
          && names(rule, "apiGroups", type.group())
          && names(rule, "resources", type.plural())) {
        return true;
      }
    }
    return false;
  }

  private static boolean names(JsonNode rule, String field, String value) {
    List<String> named = List.copyOf(Json.texts(rule.path(field)));
    return named.contains("*") || named.contains(value);
  }

  /** By the labels of the namespace, of which each has its name as one. */
  private boolean selects(JsonNode webhook, String namespace) {
    StoredObject found = cluster.namespace(namespace);
    JsonNode labels = found == null ? Json.object() : found.json().path("metadata").path("labels");
    return webhook.at("/namespaceSelector/matchLabels").properties().stream()
        .allMatch(wanted -> {
          String value = wanted.getValue().asText();
          return wanted.getKey().equals("kubernetes.io/metadata.name")
              ? value.equals(namespace)
              : value.equals(labels.path(wanted.getKey()).asText());
        });
  }

  private static ApiException notReached(JsonNode webhook) {
    JsonNode service = webhook.at("/clientConfig/service");
    String url =
        service.isMissingNode()
            ? webhook.at("/clientConfig/url").asText()
            : "https://%s.%s.svc:%d%s"
                .formatted(
                    service.path("name").asText(),
                    service.path("namespace").asText(),
                    service.path("port").asInt(HTTPS),
                    service.path("path").asText("/"));
    URI uri = URI.create(url);
    String why =
        service.isMissingNode()
            ? "dial tcp "
                + uri.getHost()
                + ":"
                + (uri.getPort() < 0 ? HTTPS : uri.getPort())
                + ": connect: connection refused"
            : "service \"" + service.path("name").asText() + "\" not found";
    return ApiException.of(
        500,
        "InternalError",
        "Internal error occurred: failed calling webhook \"%s\": failed to call webhook: Post \"%s?timeout=%ds\": %s"
            .formatted(
                webhook.path("name").asText(), url, webhook.path("timeoutSeconds").asInt(10), why));
  }
}
