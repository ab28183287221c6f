package dev.runnerset.testsupport.apiserver;

import static dev.runnerset.testsupport.apiserver.Api.PODS;
import static dev.runnerset.testsupport.apiserver.Api.WIDGETS;
import static dev.runnerset.testsupport.apiserver.Api.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Lists and selectors. */
final class ListCases {
  private ListCases() {}

  static List<Case> all() {
    return List.of(
        new Case("label selectors select", ListCases::labels),
        new Case("field selectors select", ListCases::fields),
        new Case("a list of all namespaces has the object", ListCases::allNamespaces));
  }

  private record Row(String selector, String names) {}

  private static String names(JsonNode list) {
    return list.path("items").valueStream().map(i -> text(i, "/metadata/name")).toList().toString();
  }

  private static void check(Api api, String path, String selector, List<Row> rows)
      throws Exception {
    for (var row : rows) {
      var value = URLEncoder.encode(row.selector(), StandardCharsets.UTF_8);
      var list = api.get(path + "?" + selector + "=" + value).expect(200);
      assertThat(names(list)).as(row.selector()).isEqualTo(row.names());
    }
  }

  private static Made labelled(Api api, String name, String labels) throws Exception {
    return api.make(WIDGETS, Bodies.widget(name, ", labels: " + labels, "mode: 'Fast'"));
  }

  private static void labels(Api api) throws Exception {
    try (var _ = labelled(api, "l1", "{k: 'a', t: 'x'}");
        var _ = labelled(api, "l2", "{k: 'b', t: 'x'}");
        var _ = labelled(api, "l3", "{k: 'c', t: 'y'}")) {
      check(
          api,
          WIDGETS,
          "labelSelector",
          List.of(
              new Row("k=a", "[l1]"),
              new Row("k==a", "[l1]"),
              new Row("k!=a,t", "[l2, l3]"),
              new Row("k in (a,c)", "[l1, l3]"),
              new Row("t,k notin (a, c)", "[l2]"),
              new Row("t", "[l1, l2, l3]"),
              new Row("t,!k", "[]"),
              new Row("t=x,k in (a,b),k!=b", "[l1]")));
    }
  }

  private static void fields(Api api) throws Exception {
    try (var _ = api.make(PODS, Bodies.pod("f1", "", "nodeName: 'node-7',"));
        var failed = api.make(PODS, Bodies.pod("f2"))) {
      failed.mergeStatus("{status: {phase: 'Failed'}}").expect(200);
      check(
          api,
          PODS,
          "fieldSelector",
          List.of(
              new Row("metadata.name=f2", "[f2]"),
              new Row("spec.nodeName=node-7", "[f1]"),
              new Row("status.phase=Failed", "[f2]"),
              new Row("status.phase!=Failed,spec.nodeName=node-7", "[f1]"),
              new Row("metadata.namespace=elsewhere", "[]")));
    }
    api.get(WIDGETS + "?fieldSelector=spec.mode%3DFast").expect(400, "BadRequest");
  }

  private static void allNamespaces(Api api) throws Exception {
    try (var _ = api.widget("somewhere")) {
      var list = api.get("/apis/contract.runnerset.dev/v1/widgets").expect(200);
      assertThat(text(list, "/kind")).isEqualTo("WidgetList");
      assertThat(names(list)).contains("somewhere");
    }
  }
}
