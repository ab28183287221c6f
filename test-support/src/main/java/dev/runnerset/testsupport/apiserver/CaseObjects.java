package dev.runnerset.testsupport.apiserver;

import static java.util.Map.entry;
import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The objects of one case, by the names that the case gives them; they go with the case. */
final class CaseObjects implements AutoCloseable {
  private static final Pattern REFERENCE = Pattern.compile("<([\\w-]+)(\\+?)(/[^>]*)>");
  private static final Map<String, String> PATH_BY_KIND =
      Map.ofEntries(
          entry("Widget", "/apis/contract.runnerset.dev/v1/namespaces/<NS>/widgets"),
          entry("ConfigMap", "/api/v1/namespaces/<NS>/configmaps"),
          entry("Pod", "/api/v1/namespaces/<NS>/pods"),
          entry("Secret", "/api/v1/namespaces/<NS>/secrets"),
          entry("LimitRange", "/api/v1/namespaces/<NS>/limitranges"),
          entry("ResourceQuota", "/api/v1/namespaces/<NS>/resourcequotas"),
          entry("Binding", "/api/v1/namespaces/<NS>/bindings"),
          entry("Lease", "/apis/coordination.k8s.io/v1/namespaces/<NS>/leases"),
          entry("Namespace", "/api/v1/namespaces"),
          entry("SelfSubjectRulesReview", "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews"),
          entry(
              "CustomResourceDefinition",
              "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"));

  /**
   * An object.
   *
   * @param path null for an answer that only has a name
   * @param first as it was created
   */
  record Made(@Nullable String path, JsonNode first, JsonNode last) {}

  final Api api;
  private final SequencedMap<String, Made> made = new LinkedHashMap<>();
  private String current = "";

  CaseObjects(Api api) {
    this.api = api;
  }

  /** Where objects of that kind are listed and created. */
  static String collection(String kind) {
    return requireNonNull(PATH_BY_KIND.get(kind), kind);
  }

  /** The body of a new object: with its version, and with a spec where it needs one. */
  static ObjectNode complete(JsonNode body) {
    ObjectNode object = body.deepCopy();
    var kind = object.path("kind").asText();
    var path = collection(kind).split("/");
    object.put("apiVersion", path[1].equals("api") ? path[2] : path[2] + "/" + path[3]);
    if (kind.equals("Widget") && !object.has("spec")) {
      object.putObject("spec").put("mode", "Fast");
    }
    if (kind.equals("Pod") && !object.path("spec").has("containers")) {
      object
          .withObjectProperty("spec")
          .putArray("containers")
          .addObject()
          .put("name", "runner")
          .put("image", "example.com/runner:1");
    }
    return object;
  }

  /** Creates an object of the case. */
  JsonNode make(String name, String collection, JsonNode body) throws Exception {
    var answer = api.create(collection, complete(body).toString()).expect(201);
    var known = name.isEmpty() ? Api.text(answer, "/metadata/name") : name;
    var path = collection + "/" + Api.text(answer, "/metadata/name");
    made.put(known, new Made(path, answer, answer));
    current = known;
    return answer;
  }

  /** A widget of the case; its path. */
  String widget(String name) throws Exception {
    var body = Api.json("{kind: 'Widget', metadata: {name: '%s'}}".formatted(name));
    make(name, collection("Widget"), body);
    return requireNonNull(get(name).path());
  }

  /** The object that was made last. */
  String current() {
    return current;
  }

  Made get(String name) {
    return requireNonNull(made.get(name), () -> "the case makes no " + name);
  }

  /** Gives the answer a name, which must not be that of an object. */
  void name(String name, JsonNode answer) {
    made.put(name, new Made(null, answer, answer));
  }

  /** Remembers what the server last answered of the object. */
  void answered(String name, JsonNode answer) {
    if (answer.has("metadata")) {
      made.computeIfPresent(name, (_, old) -> new Made(old.path(), old.first(), answer));
    }
  }

  /** {@code <a/b>} becomes field b of object a as it was created, {@code <a+/b>} as it was last. */
  JsonNode resolve(JsonNode step) {
    var text = step.toString().replace("<NS>", api.target().namespace());
    var whole =
        Pattern.compile('"' + REFERENCE.pattern() + '"')
            .matcher(text)
            .replaceAll(r -> {
              var value = value(r.group(1), r.group(2), r.group(3));
              return value.isMissingNode() ? "null" : '"' + value.asText() + '"';
            });
    return Api.json(
        REFERENCE
            .matcher(whole)
            .replaceAll(r -> value(r.group(1), r.group(2), r.group(3)).asText()));
  }

  private JsonNode value(String name, String last, String pointer) {
    var object = get(name);
    return (last.isEmpty() ? object.first() : object.last()).at(pointer);
  }

  /** Ends at once whatever holds them, the last first. */
  @Override
  public void close() throws IOException {
    try {
      for (var object : made.sequencedValues().reversed()) {
        var path = object.path();
        if (path != null && api.get(path).code() != 404) {
          api.merge(path, "{metadata: {finalizers: null}}");
          api.delete(path, "{gracePeriodSeconds: 0}");
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
