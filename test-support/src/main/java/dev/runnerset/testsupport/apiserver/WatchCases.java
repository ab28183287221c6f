package dev.runnerset.testsupport.apiserver;

import static dev.runnerset.testsupport.apiserver.Api.revision;
import static dev.runnerset.testsupport.apiserver.Api.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Watches. */
final class WatchCases {
  private static final String WIDGETS = CaseObjects.collection("Widget");
  private static final String PODS = CaseObjects.collection("Pod");
  private static final String TWO = "{spec: {replicas: 2}}";

  private WatchCases() {}

  private interface Check {
    void run(Api api, CaseObjects objects) throws Exception;
  }

  private static Case watching(String name, Check check) {
    return new Case(
        name,
        api -> {
          try (var objects = new CaseObjects(api)) {
            check.run(api, objects);
          }
        });
  }

  static List<Case> all() {
    return List.of(
        watching("a watch tells changes in order, no-op patches not", WatchCases::order),
        watching("a watch goes on from a resourceVersion", WatchCases::resume),
        watching("a watch without resourceVersion begins with what is there", WatchCases::fromNow),
        watching("objects enter and leave a watch by their labels", WatchCases::transitions),
        watching("a field selector narrows a watch", WatchCases::fieldSelector),
        watching("a bookmark comes before the watch times out", WatchCases::bookmark),
        watching("timeoutSeconds ends a watch", WatchCases::timeout),
        watching("a resourceVersion from long ago is 410", WatchCases::tooOld));
  }

  private static void order(Api api, CaseObjects objects) throws Exception {
    try (var watch = api.watchFromNow(WIDGETS, "")) {
      var first = objects.widget("w1");
      var second = objects.widget("w2");
      api.merge(first, TWO).expect(200);
      api.merge(first, TWO).expect(200);
      api.merge(second + "/status", "{status: {note: 'x'}}").expect(200);
      api.delete(first, "").expect(200);
      api.delete(second, "").expect(200);
      assertThat(watch.take(6))
          .containsExactly(
              "ADDED w1", "ADDED w2", "MODIFIED w1", "MODIFIED w2", "DELETED w1", "DELETED w2");
    }
  }

  private static void resume(Api api, CaseObjects objects) throws Exception {
    var widget = objects.widget("resume");
    api.merge(widget, TWO).expect(200);
    api.delete(widget, "").expect(200);
    var last = Long.parseLong(revision(objects.get("resume").first()));
    try (var watch = api.watch(WIDGETS + "?watch=true&resourceVersion=" + last)) {
      for (var type : List.of("MODIFIED", "DELETED")) {
        var event = watch.next();
        assertThat(text(event, "/type")).isEqualTo(type);
        assertThat(text(event, "/object/metadata/name")).isEqualTo("resume");
        var next = Long.parseLong(revision(event.path("object")));
        assertThat(next).as("resourceVersions rise along a watch").isGreaterThan(last);
        last = next;
      }
    }
  }

  private static void fromNow(Api api, CaseObjects objects) throws Exception {
    objects.widget("now");
    for (var version : List.of("", "&resourceVersion=0")) {
      var query = "?watch=true&fieldSelector=metadata.name%3Dnow" + version;
      try (var watch = api.watch(WIDGETS + query)) {
        assertThat(watch.take(1)).containsExactly("ADDED now");
      }
    }
  }

  private static void transitions(Api api, CaseObjects objects) throws Exception {
    try (var watch = api.watchFromNow(WIDGETS, "&labelSelector=in%3Dyes")) {
      var widget = objects.widget("moved");
      var label = "{metadata: {labels: {in: '%s'}}}";
      api.merge(widget, label.formatted("yes")).expect(200);
      api.merge(widget, TWO).expect(200);
      api.merge(widget, label.formatted("no")).expect(200);
      api.merge(widget, label.formatted("yes")).expect(200);
      api.delete(widget, "").expect(200);
      assertThat(watch.take(5))
          .containsExactly(
              "ADDED moved", "MODIFIED moved", "DELETED moved", "ADDED moved", "DELETED moved");
    }
  }

  private static JsonNode podOn(String node) {
    return Api.json(
        "{kind: 'Pod', metadata: {name: 'on-%1$s'}, spec: {nodeName: '%1$s'}}".formatted(node));
  }

  private static void fieldSelector(Api api, CaseObjects objects) throws Exception {
    try (var watch = api.watchFromNow(PODS, "&fieldSelector=spec.nodeName%3Dnode-9")) {
      try (var pods = new CaseObjects(api)) {
        pods.make("here", PODS, podOn("node-9"));
        pods.make("there", PODS, podOn("node-8"));
        assertThat(watch.take(1)).containsExactly("ADDED on-node-9");
      }
      var event = "";
      while (!event.equals("DELETED on-node-9")) { // a real server may mark it first
        event = watch.take(1).getFirst();
        assertThat(event).endsWith(" on-node-9");
      }
    }
  }

  /** A real server tells of progress only once something happened, and right before the end. */
  private static void bookmark(Api api, CaseObjects objects) throws Exception {
    try (var watch = api.watchFromNow(WIDGETS, "&allowWatchBookmarks=true&timeoutSeconds=6")) {
      objects.widget("marked");
      assertThat(watch.take(1)).containsExactly("ADDED marked");
      var event = watch.next();
      assertThat(text(event, "/type")).isEqualTo("BOOKMARK");
      assertThat(text(event, "/object/kind")).isEqualTo("Widget");
      assertThat(Long.parseLong(revision(event.path("object"))))
          .as("not before what was reported")
          .isGreaterThanOrEqualTo(Long.parseLong(revision(objects.get("marked").first())));
    }
  }

  private static void timeout(Api api, CaseObjects objects) throws Exception {
    try (var watch = api.watchFromNow(WIDGETS, "&timeoutSeconds=1")) {
      assertThatThrownBy(watch::next).hasMessage("the watch has ended");
    }
  }

  private static void tooOld(Api api, CaseObjects objects) throws Exception {
    var answer = api.get(WIDGETS + "?watch=true&resourceVersion=1&timeoutSeconds=5");
    var status = answer.code() == 410 ? answer.body() : answer.expect(200).path("object");
    assertThat(text(status, "/code")).isEqualTo("410");
    assertThat(text(status, "/reason")).isIn("Expired", "Gone");
  }
}
