package dev.runnerset.testsupport.apiserver;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Create, read, replace. */
final class ObjectCases {
  private ObjectCases() {}

  static List<Case> all() {
    return List.of(
        new Case("an object lives from create to delete", ObjectCases::life),
        new Case("a second create is refused 409 AlreadyExists", ObjectCases::twice),
        new Case("what is not there is 404, with a Status", ObjectCases::missing),
        new Case("names that are no DNS names are refused", ObjectCases::names),
        new Case("generateName makes a name", ObjectCases::generateName),
        new Case("dryRun checks and stores nothing", ObjectCases::dryRun),
        new Case("a PUT with an old resourceVersion is refused 409", ObjectCases::stalePut),
        new Case("a PUT of a custom object needs a resourceVersion", ObjectCases::blindPut),
        new Case("a PUT for another uid is refused 409", ObjectCases::otherUid),
        new Case("a lease goes to one of two who update it", ObjectCases::lease),
        new Case("the pod template's mistakes are found by a dry run", ObjectCases::badPods),
        new Case("a pod gets its defaults", ObjectCases::podDefaults),
        new Case("a pod's spec is frozen", ObjectCases::podFrozen),
        new Case("stringData of a secret becomes data", ObjectCases::secret),
        new Case("rules review is answered", ObjectCases::rulesReview));
  }

  private static void life(Target target) throws Exception {
    Api api = new Api(target);
    String path = api.widgets() + "/life";
    JsonNode made = api.create(api.widgets(), Widgets.named("life")).expect(201);
    Expect.at(made, "/metadata/generation", "1");
    Expect.at(made, "/metadata/namespace", target.namespace());
    Expect.isTrue("a uid is given", !made.at("/metadata/uid").asText().isEmpty());
    Expect.isTrue("a time is given", made.at("/metadata/creationTimestamp").asText().endsWith("Z"));
    JsonNode read = api.get(path).expect(200);
    Expect.equal("what is read", Expect.revision(made), Expect.revision(read));
    ObjectNode changed = read.deepCopy();
    changed.withObjectProperty("spec").put("replicas", 4);
    JsonNode put = api.put(path, changed).expect(200);
    Expect.at(put, "/metadata/generation", "2");
    Expect.equal("uid", made.at("/metadata/uid"), put.at("/metadata/uid"));
    api.delete(path).expect(200);
    api.get(path).expect(404, "NotFound");
  }

  private static void twice(Target target) throws Exception {
    Api api = new Api(target);
    api.create(api.core("configmaps"), Widgets.configMap("twice", "")).expect(201);
    JsonNode status =
        api.create(api.core("configmaps"), Widgets.configMap("twice", ""))
            .expect(409, "AlreadyExists");
    Expect.equal("message", "configmaps \"twice\" already exists", status.path("message").asText());
    api.delete(api.core("configmaps") + "/twice").expect(200);
  }

  private static void missing(Target target) throws Exception {
    Api api = new Api(target);
    JsonNode status = api.get(api.widgets() + "/none").expect(404, "NotFound");
    Expect.equal(
        "message",
        "widgets.contract.runnerset.dev \"none\" not found",
        status.path("message").asText());
    api.delete(api.widgets() + "/none").expect(404, "NotFound");
    api.merge(api.widgets() + "/none/status", "{}").expect(404, "NotFound");
    api.create("/api/v1/namespaces/no-such-namespace/configmaps", Widgets.configMap("lost", ""))
        .expect(404, "NotFound");
  }

  private static void names(Target target) throws Exception {
    Api api = new Api(target);
    for (String name : List.of("Upper", "under_score", "-dash", "dot.")) {
      JsonNode status = api.create(api.widgets(), Widgets.named(name)).expect(422, "Invalid");
      Expect.contains(
          "the message", "metadata.name: Invalid value", status.path("message").asText());
    }
    api.create(
            api.widgets(),
            Widgets.with("labels", ", \"labels\": {\"a\": \"-\"}", "\"mode\": \"Fast\""))
        .expect(422, "Invalid");
  }

  private static void generateName(Target target) throws Exception {
    Api api = new Api(target);
    String body = Widgets.named("").replace("\"name\": \"\"", "\"generateName\": \"gen-\"");
    String first = api.create(api.widgets(), body).expect(201).at("/metadata/name").asText();
    String second = api.create(api.widgets(), body).expect(201).at("/metadata/name").asText();
    Expect.isTrue("prefix and five characters: " + first, first.matches("gen-[a-z0-9]{5}"));
    Expect.isTrue("two names differ", !first.equals(second));
    api.delete(api.widgets() + "/" + first).expect(200);
    api.delete(api.widgets() + "/" + second).expect(200);
  }

  private static void dryRun(Target target) throws Exception {
    Api api = new Api(target);
    String dry = "?dryRun=All";
    api.create(api.widgets() + dry, Widgets.named("dry")).expect(201);
    api.get(api.widgets() + "/dry").expect(404);
    JsonNode made = api.create(api.widgets(), Widgets.named("dry")).expect(201);
    JsonNode merged =
        api.merge(api.widgets() + "/dry" + dry, "{\"spec\": {\"replicas\": 9}}").expect(200);
    Expect.at(merged, "/spec/replicas", "9");
    api.delete(api.widgets() + "/dry" + dry).expect(200);
    JsonNode still = api.get(api.widgets() + "/dry").expect(200);
    Expect.equal("nothing changed", Expect.revision(made), Expect.revision(still));
    api.delete(api.widgets() + "/dry").expect(200);
  }

