package dev.runnerset.testsupport.apiserver;

import static dev.runnerset.testsupport.apiserver.Api.PODS;
import static dev.runnerset.testsupport.apiserver.Api.WIDGETS;
import static dev.runnerset.testsupport.apiserver.Api.revision;
import static dev.runnerset.testsupport.apiserver.Api.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;

/** Watches. */
final class WatchCases {
  private static final String TWO = "{spec: {replicas: 2}}";

  private WatchCases() {}

  static List<Case> all() {
    return List.of(
        new Case("a watch tells changes in order, no-op patches not", WatchCases::order),
        new Case("a watch goes on from a resourceVersion", WatchCases::resume),
        new Case("a watch without resourceVersion begins with what is there", WatchCases::fromNow),
        new Case("objects enter and leave a watch by their labels", WatchCases::transitions),
        new Case("a field selector narrows a watch", WatchCases::fieldSelector),
        new Case("a bookmark comes before the watch times out", WatchCases::bookmark),
        new Case("timeoutSeconds ends a watch", WatchCases::timeout),
        new Case("a resourceVersion from long ago is 410", WatchCases::tooOld));
  }

  private static void order(Api api) throws Exception {
    try (var watch = api.watchFromNow(WIDGETS, "");
        var first = api.widget("w1");
        var second = api.widget("w2")) {
      first.merge(TWO).expect(200);
      first.merge(TWO).expect(200);
      second.mergeStatus("{status: {note: 'x'}}").expect(200);
      first.delete("").expect(200);
      second.delete("").expect(200);
      assertThat(watch.take(6))
          .containsExactly(
              "ADDED w1", "ADDED w2", "MODIFIED w1", "MODIFIED w2", "DELETED w1", "DELETED w2");
    }
  }

  private static void resume(Api api) throws Exception {
    try (var widget = api.widget("resume")) {
      widget.merge(TWO).expect(200);
      widget.delete("").expect(200);
      var last = Long.parseLong(revision(widget.first()));
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
  }

  private static void fromNow(Api api) throws Exception {
    try (var _ = api.widget("now")) {
      for (var version : List.of("", "&resourceVersion=0")) {
        var query = "?watch=true&fieldSelector=metadata.name%3Dnow" + version;
        try (var watch = api.watch(WIDGETS + query)) {
          assertThat(watch.take(1)).containsExactly("ADDED now");
        }
      }
    }
  }

  private static void transitions(Api api) throws Exception {
    try (var watch = api.watchFromNow(WIDGETS, "&labelSelector=in%3Dyes");
        var widget = api.widget("moved")) {
      var label = "{metadata: {labels: {in: '%s'}}}";
      widget.merge(label.formatted("yes")).expect(200);
      widget.merge(TWO).expect(200);
      widget.merge(label.formatted("no")).expect(200);
      widget.merge(label.formatted("yes")).expect(200);
      widget.delete("").expect(200);
      assertThat(watch.take(5))
          .containsExactly(
              "ADDED moved", "MODIFIED moved", "DELETED moved", "ADDED moved", "DELETED moved");
    }
  }

  private static void fieldSelector(Api api) throws Exception {
    try (var watch = api.watchFromNow(PODS, "&fieldSelector=spec.nodeName%3Dnode-9")) {
      try (var _ = api.make(PODS, Bodies.pod("here", "", "nodeName: 'node-9',"));
          var _ = api.make(PODS, Bodies.pod("there", "", "nodeName: 'node-8',"))) {
        assertThat(watch.take(1)).containsExactly("ADDED here");
      }
      var event = "";
      while (!event.equals("DELETED here")) { // a real server may mark it first
        event = watch.take(1).getFirst();
        assertThat(event).endsWith(" here");
      }
    }
  }

  /** A real server tells of progress only once something happened, and right before the end. */
  private static void bookmark(Api api) throws Exception {
    try (var watch = api.watchFromNow(WIDGETS, "&allowWatchBookmarks=true&timeoutSeconds=6");
        var widget = api.widget("marked")) {
      assertThat(text(watch.next(), "/type")).isEqualTo("ADDED");
      var event = watch.next();
      assertThat(text(event, "/type")).isEqualTo("BOOKMARK");
      assertThat(text(event, "/object/kind")).isEqualTo("Widget");
      assertThat(Long.parseLong(revision(event.path("object"))))
          .as("not before what was told")
          .isGreaterThanOrEqualTo(Long.parseLong(revision(widget.first())));
    }
  }

  private static void timeout(Api api) throws Exception {
    try (var watch = api.watchFromNow(WIDGETS, "&timeoutSeconds=1")) {
      assertThatThrownBy(watch::next).hasMessage("the watch has ended");
    }
  }

  private static void tooOld(Api api) throws Exception {
    var answer = api.get(WIDGETS + "?watch=true&resourceVersion=1&timeoutSeconds=5");
    var status = answer.code() == 410 ? answer.body() : answer.expect(200).path("object");
    assertThat(text(status, "/code")).isEqualTo("410");
    assertThat(text(status, "/reason")).isIn("Expired", "Gone");
  }
}
