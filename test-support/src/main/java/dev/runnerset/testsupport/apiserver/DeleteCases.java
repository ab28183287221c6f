package dev.runnerset.testsupport.apiserver;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Deletion: preconditions, finalizers, grace, collections, namespaces. */
final class DeleteCases {
  private static final String FINALIZER = ", \"finalizers\": [\"contract.runnerset.dev/hold\"]";

  private DeleteCases() {}

  static List<Case> all() {
    return List.of(
        new Case("a delete for another uid is refused 409", DeleteCases::uid),
        new Case("a delete for an old resourceVersion is refused 409", DeleteCases::revision),
        new Case("a finalizer holds the object until it is taken off", DeleteCases::finalizer),
        new Case("no finalizer can be added while the object goes", DeleteCases::lateFinalizer),
        new Case("a pod on a node waits for its kubelet", DeleteCases::graceful),
        new Case("a pod without a node, or ended, goes at once", DeleteCases::ungraceful),
        new Case("deletecollection takes a label selector", DeleteCases::collection),
        new Case("a namespace takes its content with it", DeleteCases::namespace));
  }

  private static void uid(Target target) throws Exception {
    Api api = new Api(target);
    String path = api.widgets() + "/uids";
    JsonNode made = api.create(api.widgets(), Widgets.named("uids")).expect(201);
    String other = "00000000-0000-0000-0000-000000000000";
    api.delete(path, "{\"preconditions\": {\"uid\": \"" + other + "\"}}").expect(409, "Conflict");
    String own = made.at("/metadata/uid").asText();
    api.delete(path, "{\"preconditions\": {\"uid\": \"" + own + "\"}}").expect(200);
    api.get(path).expect(404);
  }

  private static void revision(Target target) throws Exception {
    Api api = new Api(target);
    String path = api.widgets() + "/revisions";
    String first =
        Expect.revision(api.create(api.widgets(), Widgets.named("revisions")).expect(201));
    String second =
        Expect.revision(api.merge(path + "/status", "{\"status\": {\"note\": \"x\"}}").expect(200));
    String options = "{\"preconditions\": {\"resourceVersion\": \"%s\"}}";
    api.delete(path, options.formatted(first)).expect(409, "Conflict");
    api.delete(path, options.formatted(second)).expect(200);
    api.get(path).expect(404);
  }

  private static void finalizer(Target target) throws Exception {
    Api api = new Api(target);
    String path = api.widgets() + "/held";
    api.create(api.widgets(), Widgets.with("held", FINALIZER, "\"mode\": \"Fast\"")).expect(201);
    JsonNode going = api.delete(path).expect(200);
    Expect.isTrue("it is marked", going.at("/metadata").has("deletionTimestamp"));
    Expect.at(going, "/metadata/generation", "2");
    String mark = Expect.revision(going);
    api.delete(path).expect(200);
    JsonNode still = api.get(path).expect(200);
    Expect.equal("a second delete writes nothing", mark, Expect.revision(still));
    api.merge(path + "/status", "{\"status\": {\"note\": \"last words\"}}").expect(200);
    api.merge(path, "{\"metadata\": {\"deletionTimestamp\": null}}").expect(200);
    Expect.isTrue(
        "the mark cannot be taken off",
        api.get(path).expect(200).at("/metadata").has("deletionTimestamp"));
    api.merge(path, "{\"metadata\": {\"finalizers\": null}}").expect(200);
    api.get(path).expect(404);
  }

  private static void lateFinalizer(Target target) throws Exception {
    Api api = new Api(target);
    String path = api.widgets() + "/late";
    api.create(api.widgets(), Widgets.with("late", FINALIZER, "\"mode\": \"Fast\"")).expect(201);
    api.delete(path).expect(200);
    String more = "[\"contract.runnerset.dev/hold\", \"contract.runnerset.dev/more\"]";
    api.merge(path, "{\"metadata\": {\"finalizers\": " + more + "}}").expect(422, "Invalid");
    api.merge(path, "{\"metadata\": {\"finalizers\": []}}").expect(200);
    api.get(path).expect(404);
  }

  private static void graceful(Target target) throws Exception {
    Api api = new Api(target);
    String path = api.core("pods") + "/graceful";
    String spec = "\"nodeName\": \"node-1\", \"terminationGracePeriodSeconds\": 20,";
    api.create(api.core("pods"), Widgets.pod("graceful", "", spec)).expect(201);
    api.delete(path).expect(200);
    JsonNode going = api.get(path).expect(200);
    Expect.isTrue("it is marked", going.at("/metadata").has("deletionTimestamp"));
    Expect.at(going, "/metadata/deletionGracePeriodSeconds", "20");
    api.delete(path, "{\"gracePeriodSeconds\": 0}").expect(200);
    api.get(path).expect(404);
  }

  private static void ungraceful(Target target) throws Exception {
    Api api = new Api(target);
    String path = api.core("pods") + "/quick";
    api.create(api.core("pods"), Widgets.pod("quick", "", "")).expect(201);
    api.delete(path).expect(200);
    api.get(path).expect(404);
    api.create(api.core("pods"), Widgets.pod("quick", "", "\"nodeName\": \"node-1\",")).expect(201);
    api.merge(path + "/status", "{\"status\": {\"phase\": \"Succeeded\"}}").expect(200);
    api.delete(path).expect(200);
    api.get(path).expect(404);
  }

  private static void collection(Target target) throws Exception {
    Api api = new Api(target);
    for (String name : List.of("many-1", "many-2", "many-3")) {
      String group = name.equals("many-3") ? "stays" : "goes";
      String labels = ", \"labels\": {\"contract\": \"" + group + "\"}";
      api.create(api.core("configmaps"), Widgets.configMap(name, labels)).expect(201);
    }
    api.delete(api.core("configmaps") + "?labelSelector=contract%3Dgoes").expect(200);
    api.get(api.core("configmaps") + "/many-1").expect(404);
    api.get(api.core("configmaps") + "/many-2").expect(404);
    api.delete(api.core("configmaps") + "/many-3").expect(200);
  }

  private static void namespace(Target target) throws Exception {
    Api api = new Api(target);
    String name = target.namespace() + "-going";
    String path = "/api/v1/namespaces/" + name;
    api.create(
            "/api/v1/namespaces",
            "{\"apiVersion\": \"v1\", \"kind\": \"Namespace\", \"metadata\": {\"name\": \""
                + name
                + "\"}}")
        .expect(201);
    api.create(path + "/configmaps", Widgets.configMap("held", FINALIZER)).expect(201);
    api.create(path + "/configmaps", Widgets.configMap("free", "")).expect(201);
    api.delete(path).expect(200);
    Expect.at(api.get(path).expect(200), "/status/phase", "Terminating");
    JsonNode status =
        api.create(path + "/configmaps", Widgets.configMap("new", "")).expect(403, "Forbidden");
    Expect.at(status, "/details/causes/0/reason", "NamespaceTerminating");
    api.awaitGone(path + "/configmaps/free");
    api.merge(path + "/configmaps/held", "{\"metadata\": {\"finalizers\": null}}").expect(200);
    api.awaitGone(path);
  }
}
