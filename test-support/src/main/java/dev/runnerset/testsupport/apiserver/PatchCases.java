package dev.runnerset.testsupport.apiserver;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Merge and JSON patches. */
final class PatchCases {
  private PatchCases() {}

  static List<Case> all() {
    return List.of(
        new Case("null in a merge patch removes, a list replaces", PatchCases::merge),
        new Case("a patch that changes nothing writes nothing", PatchCases::noChange),
        new Case("resourceVersion in a merge patch is a precondition", PatchCases::precondition),
        new Case("a JSON patch whose test fails is 422 and does nothing", PatchCases::test),
        new Case("a JSON patch whose test holds is applied", PatchCases::apply),
        new Case("a patch is validated", PatchCases::validated),
        new Case("a custom object takes no strategic merge patch", PatchCases::strategic),
        new Case("labels and annotations leave the generation alone", PatchCases::metadata));
  }

  private static void merge(Target target) throws Exception {
    Api api = new Api(target);
    String path = api.widgets() + "/merged";
    String spec = "\"mode\": \"Fast\", \"name\": \"abc\", \"tags\": [\"a\", \"b\"]";
    api.create(api.widgets(), Widgets.spec("merged", spec)).expect(201);
    JsonNode merged =
        api.merge(path, "{\"spec\": {\"name\": null, \"tags\": [\"c\"], \"replicas\": 2}}")
            .expect(200);
    Expect.absent(merged, "/spec/name");
    Expect.equal("tags", "[\"c\"]", merged.at("/spec/tags").toString());
    Expect.at(merged, "/spec/mode", "Fast");
    Expect.at(merged, "/metadata/generation", "2");
    JsonNode reset = api.merge(path, "{\"spec\": {\"replicas\": null}}").expect(200);
    Expect.at(reset, "/spec/replicas", "1"); // removed, so the default is back
    api.delete(path).expect(200);
  }

  private static void noChange(Target target) throws Exception {
    Api api = new Api(target);
    String path = api.widgets() + "/same";
    String first = Expect.revision(api.create(api.widgets(), Widgets.named("same")).expect(201));
    JsonNode again = api.merge(path, "{\"spec\": {\"mode\": \"Fast\"}}").expect(200);
    Expect.equal("resourceVersion", first, Expect.revision(again));
    JsonNode empty = api.merge(path, "{}").expect(200);
    Expect.equal("resourceVersion", first, Expect.revision(empty));
    JsonNode statusOnly = api.merge(path, "{\"status\": {\"note\": \"x\"}}").expect(200);
    Expect.equal("resourceVersion", first, Expect.revision(statusOnly));
    api.delete(path).expect(200);
  }

  private static void precondition(Target target) throws Exception {
    Api api = new Api(target);
    String path = api.widgets() + "/fenced";
    String first = Expect.revision(api.create(api.widgets(), Widgets.named("fenced")).expect(201));
    String patch =
        "{\"metadata\": {\"resourceVersion\": \"" + first + "\"}, \"status\": {\"note\": \"%s\"}}";
    api.merge(path + "/status", patch.formatted("one")).expect(200);
    JsonNode status = api.merge(path + "/status", patch.formatted("two")).expect(409, "Conflict");
    Expect.contains(
        "the message", "the object has been modified; please", status.path("message").asText());
    Expect.at(api.get(path).expect(200), "/status/note", "one");
    api.delete(path).expect(200);
  }

  private static void test(Target target) throws Exception {
    Api api = new Api(target);
    String path = api.widgets() + "/tested";
    api.create(api.widgets(), Widgets.named("tested")).expect(201);
    String old =
        Expect.revision(api.merge(path + "/status", "{\"status\": {\"replicas\": 1}}").expect(200));
    for (String test :
        List.of(
            "{\"op\": \"test\", \"path\": \"/status/replicas\", \"value\": 2}",
            "{\"op\": \"test\", \"path\": \"/status/note\", \"value\": \"x\"}")) {
      String patch =
          "[" + test + ", {\"op\": \"add\", \"path\": \"/status/note\", \"value\": \"y\"}]";
      api.jsonPatch(path + "/status", patch).expect(422, "Invalid");
    }
    Expect.equal("resourceVersion", old, Expect.revision(api.get(path).expect(200)));
    api.delete(path).expect(200);
  }

  private static void apply(Target target) throws Exception {
    Api api = new Api(target);
    String path = api.widgets() + "/applied";
    String spec = "\"mode\": \"Fast\", \"tags\": [\"a\"], \"name\": \"abc\"";
    api.create(api.widgets(), Widgets.spec("applied", spec)).expect(201);
    JsonNode patched =
        api.jsonPatch(
                path,
                "[{\"op\": \"test\", \"path\": \"/spec/mode\", \"value\": \"Fast\"},"
                    + "{\"op\": \"replace\", \"path\": \"/spec/mode\", \"value\": \"Slow\"},"
                    + "{\"op\": \"add\", \"path\": \"/spec/tags/-\", \"value\": \"z\"},"
                    + "{\"op\": \"remove\", \"path\": \"/spec/name\"}]")
            .expect(200);
    Expect.at(patched, "/spec/mode", "Slow");
    Expect.equal("tags", "[\"a\",\"z\"]", patched.at("/spec/tags").toString());
    Expect.absent(patched, "/spec/name");
    api.jsonPatch(path, "[{\"op\": \"remove\", \"path\": \"/spec/name\"}]").expect(422, "Invalid");
    api.delete(path).expect(200);
  }

  private static void validated(Target target) throws Exception {
    Api api = new Api(target);
    String path = api.widgets() + "/checked";
    api.create(api.widgets(), Widgets.named("checked")).expect(201);
    JsonNode status = api.merge(path, "{\"spec\": {\"replicas\": 99}}").expect(422, "Invalid");
    Expect.at(status, "/details/causes/0/field", "spec.replicas");
    api.delete(path).expect(200);
  }

  private static void strategic(Target target) throws Exception {
    Api api = new Api(target);
    String path = api.widgets() + "/strategic";
    api.create(api.widgets(), Widgets.named("strategic")).expect(201);
    api.send("PATCH", path, "application/strategic-merge-patch+json", "{\"spec\": {}}")
        .expect(415, "UnsupportedMediaType");
    api.delete(path).expect(200);
  }

  private static void metadata(Target target) throws Exception {
    Api api = new Api(target);
    String path = api.widgets() + "/labelled";
    JsonNode made = api.create(api.widgets(), Widgets.named("labelled")).expect(201);
    JsonNode labelled = api.merge(path, "{\"metadata\": {\"labels\": {\"a\": \"b\"}}}").expect(200);
    Expect.at(labelled, "/metadata/labels/a", "b");
    Expect.at(labelled, "/metadata/generation", "1");
    Expect.isTrue(
        "the resourceVersion moved", !Expect.revision(made).equals(Expect.revision(labelled)));
    api.delete(path).expect(200);
  }
}
