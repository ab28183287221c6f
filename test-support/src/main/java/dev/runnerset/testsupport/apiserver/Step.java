package dev.runnerset.testsupport.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One request of a case, and what its answer must be. The request is one of
 *
 * <ul>
 *   <li>{@code make: BODY} an object that goes with the case, called {@code as} or by its name;
 *       {@code create: BODY} one that is none of the case's, or a subresource
 *   <li>{@code get: NAME} or {@code get: /path}; {@code list: KIND}
 *   <li>{@code put: CHANGES} of the object as it was created; {@code merge: PATCH}; {@code patch:
 *       JSON-PATCH}; {@code delete: OPTIONS}
 * </ul>
 *
 * <p>It is about the object that was made last, or {@code of} another one, its {@code sub}resource,
 * or a {@code path}; {@code query} and {@code select} are parameters. The answer has {@code code}
 * (200, or 201 for a new object), {@code reason}, a message that contains {@code says}, the {@code
 * names} of its items, and the values of {@code is} by pointer: null is absent, {@code ~} a regular
 * expression, {@code !} another value. {@code refused} is the one field that is invalid. With
 * {@code until} it is sent until that is so.
 */
record Step(CaseObjects objects, JsonNode json) {
  private static final List<String> VERBS =
      List.of("make", "create", "get", "list", "put", "merge", "patch", "delete");

  void run() throws Exception {
    var step = new Step(objects, objects.resolve(json));
    if (step.json.has("until")) {
      Api.await(json.toString(), step::holds);
    } else {
      step.send();
    }
  }

  private boolean holds() throws Exception {
    try {
      send();
      return true;
    } catch (AssertionError e) {
      return false;
    }
  }

  private void send() throws Exception {
    var verb = VERBS.stream().filter(json::has).findFirst().orElseThrow();
    var body = json.get(verb);
    if (verb.equals("make")) {
      var collection = text("path", CaseObjects.collection(body.path("kind").asText()));
      check(objects.make(text("as", ""), collection, body));
      return;
    }
    var about =
        verb.equals("get") && !body.asText().startsWith("/")
            ? body.asText()
            : text("of", objects.current());
    var path = path(verb, body, about);
    var api = objects.api;
    var answer =
        switch (verb) {
          case "create" -> api.create(path, CaseObjects.complete(body).toString());
          case "put" -> api.put(path, changed(objects.get(about).first().deepCopy(), body));
          case "merge" -> api.merge(path, body.toString());
          case "patch" -> api.jsonPatch(path, body.toString());
          case "delete" -> api.delete(path, body.isEmpty() ? "" : body.toString());
          default -> api.get(path);
        };
    var usual = json.has("refused") ? "422" : verb.equals("create") ? "201" : "200";
    var code = text("code", usual);
    assertThat(Integer.toString(answer.code())).as("the answer %s", answer.body()).matches(code);
    check(answer.body());
    if (json.has("as")) {
      objects.name(text("as", ""), answer.body());
    } else if (answer.code() == 200 && !verb.equals("get") && !verb.equals("list")) {
      objects.answered(about, answer.body());
    }
  }

  private String path(String verb, JsonNode body, String about) {
    String path;
    if (json.has("path")) {
      path = text("path", "");
    } else if (verb.equals("get") && body.asText().startsWith("/")) {
      path = body.asText();
    } else if (verb.equals("list")) {
      path = CaseObjects.collection(body.asText());
    } else if (verb.equals("create") && !json.has("sub")) {
      path = CaseObjects.collection(body.path("kind").asText());
    } else {
      path = objects.get(about).path() + (json.has("sub") ? "/" + text("sub", "") : "");
    }
    var selectors =
        json.path("select").properties().stream()
            .map(s ->
                s.getKey() + "=" + URLEncoder.encode(s.getValue().asText(), StandardCharsets.UTF_8))
            .collect(Collectors.joining("&"));
    var query = text("query", selectors);
    return query.isEmpty() ? path : path + "?" + query;
  }

  private String text(String field, String otherwise) {
    return json.path(field).asText(otherwise);
  }

  private static ObjectNode changed(ObjectNode object, JsonNode changes) {
    changes
        .properties()
        .forEach(change -> {
          var value = change.getValue();
          if (value.isNull()) {
            object.remove(change.getKey());
          } else if (value.isObject()) {
            changed(object.withObjectProperty(change.getKey()), value);
          } else {
            object.set(change.getKey(), value);
          }
        });
    return object;
  }

  private void check(JsonNode answer) {
    json.path("is")
        .properties()
        .forEach(wanted -> checkValue(answer, wanted.getKey(), wanted.getValue()));
    if (json.has("refused")) {
      var field = text("refused", "");
      assertThat(Api.text(answer, "/reason")).isEqualTo("Invalid");
      assertThat(Api.text(answer, "/message")).contains(field + ": ");
      assertThat(Api.text(answer, "/details/causes/0/field")).isEqualTo(field);
      assertThat(Api.text(answer, "/details/name"))
          .isEqualTo(json.at("/create/metadata/name").asText(objects.current()));
    }
    if (json.has("reason")) {
      assertThat(Api.text(answer, "/reason")).isEqualTo(text("reason", ""));
    }
    assertThat(Api.text(answer, "/message")).contains(text("says", ""));
    if (json.has("names")) {
      var items = answer.path("items").valueStream();
      assertThat(items.map(i -> Api.text(i, "/metadata/name")).toList())
          .hasToString(text("names", ""));
    }
  }

  private static void checkValue(JsonNode answer, String pointer, JsonNode wanted) {
    var value = answer.at(pointer);
    var text = value.isContainerNode() ? value.toString() : value.asText();
    var expected = wanted.asText();
    var is = assertThat(text).as("%s of %s", pointer, answer);
    if (wanted.isNull()) {
      assertThat(value).as("%s of %s", pointer, answer).isIn(MissingNode.getInstance(), wanted);
    } else if (expected.startsWith("~")) {
      is.matches(Pattern.compile(expected.substring(1), Pattern.DOTALL));
    } else if (expected.startsWith("!")) {
      is.isNotEqualTo(expected.substring(1));
    } else {
      is.isEqualTo(expected);
    }
  }
}