  private static void stalePut(Target target) throws Exception {
    Api api = new Api(target);
    String path = api.widgets() + "/stale";
    ObjectNode old = api.create(api.widgets(), Widgets.named("stale")).expect(201).deepCopy();
    api.merge(path, "{\"spec\": {\"replicas\": 2}}").expect(200);
    old.withObjectProperty("spec").put("replicas", 3);
    JsonNode status = api.put(path, old).expect(409, "Conflict");
    Expect.equal(
        "message",
        "Operation cannot be fulfilled on widgets.contract.runnerset.dev \"stale\": the object has"
            + " been modified; please apply your changes to the latest version and try again",
        status.path("message").asText());
    api.put(path + "/status", old).expect(409, "Conflict");
    api.delete(path).expect(200);
  }

  private static void blindPut(Target target) throws Exception {
    Api api = new Api(target);
    String path = api.widgets() + "/blind";
    ObjectNode made = api.create(api.widgets(), Widgets.named("blind")).expect(201).deepCopy();
    made.withObjectProperty("metadata").remove("resourceVersion");
    api.put(path, made).expect(422, "Invalid");
    api.delete(path).expect(200);
  }

  private static void otherUid(Target target) throws Exception {
    Api api = new Api(target);
    String path = api.widgets() + "/uid";
    ObjectNode made = api.create(api.widgets(), Widgets.named("uid")).expect(201).deepCopy();
    made.withObjectProperty("metadata").put("uid", "00000000-0000-0000-0000-000000000000");
    api.put(path, made).expect(409, "Conflict");
    api.delete(path).expect(200);
  }

  private static void lease(Target target) throws Exception {
    Api api = new Api(target);
    String body =
        "{\"apiVersion\": \"coordination.k8s.io/v1\", \"kind\": \"Lease\", \"metadata\": {\"name\":"
            + " \"leader\"}, \"spec\": {\"holderIdentity\": \"a\", \"leaseDurationSeconds\": 15}}";
    ObjectNode made = api.create(api.leases(), body).expect(201).deepCopy();
    ObjectNode mine = made.deepCopy();
    mine.withObjectProperty("spec").put("holderIdentity", "b");
    made.withObjectProperty("spec").put("holderIdentity", "c");
    api.put(api.leases() + "/leader", mine).expect(200);
    api.put(api.leases() + "/leader", made).expect(409, "Conflict");
    Expect.at(api.get(api.leases() + "/leader").expect(200), "/spec/holderIdentity", "b");
    api.delete(api.leases() + "/leader").expect(200);
  }

  private static void badPods(Target target) throws Exception {
    Api api = new Api(target);
    String dry = api.core("pods") + "?dryRun=All";
    String good = Widgets.pod("bad", "", "");
    api.create(dry, good).expect(201);
    List<String> bad =
        List.of(
            good.replace("\"image\": \"example.com/runner:1\"", "\"image\": \"\""),
            good.replace("\"name\": \"runner\"", "\"name\": \"\""),
            good.replace("\"name\": \"runner\"", "\"name\": \"Bad_Name\""),
            good.replace("}]}}", "}, {\"name\": \"runner\", \"image\": \"x\"}]}}"),
            good.replaceAll("\\[.*\\]", "[]"),
            Widgets.pod("bad", "", "\"restartPolicy\": \"Odd\","));
    for (String pod : bad) {
      JsonNode status = api.create(dry, pod).expect(422, "Invalid");
      Expect.contains(
          "the message", "Pod \"bad\" is invalid: spec.", status.path("message").asText());
    }
  }

  private static void podDefaults(Target target) throws Exception {
    Api api = new Api(target);
    JsonNode pod = api.create(api.core("pods"), Widgets.pod("defaults", "", "")).expect(201);
    Expect.at(pod, "/spec/restartPolicy", "Always");
    Expect.at(pod, "/spec/terminationGracePeriodSeconds", "30");
    Expect.at(pod, "/spec/dnsPolicy", "ClusterFirst");
    Expect.at(pod, "/spec/containers/0/imagePullPolicy", "IfNotPresent");
    Expect.at(pod, "/status/phase", "Pending");
    api.delete(api.core("pods") + "/defaults").expect(200);
  }

  private static void podFrozen(Target target) throws Exception {
    Api api = new Api(target);
    String path = api.core("pods") + "/frozen";
    api.create(api.core("pods"), Widgets.pod("frozen", "", "")).expect(201);
    api.merge(path, "{\"spec\": {\"restartPolicy\": \"Never\"}}").expect(422, "Invalid");
    api.merge(path, "{\"metadata\": {\"labels\": {\"busy\": \"true\"}}}").expect(200);
    api.delete(path).expect(200);
  }

  private static void secret(Target target) throws Exception {
    Api api = new Api(target);
    JsonNode secret =
        api.create(
                api.core("secrets"),
                "{\"apiVersion\": \"v1\", \"kind\": \"Secret\", \"metadata\": {\"name\": \"text\"},"
                    + " \"stringData\": {\"a\": \"plain\"}}")
            .expect(201);
    Expect.at(secret, "/data/a", "cGxhaW4=");
    Expect.at(secret, "/type", "Opaque");
    Expect.absent(secret, "/stringData");
    api.delete(api.core("secrets") + "/text").expect(200);
  }

  private static void rulesReview(Target target) throws Exception {
    JsonNode review =
        new Api(target)
            .create(
                "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
                "{\"apiVersion\": \"authorization.k8s.io/v1\", \"kind\": \"SelfSubjectRulesReview\","
                    + " \"spec\": {\"namespace\": \"default\"}}")
            .expect(201);
    Expect.isTrue("there are rules", !review.at("/status/resourceRules").isEmpty());
  }
}
