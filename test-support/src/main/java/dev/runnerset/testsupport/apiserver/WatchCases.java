package dev.runnerset.testsupport.apiserver;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Watches. */
final class WatchCases {
  private WatchCases() {}

  static List<Case> all() {
    return List.of(
        new Case("a watch tells changes in order, no-op patches not", WatchCases::order),
        new Case("resourceVersions rise along a watch", WatchCases::rising),
        new Case("a watch goes on from a resourceVersion", WatchCases::resume),
        new Case("a watch without resourceVersion begins with what is there", WatchCases::fromNow),
        new Case("objects enter and leave a watch by their labels", WatchCases::transitions),
        new Case("a field selector narrows a watch", WatchCases::fieldSelector),
        new Case("a bookmark comes before the watch times out", WatchCases::bookmark),
        new Case("timeoutSeconds ends a watch", WatchCases::timeout),
        new Case("a resourceVersion from long ago is 410", WatchCases::tooOld));
  }

  private static String from(JsonNode list) {
    return "?watch=true&resourceVersion=" + Expect.revision(list);
  }

  private static void order(Target target) throws Exception {
    Api api = new Api(target);
    JsonNode list = api.get(api.widgets()).expect(200);
    try (WatchStream watch = api.watch(api.widgets() + from(list))) {
      api.create(api.widgets(), Widgets.named("w1")).expect(201);
      api.create(api.widgets(), Widgets.named("w2")).expect(201);
      api.merge(api.widgets() + "/w1", "{\"spec\": {\"replicas\": 2}}").expect(200);
      api.merge(api.widgets() + "/w1", "{\"spec\": {\"replicas\": 2}}").expect(200);
      api.merge(api.widgets() + "/w2/status", "{\"status\": {\"note\": \"x\"}}").expect(200);
      api.delete(api.widgets() + "/w1").expect(200);
      api.delete(api.widgets() + "/w2").expect(200);
      Expect.equal(
          "events",
          List.of("ADDED w1", "ADDED w2", "MODIFIED w1", "MODIFIED w2", "DELETED w1", "DELETED w2"),
          watch.take(6));
    }
  }

  private static void rising(Target target) throws Exception {
    Api api = new Api(target);
    JsonNode list = api.get(api.widgets()).expect(200);
    try (WatchStream watch = api.watch(api.widgets() + from(list))) {
      api.create(api.widgets(), Widgets.named("rise")).expect(201);
      api.merge(api.widgets() + "/rise", "{\"spec\": {\"replicas\": 2}}").expect(200);
      api.delete(api.widgets() + "/rise").expect(200);
      long last = Long.parseLong(Expect.revision(list));
      for (int i = 0; i < 3; i++) {
        long next = Long.parseLong(Expect.revision(watch.next().path("object")));
        Expect.isTrue(next + " is above " + last, next > last);
        last = next;
      }
    }
  }

  private static void resume(Target target) throws Exception {
    Api api = new Api(target);
    JsonNode made = api.create(api.widgets(), Widgets.named("resume")).expect(201);
    api.merge(api.widgets() + "/resume", "{\"spec\": {\"replicas\": 2}}").expect(200);
    api.delete(api.widgets() + "/resume").expect(200);
    try (WatchStream watch = api.watch(api.widgets() + from(made))) {
      Expect.equal("events", List.of("MODIFIED resume", "DELETED resume"), watch.take(2));
    }
  }

  private static void fromNow(Target target) throws Exception {
    Api api = new Api(target);
    api.create(api.widgets(), Widgets.named("now")).expect(201);
    for (String version : List.of("", "&resourceVersion=0")) {
      String query = "?watch=true&fieldSelector=metadata.name%3Dnow" + version;
      try (WatchStream watch = api.watch(api.widgets() + query)) {
        Expect.equal("events", List.of("ADDED now"), watch.take(1));
      }
    }
    api.delete(api.widgets() + "/now").expect(200);
  }

