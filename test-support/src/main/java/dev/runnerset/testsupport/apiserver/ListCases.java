package dev.runnerset.testsupport.apiserver;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Lists, selectors and pages. */
final class ListCases {
  private ListCases() {}

  static List<Case> all() {
    return List.of(
        new Case("label selectors select", ListCases::labels),
        new Case("field selectors select", ListCases::fields),
        new Case("an unknown field selector is refused 400", ListCases::unknownField),
        new Case("pages give every object once", ListCases::pages),
        new Case("a list of all namespaces has the object", ListCases::allNamespaces));
  }

  private record Row(String selector, String names) {}

  static List<String> names(JsonNode list) {
    List<String> names = new ArrayList<>();
    list.path("items").forEach(item -> names.add(item.at("/metadata/name").asText()));
    return names;
  }

  private static String query(String name, String value) {
    return "?" + name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  private static void labels(Target target) throws Exception {
    Api api = new Api(target);
    for (String row : List.of("l1 a x", "l2 b x", "l3 c y")) {
      String[] word = row.split(" ");
      String labels = ", \"labels\": {\"k\": \"" + word[1] + "\", \"t\": \"" + word[2] + "\"}";
      api.create(api.widgets(), Widgets.with(word[0], labels, "\"mode\": \"Fast\"")).expect(201);
    }
    List<Row> rows =
        List.of(
            new Row("k=a", "[l1]"),
            new Row("k==a", "[l1]"),
            new Row("k!=a,t", "[l2, l3]"),
            new Row("k in (a,c)", "[l1, l3]"),
            new Row("t,k notin (a, c)", "[l2]"),
            new Row("t", "[l1, l2, l3]"),
            new Row("t,!k", "[]"),
            new Row("t=x,k in (a,b),k!=b", "[l1]"));
    for (Row row : rows) {
      JsonNode list = api.get(api.widgets() + query("labelSelector", row.selector())).expect(200);
      Expect.equal("names for " + row.selector(), row.names(), names(list).toString());
    }
    api.delete(api.widgets() + query("labelSelector", "t")).expect(200);
  }

  private static void fields(Target target) throws Exception {
    Api api = new Api(target);
    String pods = api.core("pods");
    api.create(pods, Widgets.pod("f1", "", "\"nodeName\": \"node-7\",")).expect(201);
    api.create(pods, Widgets.pod("f2", "", "")).expect(201);
    api.merge(pods + "/f2/status", "{\"status\": {\"phase\": \"Failed\"}}").expect(200);
    List<Row> rows =
        List.of(
            new Row("metadata.name=f2", "[f2]"),
            new Row("spec.nodeName=node-7", "[f1]"),
            new Row("status.phase=Failed", "[f2]"),
            new Row("status.phase!=Failed,spec.nodeName=node-7", "[f1]"),
            new Row("metadata.namespace=elsewhere", "[]"));
    for (Row row : rows) {
      JsonNode list = api.get(pods + query("fieldSelector", row.selector())).expect(200);
      Expect.equal("names for " + row.selector(), row.names(), names(list).toString());
    }
    api.delete(pods + "/f1", "{\"gracePeriodSeconds\": 0}").expect(200);
    api.delete(pods + "/f2", "{\"gracePeriodSeconds\": 0}").expect(200);
  }

  private static void unknownField(Target target) throws Exception {
    Api api = new Api(target);
    api.get(api.widgets() + query("fieldSelector", "spec.mode=Fast")).expect(400, "BadRequest");
  }

  private static void pages(Target target) throws Exception {
    Api api = new Api(target);
    List<String> made = List.of("page-1", "page-2", "page-3", "page-4", "page-5");
    for (String name : made) {
      String labels = ", \"labels\": {\"page\": \"true\"}";
      api.create(api.core("configmaps"), Widgets.configMap(name, labels)).expect(201);
    }
    String path = api.core("configmaps") + "?limit=2&labelSelector=page";
    List<String> seen = new ArrayList<>();
    String token = "";
    int pages = 0;
    do {
      String more =
          token.isEmpty() ? "" : "&continue=" + URLEncoder.encode(token, StandardCharsets.UTF_8);
      JsonNode page = api.get(path + more).expect(200);
      seen.addAll(names(page));
      token = page.at("/metadata/continue").asText("");
      pages++;
    } while (!token.isEmpty());
    Expect.equal("names", made, seen);
    Expect.equal("pages", 3, pages);
    api.delete(api.core("configmaps") + "?labelSelector=page").expect(200);
  }

  private static void allNamespaces(Target target) throws Exception {
    Api api = new Api(target);
    api.create(api.widgets(), Widgets.named("somewhere")).expect(201);
    JsonNode list = api.get("/apis/" + Widgets.GROUP + "/v1/widgets").expect(200);
    Expect.at(list, "/kind", "WidgetList");
    Expect.isTrue("it is in the list", names(list).contains("somewhere"));
    api.delete(api.widgets() + "/somewhere").expect(200);
  }
}
