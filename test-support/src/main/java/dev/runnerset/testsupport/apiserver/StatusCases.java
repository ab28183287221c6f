package dev.runnerset.testsupport.apiserver;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** The status subresource: who may write which half of an object. */
final class StatusCases {
  private StatusCases() {}

  static List<Case> all() {
    return List.of(
        new Case("create drops the status", StatusCases::create),
        new Case("a patch of the object ignores the status", StatusCases::mainPatch),
        new Case("a patch of /status ignores spec and metadata", StatusCases::statusPatch),
        new Case("a PUT of /status ignores spec and metadata", StatusCases::statusPut),
        new Case("two writers of /status do not wipe each other", StatusCases::twoWriters),
        new Case("an empty patch of /status returns the object", StatusCases::emptyPatch),
        new Case("a pod's status is written through /status only", StatusCases::pods),
        new Case("a pod is bound to a node once", StatusCases::binding));
  }

  private static void create(Target target) throws Exception {
    Api api = new Api(target);
    String body = Widgets.named("dropped");
    String withStatus = body.substring(0, body.length() - 1) + ", \"status\": {\"note\": \"x\"}}";
    Expect.absent(api.create(api.widgets(), withStatus).expect(201), "/status");
    api.delete(api.widgets() + "/dropped").expect(200);
  }

  private static void mainPatch(Target target) throws Exception {
    Api api = new Api(target);
    String path = api.widgets() + "/main";
    api.create(api.widgets(), Widgets.named("main")).expect(201);
    api.merge(path + "/status", "{\"status\": {\"note\": \"kept\"}}").expect(200);
    JsonNode patched =
        api.merge(path, "{\"spec\": {\"replicas\": 2}, \"status\": {\"note\": \"lost\"}}")
            .expect(200);
    Expect.at(patched, "/status/note", "kept");
    Expect.at(patched, "/spec/replicas", "2");
    api.delete(path).expect(200);
  }

  private static void statusPatch(Target target) throws Exception {
    Api api = new Api(target);
    String path = api.widgets() + "/half";
    api.create(api.widgets(), Widgets.named("half")).expect(201);
    JsonNode patched =
        api.merge(
                path + "/status",
                "{\"metadata\": {\"labels\": {\"a\": \"b\"}, \"finalizers\": [\"x.dev/y\"]},"
                    + " \"spec\": {\"replicas\": 9}, \"status\": {\"note\": \"x\"}}")
            .expect(200);
    Expect.at(patched, "/status/note", "x");
    Expect.at(patched, "/spec/replicas", "1");
    Expect.absent(patched, "/metadata/labels");
    Expect.absent(patched, "/metadata/finalizers");
    Expect.at(patched, "/metadata/generation", "1");
    api.delete(path).expect(200);
  }

  private static void statusPut(Target target) throws Exception {
    Api api = new Api(target);
    String path = api.widgets() + "/replaced";
    ObjectNode made = api.create(api.widgets(), Widgets.named("replaced")).expect(201).deepCopy();
    made.withObjectProperty("spec").put("replicas", 9);
    made.putObject("status").put("note", "x");
    JsonNode put = api.put(path + "/status", made).expect(200);
    Expect.at(put, "/status/note", "x");
    Expect.at(put, "/spec/replicas", "1");
    Expect.at(put, "/metadata/generation", "1");
    api.delete(path).expect(200);
  }

  private static void twoWriters(Target target) throws Exception {
    Api api = new Api(target);
    String path = api.widgets() + "/both";
    api.create(api.widgets(), Widgets.named("both")).expect(201);
    api.merge(path + "/status", "{\"status\": {\"note\": \"one\"}}").expect(200);
    api.merge(path + "/status", "{\"status\": {\"replicas\": 2}}").expect(200);
    JsonNode both = api.get(path).expect(200);
    Expect.at(both, "/status/note", "one");
    Expect.at(both, "/status/replicas", "2");
    JsonNode cleared = api.merge(path + "/status", "{\"status\": {\"note\": null}}").expect(200);
    Expect.absent(cleared, "/status/note");
    Expect.at(cleared, "/status/replicas", "2");
    api.delete(path).expect(200);
  }

  private static void emptyPatch(Target target) throws Exception {
    Api api = new Api(target);
    String path = api.widgets() + "/read";
    JsonNode made = api.create(api.widgets(), Widgets.named("read")).expect(201);
    JsonNode read = api.merge(path + "/status", "{}").expect(200);
    Expect.equal("resourceVersion", Expect.revision(made), Expect.revision(read));
    Expect.at(read, "/spec/mode", "Fast");
    api.delete(path).expect(200);
  }

  private static void pods(Target target) throws Exception {
    Api api = new Api(target);
    String path = api.core("pods") + "/phases";
    api.create(api.core("pods"), Widgets.pod("phases", "", "")).expect(201);
    JsonNode ignored = api.merge(path, "{\"status\": {\"phase\": \"Running\"}}").expect(200);
    Expect.at(ignored, "/status/phase", "Pending");
    JsonNode written =
        api.merge(path + "/status", "{\"status\": {\"phase\": \"Running\"}}").expect(200);
    Expect.at(written, "/status/phase", "Running");
    api.delete(path, "{\"gracePeriodSeconds\": 0}").expect(200);
  }

  private static void binding(Target target) throws Exception {
    Api api = new Api(target);
    String path = api.core("pods") + "/bound";
    String body =
        "{\"apiVersion\": \"v1\", \"kind\": \"Binding\", \"metadata\": {\"name\": \"bound\"},"
            + " \"target\": {\"apiVersion\": \"v1\", \"kind\": \"Node\", \"name\": \"node-1\"}}";
    api.create(api.core("pods"), Widgets.pod("bound", "", "")).expect(201);
    api.create(path + "/binding", body).expect(201);
    JsonNode pod = api.get(path).expect(200);
    Expect.at(pod, "/spec/nodeName", "node-1");
    Expect.contains("conditions", "PodScheduled", pod.at("/status/conditions").toString());
    api.create(path + "/binding", body).expect(409, "Conflict");
    api.delete(path, "{\"gracePeriodSeconds\": 0}").expect(200);
  }
}
