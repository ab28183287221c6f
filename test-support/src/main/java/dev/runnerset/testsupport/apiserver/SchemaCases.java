package dev.runnerset.testsupport.apiserver;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Custom kinds: definition, defaults, pruning, validation, scale. */
final class SchemaCases {
  private SchemaCases() {}

  static List<Case> all() {
    return List.of(
        new Case("a definition is established and served", SchemaCases::established),
        new Case("defaults are filled in, nested ones where the parent is", SchemaCases::defaults),
        new Case("unknown fields are pruned, but where they are preserved", SchemaCases::pruning),
        new Case("unknown fields are refused with fieldValidation=Strict", SchemaCases::strict),
        new Case("each broken rule is refused with its path", SchemaCases::validation),
        new Case("the status is validated too", SchemaCases::statusValidation),
        new Case("the scale subresource reads and writes replicas", SchemaCases::scale),
        new Case("tables have the printer columns", SchemaCases::table));
  }

  private static void established(Target target) throws Exception {
    Api api = new Api(target);
    Api.Answer made =
        api.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", Widgets.DEFINITION);
    Expect.isTrue("created or there already", made.code() == 201 || made.code() == 409);
    Api.await(
        "the condition Established",
        () -> {
          JsonNode conditions =
              api.get(Widgets.DEFINITION_PATH).expect(200).at("/status/conditions");
          return conditions.toString().contains("\"type\":\"Established\"");
        });
    Api.await("the endpoint", () -> api.get(api.widgets()).code() == 200);
    String list = api.get("/apis/" + Widgets.GROUP + "/v1").expect(200).toString();
    Expect.contains("the discovery document", "\"widgets/status\"", list);
  }

  private static void defaults(Target target) throws Exception {
    Api api = new Api(target);
    JsonNode made =
        api.create(
                api.widgets(),
                Widgets.spec("defaults", "\"mode\": \"Fast\", \"inner\": {}, \"replicas\": null"))
            .expect(201);
    Expect.at(made, "/spec/replicas", "1");
    Expect.at(made, "/spec/inner/on", "true");
    api.delete(api.widgets() + "/defaults").expect(200);
    JsonNode bare = api.create(api.widgets(), Widgets.named("defaults")).expect(201);
    Expect.absent(bare, "/spec/inner");
    api.delete(api.widgets() + "/defaults").expect(200);
  }

  private static void pruning(Target target) throws Exception {
    Api api = new Api(target);
    String spec =
        "\"mode\": \"Fast\", \"odd\": 1, \"inner\": {\"odd\": 1}, \"free\": {\"odd\": {\"deep\": 1}},"
            + " \"maybe\": null, \"name\": null";
    JsonNode made = api.create(api.widgets(), Widgets.spec("pruned", spec)).expect(201);
    Expect.absent(made, "/spec/odd");
    Expect.absent(made, "/spec/inner/odd");
    Expect.absent(made, "/spec/name");
    Expect.at(made, "/spec/free/odd/deep", "1");
    Expect.isTrue("a nullable null is kept", made.at("/spec/maybe").isNull());
    api.delete(api.widgets() + "/pruned").expect(200);
  }

  private static void strict(Target target) throws Exception {
    Api api = new Api(target);
    JsonNode status =
        api.create(
                api.widgets() + "?fieldValidation=Strict",
                Widgets.spec("strict", "\"mode\": \"Fast\", \"odd\": 1"))
            .expect(400, "BadRequest");
    Expect.contains("the message", "unknown field \"spec.odd\"", status.path("message").asText());
    JsonNode pod =
        api.create(
                api.core("pods") + "?fieldValidation=Strict&dryRun=All",
                Widgets.pod("strict", "", "\"odd\": 1,"))
            .expect(400, "BadRequest");
    Expect.contains("the message", "unknown field \"spec.odd\"", pod.path("message").asText());
  }

  private record Broken(String field, String spec) {}

