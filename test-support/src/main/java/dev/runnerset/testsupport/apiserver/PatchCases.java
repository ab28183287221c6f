package dev.runnerset.testsupport.apiserver;

import static dev.runnerset.testsupport.apiserver.Api.MAPS;
import static dev.runnerset.testsupport.apiserver.Api.PODS;
import static dev.runnerset.testsupport.apiserver.Api.WIDGETS;
import static dev.runnerset.testsupport.apiserver.Api.revision;
import static dev.runnerset.testsupport.apiserver.Api.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** Merge and JSON patches, and the status subresource: who may write which half of an object. */
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
        new Case("labels and annotations leave the generation alone", PatchCases::metadata),
        new Case("create drops the status", PatchCases::create),
        new Case("a patch of the object ignores the status", PatchCases::mainPatch),
        new Case("a write of /status ignores spec and metadata", PatchCases::status),
        new Case("two writers of /status do not wipe each other", PatchCases::twoWriters),
        new Case("a pod's status is written through /status only", PatchCases::podStatus),
        new Case("a pod is bound to a node once", PatchCases::binding));
  }

  private static void merge(Api api) throws Exception {
    var body = Bodies.widget("merged", "", "mode: 'Fast', name: 'abc', tags: ['a', 'b']");
    try (var widget = api.make(WIDGETS, body)) {
      var merged = widget.merge("{spec: {name: null, tags: ['c'], replicas: 2}}").expect(200);
      assertThat(merged.at("/spec").has("name")).isFalse();
      assertThat(merged.at("/spec/tags")).hasToString("[\"c\"]");
      assertThat(text(merged, "/spec/mode")).isEqualTo("Fast");
      assertThat(text(merged, "/metadata/generation")).isEqualTo("2");
      var reset = widget.merge("{spec: {replicas: null}}").expect(200);
      assertThat(text(reset, "/spec/replicas")).as("the default is back").isEqualTo("1");
    }
  }

  private static void noChange(Api api) throws Exception {
    try (var widget = api.widget("same")) {
      for (var patch : List.of("{spec: {mode: 'Fast'}}", "{}", "{status: {note: 'x'}}")) {
        assertThat(revision(widget.merge(patch).expect(200)))
            .as(patch)
            .isEqualTo(revision(widget.first()));
      }
      var read = widget.mergeStatus("{}").expect(200);
      assertThat(revision(read)).isEqualTo(revision(widget.first()));
      assertThat(text(read, "/spec/mode")).isEqualTo("Fast");
    }
  }

  private static void precondition(Api api) throws Exception {
    try (var widget = api.widget("fenced")) {
      var patch =
          "{metadata: {resourceVersion: '" + revision(widget.first()) + "'}, status: {note: '%s'}}";
      widget.mergeStatus(patch.formatted("one")).expect(200);
      assertThat(widget.mergeStatus(patch.formatted("two")).expect(409, "Conflict"))
          .contains("the object has been modified; please");
      assertThat(text(widget.get(), "/status/note")).isEqualTo("one");
    }
  }

  private static void test(Api api) throws Exception {
    try (var widget = api.widget("tested")) {
      var old = revision(widget.mergeStatus("{status: {replicas: 1}}").expect(200));
      for (var test :
          List.of("path: '/status/replicas', value: 2", "path: '/status/note', value: 'x'")) {
        var patch = "[{op: 'test', " + test + "}, {op: 'add', path: '/status/note', value: 'y'}]";
        api.jsonPatch(widget.path() + "/status", patch).expect(422, "Invalid");
      }
      assertThat(revision(widget.get())).isEqualTo(old);
    }
  }

  private static void apply(Api api) throws Exception {
    var body = Bodies.widget("applied", "", "mode: 'Fast', tags: ['a'], name: 'abc'");
    try (var widget = api.make(WIDGETS, body)) {
      var patched =
          api.jsonPatch(
                  widget.path(),
                  """
                  [{op: 'test', path: '/spec/mode', value: 'Fast'},
                   {op: 'replace', path: '/spec/mode', value: 'Slow'},
                   {op: 'add', path: '/spec/tags/-', value: 'z'},
                   {op: 'remove', path: '/spec/name'}]
                  """)
              .expect(200);
      assertThat(text(patched, "/spec/mode")).isEqualTo("Slow");
      assertThat(patched.at("/spec/tags")).hasToString("[\"a\",\"z\"]");
      assertThat(patched.at("/spec").has("name")).isFalse();
      var again = "[{op: 'remove', path: '/spec/name'}]";
      api.jsonPatch(widget.path(), again).expect(422, "Invalid");
    }
  }

  private static void validated(Api api) throws Exception {
    try (var widget = api.widget("checked")) {
      var refused = widget.merge("{spec: {replicas: 99}}").expect(422);
      assertThat(text(refused, "/details/causes/0/field")).isEqualTo("spec.replicas");
      widget.mergeStatus("{status: {phase: 'Odd'}}").expect(422, "Invalid");
    }
  }

  private static void metadata(Api api) throws Exception {
    try (var map = api.make(MAPS, Bodies.configMap("labelled", ""));
        var widget = api.widget("labelled")) {
      for (var object : List.of(map, widget)) {
        var labelled = object.merge("{metadata: {labels: {a: 'b'}}}").expect(200);
        assertThat(text(labelled, "/metadata/labels/a")).isEqualTo("b");
        assertThat(labelled.at("/metadata/generation"))
            .isEqualTo(object.first().at("/metadata/generation"));
        assertThat(revision(labelled)).isNotEqualTo(revision(object.first()));
      }
    }
  }

  private static void create(Api api) throws Exception {
    var body = Bodies.widget("dropped").replaceFirst("\\{", "{status: {note: 'x'}, ");
    try (var widget = api.make(WIDGETS, body)) {
      assertThat(widget.first().has("status")).isFalse();
    }
  }

  private static void mainPatch(Api api) throws Exception {
    try (var widget = api.widget("main")) {
      widget.mergeStatus("{status: {note: 'kept'}}").expect(200);
      var patched = widget.merge("{spec: {replicas: 2}, status: {note: 'lost'}}").expect(200);
      assertThat(text(patched, "/status/note")).isEqualTo("kept");
      assertThat(text(patched, "/spec/replicas")).isEqualTo("2");
    }
  }

  private static void status(Api api) throws Exception {
    try (var widget = api.widget("half")) {
      var put = widget.copy();
      put.withObjectProperty("spec").put("replicas", 9);
      put.putObject("status").put("note", "x");
      var answers =
          List.of(
              api.put(widget.path() + "/status", put).expect(200),
              widget
                  .mergeStatus(
                      "{metadata: {labels: {a: 'b'}, finalizers: ['x.dev/y']}, spec: {replicas: 9}, status: {note: 'x'}}")
                  .expect(200));
      for (var answer : answers) {
        assertThat(text(answer, "/status/note")).isEqualTo("x");
        assertThat(text(answer, "/spec/replicas")).isEqualTo("1");
        assertThat(answer.at("/metadata").has("labels")).isFalse();
        assertThat(answer.at("/metadata").has("finalizers")).isFalse();
        assertThat(text(answer, "/metadata/generation")).isEqualTo("1");
      }
    }
  }

  private static void twoWriters(Api api) throws Exception {
    try (var widget = api.widget("both")) {
      widget.mergeStatus("{status: {note: 'one'}}").expect(200);
      widget.mergeStatus("{status: {replicas: 2}}").expect(200);
      assertThat(text(widget.get(), "/status/note")).isEqualTo("one");
      assertThat(text(widget.get(), "/status/replicas")).isEqualTo("2");
      var cleared = widget.mergeStatus("{status: {note: null}}").expect(200);
      assertThat(cleared.at("/status").has("note")).isFalse();
      assertThat(text(cleared, "/status/replicas")).isEqualTo("2");
    }
  }

  private static void podStatus(Api api) throws Exception {
    try (var pod = api.make(PODS, Bodies.pod("phases"))) {
      var running = "{status: {phase: 'Running'}}";
      assertThat(text(pod.merge(running).expect(200), "/status/phase")).isEqualTo("Pending");
      assertThat(text(pod.mergeStatus(running).expect(200), "/status/phase")).isEqualTo("Running");
    }
  }

  private static void binding(Api api) throws Exception {
    var body =
        "{apiVersion: 'v1', kind: 'Binding', metadata: {name: 'bound'}, target: {apiVersion: 'v1', kind: 'Node', name: 'node-1'}}";
    try (var pod = api.make(PODS, Bodies.pod("bound"))) {
      api.create(pod.path() + "/binding", body).expect(201);
      assertThat(text(pod.get(), "/spec/nodeName")).isEqualTo("node-1");
      assertThat(pod.get().at("/status/conditions").toString()).contains("PodScheduled");
      api.create(pod.path() + "/binding", body).expect(409, "Conflict");
    }
  }
}
