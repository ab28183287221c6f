package dev.runnerset.testsupport.apiserver;

import static dev.runnerset.testsupport.apiserver.Api.MAPS;
import static dev.runnerset.testsupport.apiserver.Api.PODS;
import static dev.runnerset.testsupport.apiserver.Api.WIDGETS;
import static dev.runnerset.testsupport.apiserver.Api.revision;
import static dev.runnerset.testsupport.apiserver.Api.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** Deletion: preconditions, finalizers, grace, collections, namespaces. */
final class DeleteCases {
  private static final String GOING = "/metadata/deletionTimestamp";

  private DeleteCases() {}

  static List<Case> all() {
    return List.of(
        new Case("a delete with an uid or resourceVersion is for that only", DeleteCases::only),
        new Case("a finalizer holds the object until it is taken off", DeleteCases::finalizer),
        new Case("no finalizer can be added while the object goes", DeleteCases::lateFinalizer),
        new Case("a pod on a node waits for its kubelet", DeleteCases::graceful),
        new Case("a pod without a node, or ended, goes at once", DeleteCases::ungraceful),
        new Case("deletecollection takes a label selector", DeleteCases::collection),
        new Case("a namespace takes its content with it", DeleteCases::namespace));
  }

  private static Made held(Api api, String name) throws Exception {
    return api.make(WIDGETS, Bodies.widget(name, Bodies.HELD, "mode: 'Fast'"));
  }

  private static void only(Api api) throws Exception {
    try (var widget = api.widget("only")) {
      var second = revision(widget.mergeStatus("{status: {note: 'x'}}").expect(200));
      var options = "{preconditions: {%s: '%s'}}";
      var other = options.formatted("uid", "00000000-0000-0000-0000-000000000000");
      widget.delete(other).expect(409, "Conflict");
      var old = options.formatted("resourceVersion", revision(widget.first()));
      widget.delete(old).expect(409, "Conflict");
      widget
          .delete(
              "{preconditions: {uid: '%s', resourceVersion: '%s'}}"
                  .formatted(text(widget.first(), "/metadata/uid"), second))
          .expect(200);
      assertThat(widget.isGone()).isTrue();
    }
  }

  private static void finalizer(Api api) throws Exception {
    try (var widget = held(api, "held")) {
      var going = widget.delete("").expect(200);
      assertThat(text(going, GOING)).isNotEmpty();
      assertThat(text(going, "/metadata/generation")).isEqualTo("2");
      widget.delete("").expect(200);
      assertThat(revision(widget.get()))
          .as("a second delete writes nothing")
          .isEqualTo(revision(going));
      widget.mergeStatus("{status: {note: 'last words'}}").expect(200);
      widget.merge("{metadata: {deletionTimestamp: null}}").expect(200);
      assertThat(text(widget.get(), GOING)).as("the mark stays").isNotEmpty();
      widget.merge("{metadata: {finalizers: null}}").expect(200);
      assertThat(widget.isGone()).isTrue();
    }
  }

  private static void lateFinalizer(Api api) throws Exception {
    try (var widget = held(api, "late")) {
      widget.delete("").expect(200);
      widget
          .merge(
              "{metadata: {finalizers: ['contract.runnerset.dev/hold', 'contract.runnerset.dev/more']}}")
          .expect(422, "Invalid");
      widget.merge("{metadata: {finalizers: []}}").expect(200);
      assertThat(widget.isGone()).isTrue();
    }
  }

  private static void graceful(Api api) throws Exception {
    var spec = "nodeName: 'node-1', terminationGracePeriodSeconds: 20,";
    try (var pod = api.make(PODS, Bodies.pod("graceful", "", spec))) {
      pod.delete("").expect(200);
      assertThat(text(pod.get(), GOING)).isNotEmpty();
      assertThat(text(pod.get(), "/metadata/deletionGracePeriodSeconds")).isEqualTo("20");
      pod.delete("{gracePeriodSeconds: 0}").expect(200);
      assertThat(pod.isGone()).isTrue();
    }
  }

  private static void ungraceful(Api api) throws Exception {
    try (var pod = api.make(PODS, Bodies.pod("quick"))) {
      pod.delete("").expect(200);
      assertThat(pod.isGone()).isTrue();
    }
    try (var pod = api.make(PODS, Bodies.pod("quick", "", "nodeName: 'node-1',"))) {
      pod.mergeStatus("{status: {phase: 'Succeeded'}}").expect(200);
      pod.delete("").expect(200);
      assertThat(pod.isGone()).isTrue();
    }
  }

  private static void collection(Api api) throws Exception {
    try (var first = api.make(MAPS, Bodies.configMap("many-1", ", labels: {contract: 'goes'}"));
        var second = api.make(MAPS, Bodies.configMap("many-2", ", labels: {contract: 'goes'}"));
        var third = api.make(MAPS, Bodies.configMap("many-3", ", labels: {contract: 'stays'}"))) {
      api.delete(MAPS + "?labelSelector=contract%3Dgoes", "").expect(200);
      assertThat(List.of(first.isGone(), second.isGone(), third.isGone()))
          .containsExactly(true, true, false);
    }
  }

  private static void namespace(Api api) throws Exception {
    var name = api.target().namespace() + "-going";
    var body = "{apiVersion: 'v1', kind: 'Namespace', metadata: {name: '" + name + "'}}";
    try (var namespace = api.make("/api/v1/namespaces", body)) {
      var maps = namespace.path() + "/configmaps";
      var held = api.make(maps, Bodies.configMap("held", Bodies.HELD));
      var free = api.make(maps, Bodies.configMap("free", ""));
      namespace.delete("").expect(200);
      assertThat(text(namespace.get(), "/status/phase")).isEqualTo("Terminating");
      var refused = api.create(maps, Bodies.configMap("new", "")).expect(403);
      assertThat(text(refused, "/details/causes/0/reason")).isEqualTo("NamespaceTerminating");
      api.awaitGone(free.path());
      held.merge("{metadata: {finalizers: null}}").expect(200);
      api.awaitGone(namespace.path());
    }
  }
}