  private static void validation(Target target) throws Exception {
    Api api = new Api(target);
    List<Broken> rows =
        List.of(
            new Broken("spec.mode", "\"mode\": \"Odd\""),
            new Broken("spec.mode", "\"replicas\": 1"),
            new Broken("spec.replicas", "\"mode\": \"Fast\", \"replicas\": 11"),
            new Broken("spec.replicas", "\"mode\": \"Fast\", \"replicas\": -1"),
            new Broken("spec.replicas", "\"mode\": \"Fast\", \"replicas\": \"1\""),
            new Broken("spec.name", "\"mode\": \"Fast\", \"name\": \"a\""),
            new Broken("spec.name", "\"mode\": \"Fast\", \"name\": \"abcdef\""),
            new Broken("spec.name", "\"mode\": \"Fast\", \"name\": \"A1\""),
            new Broken("spec.port", "\"mode\": \"Fast\", \"port\": true"),
            new Broken("spec.tags", "\"mode\": \"Fast\", \"tags\": [\"a\", \"b\", \"c\"]"),
            new Broken("spec.tags[1]", "\"mode\": \"Fast\", \"tags\": [\"a\", 2]"),
            new Broken("spec.limits.cpu", "\"mode\": \"Fast\", \"limits\": {\"cpu\": \"x\"}"));
    for (Broken row : rows) {
      JsonNode status =
          api.create(api.widgets(), Widgets.spec("broken", row.spec())).expect(422, "Invalid");
      Expect.contains("the message", row.field() + ": ", status.path("message").asText());
      Expect.equal("field", row.field(), status.at("/details/causes/0/field").asText());
      Expect.at(status, "/details/name", "broken");
    }
  }

  private static void statusValidation(Target target) throws Exception {
    Api api = new Api(target);
    api.create(api.widgets(), Widgets.named("phases")).expect(201);
    api.merge(api.widgets() + "/phases/status", "{\"status\": {\"phase\": \"Odd\"}}")
        .expect(422, "Invalid");
    api.delete(api.widgets() + "/phases").expect(200);
  }

  private static void scale(Target target) throws Exception {
    Api api = new Api(target);
    String path = api.widgets() + "/scaled";
    api.create(api.widgets(), Widgets.named("scaled")).expect(201);
    api.merge(path + "/status", "{\"status\": {\"replicas\": 3}}").expect(200);
    JsonNode scale = api.get(path + "/scale").expect(200);
    Expect.at(scale, "/kind", "Scale");
    Expect.at(scale, "/spec/replicas", "1");
    Expect.at(scale, "/status/replicas", "3");
    api.merge(path + "/scale", "{\"spec\": {\"replicas\": 5}}").expect(200);
    JsonNode widget = api.get(path).expect(200);
    Expect.at(widget, "/spec/replicas", "5");
    Expect.at(widget, "/metadata/generation", "2");
    api.put(path + "/scale", scale).expect(409, "Conflict");
    api.delete(path).expect(200);
  }

  private static void table(Target target) throws Exception {
    Api api = new Api(target);
    api.create(api.widgets(), Widgets.named("tabled")).expect(201);
    var request =
        java.net.http.HttpRequest.newBuilder(
                java.net.URI.create(target.base() + api.widgets() + "/tabled"))
            .header("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io");
    if (target.token() != null) {
      request.header("Authorization", "Bearer " + target.token());
    }
    var response =
        target.client().send(request.build(), java.net.http.HttpResponse.BodyHandlers.ofString());
    JsonNode table = Api.MAPPER.readTree(response.body());
    Expect.at(table, "/kind", "Table");
    Expect.at(table, "/columnDefinitions/1/name", "Replicas");
    Expect.at(table, "/rows/0/cells/0", "tabled");
    Expect.at(table, "/rows/0/cells/1", "1");
    Expect.isTrue("an age in seconds", table.at("/rows/0/cells/2").asText().endsWith("s"));
    api.delete(api.widgets() + "/tabled").expect(200);
  }
}