  private static void transitions(Target target) throws Exception {
    Api api = new Api(target);
    String path = api.widgets() + "/moved";
    JsonNode list = api.get(api.widgets()).expect(200);
    try (WatchStream watch = api.watch(api.widgets() + from(list) + "&labelSelector=in%3Dyes")) {
      api.create(api.widgets(), Widgets.named("moved")).expect(201);
      api.merge(path, "{\"metadata\": {\"labels\": {\"in\": \"yes\"}}}").expect(200);
      api.merge(path, "{\"spec\": {\"replicas\": 2}}").expect(200);
      api.merge(path, "{\"metadata\": {\"labels\": {\"in\": \"no\"}}}").expect(200);
      api.merge(path, "{\"metadata\": {\"labels\": {\"in\": \"yes\"}}}").expect(200);
      api.delete(path).expect(200);
      Expect.equal(
          "events",
          List.of("ADDED moved", "MODIFIED moved", "DELETED moved", "ADDED moved", "DELETED moved"),
          watch.take(5));
    }
  }

  private static void fieldSelector(Target target) throws Exception {
    Api api = new Api(target);
    JsonNode list = api.get(api.core("pods")).expect(200);
    String query = from(list) + "&fieldSelector=spec.nodeName%3Dnode-9";
    try (WatchStream watch = api.watch(api.core("pods") + query)) {
      api.create(api.core("pods"), Widgets.pod("here", "", "\"nodeName\": \"node-9\","))
          .expect(201);
      api.create(api.core("pods"), Widgets.pod("there", "", "\"nodeName\": \"node-8\","))
          .expect(201);
      String now = "{\"gracePeriodSeconds\": 0}";
      api.delete(api.core("pods") + "/there", now).expect(200);
      api.delete(api.core("pods") + "/here", now).expect(200);
      Expect.equal("first event", List.of("ADDED here"), watch.take(1));
      String event = "";
      while (!event.equals("DELETED here")) { // a real server may mark it first
        event = watch.take(1).getFirst();
        Expect.isTrue(event + " is about this pod", event.endsWith(" here"));
      }
    }
  }

  /** A real server tells of progress only once something happened, and right before the end. */
  private static void bookmark(Target target) throws Exception {
    Api api = new Api(target);
    JsonNode list = api.get(api.widgets()).expect(200);
    String query = from(list) + "&allowWatchBookmarks=true&timeoutSeconds=6";
    try (WatchStream watch = api.watch(api.widgets() + query)) {
      api.create(api.widgets(), Widgets.named("marked")).expect(201);
      JsonNode added = watch.next();
      Expect.at(added, "/type", "ADDED");
      JsonNode event = watch.next();
      Expect.at(event, "/type", "BOOKMARK");
      Expect.at(event, "/object/kind", "Widget");
      long revision = Long.parseLong(Expect.revision(event.path("object")));
      long known = Long.parseLong(Expect.revision(added.path("object")));
      Expect.isTrue("not before what was told", revision >= known);
    }
  }

  private static void timeout(Target target) throws Exception {
    Api api = new Api(target);
    JsonNode list = api.get(api.widgets()).expect(200);
    try (WatchStream watch = api.watch(api.widgets() + from(list) + "&timeoutSeconds=1")) {
      JsonNode event = watch.next();
      throw new AssertionError("the watch should have ended but told " + event);
    } catch (AssertionError e) {
      Expect.equal("how the watch went", "the watch has ended", String.valueOf(e.getMessage()));
    }
  }

  private static void tooOld(Target target) throws Exception {
    Api api = new Api(target);
    Api.Answer answer = api.get(api.widgets() + "?watch=true&resourceVersion=1&timeoutSeconds=5");
    boolean asStatus = answer.code() == 410;
    JsonNode status = asStatus ? answer.body() : answer.expect(200).path("object");
    Expect.at(status, "/code", "410");
    Expect.isTrue(
        "the reason is Expired or Gone",
        List.of("Expired", "Gone").contains(status.path("reason").asText()));
  }
}
