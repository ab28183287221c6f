package dev.runnerset.testsupport.apiserver;

import static dev.runnerset.testsupport.apiserver.Api.PODS;
import static dev.runnerset.testsupport.apiserver.Api.WIDGETS;
import static dev.runnerset.testsupport.apiserver.Api.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** Custom kinds: definition, defaults, pruning, validation. */
final class SchemaCases {
  private SchemaCases() {}

  static List<Case> all() {
    return List.of(
        new Case("a definition is established and served", SchemaCases::established),
        new Case("defaults are filled in, nested ones where the parent is", SchemaCases::defaults),
        new Case("unknown fields are pruned, but where they are preserved", SchemaCases::pruning),
        new Case("unknown fields are refused with fieldValidation=Strict", SchemaCases::strict),
        new Case("each broken rule is refused with its path", SchemaCases::validation));
  }

  private static void established(Api api) throws Exception {
    assertThat(api.create(Bodies.DEFINITIONS, Bodies.DEFINITION).code()).isIn(201, 409);
    var path = Bodies.DEFINITIONS + "/widgets.contract.runnerset.dev";
    Api.await(
        "the condition Established",
        () -> {
          var conditions = api.get(path).expect(200).at("/status/conditions");
          return conditions.toString().contains("\"type\":\"Established\"");
        });
    Api.await("the endpoint", () -> api.get(WIDGETS).code() == 200);
    var kinds = api.get("/apis/contract.runnerset.dev/v1").expect(200);
    assertThat(kinds.toString()).contains("\"widgets/status\"");
  }

  private static void defaults(Api api) throws Exception {
    var body = Bodies.widget("defaults", "", "mode: 'Fast', inner: {}, replicas: null");
    try (var widget = api.make(WIDGETS, body)) {
      assertThat(text(widget.first(), "/spec/replicas")).isEqualTo("1");
      assertThat(text(widget.first(), "/spec/inner/on")).isEqualTo("true");
    }
    try (var bare = api.widget("defaults")) {
      assertThat(bare.first().at("/spec").has("inner")).isFalse();
    }
  }

  private static void pruning(Api api) throws Exception {
    var spec = "mode: 'Fast', odd: 1, inner: {odd: 1}, free: {odd: {deep: 1}}, name: null";
    try (var widget = api.make(WIDGETS, Bodies.widget("pruned", "", spec))) {
      var stored = widget.first().at("/spec");
      assertThat(stored.has("odd") || stored.has("name")).isFalse();
      assertThat(stored.at("/inner").has("odd")).isFalse();
      assertThat(text(stored, "/free/odd/deep")).isEqualTo("1");
    }
  }

  private static void strict(Api api) throws Exception {
    var strict = "?fieldValidation=Strict&dryRun=All";
    var widget = Bodies.widget("strict", "", "mode: 'Fast', odd: 1");
    assertThat(api.create(WIDGETS + strict, widget).expect(400, "BadRequest"))
        .contains("unknown field \"spec.odd\"");
    var pod = Bodies.pod("strict", "", "odd: 1,");
    assertThat(api.create(PODS + strict, pod).expect(400, "BadRequest"))
        .contains("unknown field \"spec.odd\"");
  }

  private record Broken(String field, String spec) {}

  private static void validation(Api api) throws Exception {
    var rows =
        List.of(
            new Broken("spec.mode", "mode: 'Odd'"),
            new Broken("spec.mode", "replicas: 1"),
            new Broken("spec.replicas", "mode: 'Fast', replicas: 11"),
            new Broken("spec.replicas", "mode: 'Fast', replicas: -1"),
            new Broken("spec.replicas", "mode: 'Fast', replicas: '1'"),
            new Broken("spec.name", "mode: 'Fast', name: 'abcdef'"),
            new Broken("spec.since", "mode: 'Fast', since: 'today'"),
            new Broken("spec.tags", "mode: 'Fast', tags: ['a', 'b', 'c']"),
            new Broken("spec.tags[1]", "mode: 'Fast', tags: ['a', 2]"));
    for (var row : rows) {
      var answer = api.create(WIDGETS, Bodies.widget("broken", "", row.spec()));
      assertThat(answer.expect(422, "Invalid")).contains(row.field() + ": ");
      assertThat(text(answer.body(), "/details/causes/0/field")).isEqualTo(row.field());
      assertThat(text(answer.body(), "/details/name")).isEqualTo("broken");
    }
  }
}
