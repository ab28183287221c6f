package dev.runnerset.e2e.access;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.e2e.RealServer;
import dev.runnerset.e2e.access.Discovery.Served;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;

/**
 * Asks the API server with an identity's own token what that identity may do: one
 * SelfSubjectAccessReview for each verb, resource and place. The server answers with the authorizer
 * that each real request meets, and nothing is written, so that thousands can be asked.
 */
final class AccessWalk {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int AT_ONCE = 8;

  private static final List<String> VERBS =
      List.of("get", "list", "watch", "create", "update", "patch", "delete", "deletecollection");

  /** Verbs of their own; users and groups stand in no discovery. */
  private static final List<Question> SPECIAL =
      List.of(
          new Question("bind", "rbac.authorization.k8s.io", "roles"),
          new Question("bind", "rbac.authorization.k8s.io", "clusterroles"),
          new Question("escalate", "rbac.authorization.k8s.io", "roles"),
          new Question("escalate", "rbac.authorization.k8s.io", "clusterroles"),
          new Question("impersonate", "", "users"),
          new Question("impersonate", "", "groups"),
          new Question("impersonate", "", "serviceaccounts"),
          new Question("approve", "certificates.k8s.io", "signers"),
          new Question("sign", "certificates.k8s.io", "signers"),
          new Question("*", "*", "*"));

  /** Subresources that only a role knows. */
  private static final List<String> FINALIZERS =
      List.of(
          "autoscalingrunnersets/finalizers",
          "ephemeralrunnersets/finalizers",
          "ephemeralrunners/finalizers",
          "autoscalinglisteners/finalizers");

  /** All namespaces, and what is in no namespace. */
  static final String EVERYWHERE = "";

  private record Question(String verb, String group, String resource) {
    String word() {
      return group.isEmpty() ? resource : resource.replaceFirst("(/|$)", "." + group + "$1");
    }
  }

  private record Place(String namespace, String name) {}

  private final KubernetesClient identity;
  private final HttpClient http;
  private final List<Question> questions = new ArrayList<>();

  private final String token;

  AccessWalk(KubernetesClient identity, String token, List<Served> served) {
    this.identity = identity;
    this.token = token;
    this.http = RealServer.http(identity);
    for (var resource : served) {
      for (var verb : VERBS) {
        questions.add(new Question(verb, resource.group(), resource.name()));
      }
    }
    for (var finalizers : FINALIZERS) {
      for (var verb : VERBS) {
        questions.add(new Question(verb, "runnerset.dev", finalizers));
      }
    }
    questions.addAll(SPECIAL);
  }

  /**
   * What is allowed, as {@code place -> resource -> verbs}: what holds everywhere does not stand at
   * its places again, and what holds for any name not with a name again.
   *
   * @param wordByNamespace the namespaces that are asked for, and their words in a table
   * @param namesByNamespace the objects that are asked for by their names too
   */
  Result walk(
      Map<String, String> wordByNamespace, SortedMap<String, Set<String>> namesByNamespace) {
    var places = new ArrayList<Place>();
    places.add(new Place(EVERYWHERE, ""));
    wordByNamespace.keySet().forEach(namespace -> places.add(new Place(namespace, "")));
    namesByNamespace.forEach(
        (namespace, names) -> names.forEach(name -> places.add(new Place(namespace, name))));
    var allowed = new LinkedHashMap<Place, Set<Question>>();
    int asked = 0;
    for (var place : places) {
      allowed.put(place, allowed(place));
      asked += questions.size();
    }
    var table = new LinkedHashMap<String, Map<String, Set<String>>>();
    for (var place : places) {
      for (var question : allowed.get(place)) {
        boolean reported =
            (!place.equals(places.getFirst()) && allowed.get(places.getFirst()).contains(question))
                || (!place.name().isEmpty()
                    && allowed.get(new Place(place.namespace(), "")).contains(question));
        if (!reported) {
          var word = place.namespace().isEmpty() ? "all" : wordByNamespace.get(place.namespace());
          var resource = question.word() + (place.name().isEmpty() ? "" : " " + place.name());
          table
              .computeIfAbsent(word, w -> new TreeMap<>())
              .computeIfAbsent(resource, r -> new TreeSet<>())
              .add(question.verb());
        }
      }
    }
    return new Result(asked, table);
  }

  /**
   * What a walk found.
   *
   * @param asked how many reviews it took
   */
  record Result(int asked, Map<String, Map<String, Set<String>>> verbsByResourceByPlace) {
    /** The pairs of verb and resource. */
    int pairs() {
      return verbsByResourceByPlace.values().stream()
          .flatMap(byResource -> byResource.values().stream())
          .mapToInt(Set::size)
          .sum();
    }
  }

  private Set<Question> allowed(Place place) {
    var asked = new ArrayList<Callable<Boolean>>();
    for (var question : questions) {
      asked.add(() -> isAllowed(question, place));
    }
    try (var threads = Executors.newFixedThreadPool(AT_ONCE)) {
      var answers = threads.invokeAll(asked);
      var found = new LinkedHashSet<Question>();
      for (int i = 0; i < answers.size(); i++) {
        if (answers.get(i).get()) {
          found.add(questions.get(i));
        }
      }
      return found;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private boolean isAllowed(Question question, Place place)
      throws IOException, InterruptedException {
    var parts = question.resource().split("/", 2);
    var review = JSON.createObjectNode();
    review.put("apiVersion", "authorization.k8s.io/v1").put("kind", "SelfSubjectAccessReview");
    ObjectNode attributes = review.putObject("spec").putObject("resourceAttributes");
    attributes
        .put("verb", question.verb())
        .put("group", question.group())
        .put("resource", parts[0])
        .put("namespace", place.namespace())
        .put("name", place.name());
    if (parts.length == 2) {
      attributes.put("subresource", parts[1]);
    }
    var request =
        HttpRequest.newBuilder(
                URI.create(identity.getConfiguration().getMasterUrl())
                    .resolve("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(review.toString()))
            .build();
    var answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 201) {
      throw new IOException(answer.statusCode() + ": " + answer.body());
    }
    return JSON.readTree(answer.body()).path("status").path("allowed").asBoolean();
  }
}
