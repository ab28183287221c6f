package dev.runnerset.simulator.kube.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.simulator.kube.status.ApiException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonPatchTest {
  record Row(String rule, String target, String patch, String result) {}

  static Stream<Row> json() {
    String object = "{a: {b: 1, l: [x, y], n: null}}";
    return Stream.of(
        new Row(
            "add, replace, remove",
            object,
            "[{op: add, path: /a/l/-, value: z}, {op: replace, path: /a/b, value: 2},"
                + " {op: remove, path: /a/l/0}]",
            "{a: {b: 2, l: [y, z], n: null}}"),
        new Row(
            "move and copy",
            object,
            "[{op: move, from: /a/b, path: /c}, {op: copy, from: /c, path: /d}]",
            "{a: {l: [x, y], n: null}, c: 1, d: 1}"),
        new Row("test of a value", object, "[{op: test, path: /a/b, value: 1}]", object),
        new Row("test of null", object, "[{op: test, path: /a/n, value: null}]", object),
        new Row("an absent field is null", object, "[{op: test, path: /a/x, value: null}]", object),
        new Row(
            "a later test sees what was done",
            object,
            "[{op: remove, path: /a/b}, {op: test, path: /a/b, value: null}]",
            "{a: {l: [x, y], n: null}}"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("json")
  void jsonPatch(Row row) {
    assertThat(JsonPatch.apply(tree(row.target()), tree(row.patch())))
        .isEqualTo(tree(row.result()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[{op: test, path: /a/b, value: 2}]",
        "[{op: test, path: /a/x, value: 2}]",
        "[{op: test, path: /x/y, value: null}]",
        "[{op: add, path: /a/l/3, value: z}]",
        "[{op: add, path: /x/y, value: z}]",
        "[{op: replace, path: /a/x, value: z}]",
        "[{op: remove, path: /a/x}]",
        "[{op: remove, path: /a/l/5}]",
        "[{op: move, from: /a/x, path: /c}]",
        "[{op: add, path: no-slash, value: z}]",
        "[{op: nonsense, path: /a/b}]",
        "[3]"
      })
  void aRefusedOperationIs422AndDoesNotSayWhich(String patch) {
    assertThatThrownBy(() -> JsonPatch.apply(tree("{a: {b: 1, l: [x, y]}}"), tree(patch)))
        .isInstanceOf(ApiException.class)
        .hasMessage("the server rejected our request due to an error in our request")
        .satisfies(e -> assertThat(((ApiException) e).code()).isEqualTo(422));
  }

  private static JsonNode tree(String yaml) {
    try {
      return Json.parse(yaml.getBytes(StandardCharsets.UTF_8), true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
