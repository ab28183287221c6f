package dev.runnerset.simulator.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.simulator.kube.json.FieldPath;
import dev.runnerset.simulator.kube.json.Json;
import dev.runnerset.simulator.kube.patch.StrategicPatch;
import dev.runnerset.simulator.kube.table.Age;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class PatchFormsTest {
  record Row(String rule, String target, String patch, String result) {}

  static Stream<Row> strategic() {
    return Stream.of(
        new Row("maps merge", "{a: {b: 1, c: 2}}", "{a: {b: 3}}", "{a: {b: 3, c: 2}}"),
        new Row("null removes", "{a: {b: 1, c: 2}}", "{a: {b: null}}", "{a: {c: 2}}"),
        new Row(
            "containers merge by name",
            "{containers: [{name: x, image: i, env: [{name: E, value: 1}]}, {name: y}]}",
            "{containers: [{name: x, image: j, env: [{name: F, value: 2}]}]}",
            "{containers: [{name: x, image: j, env: [{name: E, value: 1}, {name: F, value: 2}]},"
                + " {name: y}]}"),
        new Row(
            "$patch delete takes one out",
            "{containers: [{name: x}, {name: y}]}",
            "{containers: [{name: x, $patch: delete}]}",
            "{containers: [{name: y}]}"),
        new Row(
            "finalizers are a set",
            "{finalizers: [a]}",
            "{finalizers: [b, a]}",
            "{finalizers: [a, b]}"),
        new Row(
            "$deleteFromPrimitiveList",
            "{finalizers: [a, b]}",
            "{$deleteFromPrimitiveList/finalizers: [a]}",
            "{finalizers: [b]}"),
        new Row(
            "conditions merge by type",
            "{conditions: [{type: A, status: x}]}",
            "{conditions: [{type: B, status: y}]}",
            "{conditions: [{type: A, status: x}, {type: B, status: y}]}"),
        new Row("other lists are replaced", "{args: [a]}", "{args: [b]}", "{args: [b]}"),
        new Row("$setElementOrder is ignored", "{a: 1}", "{$setElementOrder/x: [1]}", "{a: 1}"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("strategic")
  void strategicMergePatch(Row row) {
    assertThat(StrategicPatch.apply(tree(row.target()), tree(row.patch())))
        .isEqualTo(tree(row.result()));
  }

  private static JsonNode tree(String yaml) {
    try {
      return Json.parse(yaml.getBytes(StandardCharsets.UTF_8), true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Stream<Row> paths() {
    String object = "{a: {b.c: 1, d: [x, y]}, s: [{type: R, v: 5}, {type: Q, v: 6}]}";
    return Stream.of(
        new Row("fields", object, ".a.d", "[x, y]"),
        new Row("index", object, ".a.d[1]", "y"),
        new Row("quoted field", object, ".a['b.c']", "1"),
        new Row("escaped field", object, ".a.b\\.c", "1"),
        new Row("filter", object, ".s[?(@.type==\"Q\")].v", "6"),
        new Row("without a dot", object, "a.d[0]", "x"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("paths")
  void fieldPath(Row row) {
    assertThat(new FieldPath(row.patch()).find(tree(row.target()))).isEqualTo(tree(row.result()));
  }

  static Stream<Row> ages() {
    return Stream.of(
        new Row("s", "PT0S", "", "0s"),
        new Row("s", "PT119S", "", "119s"),
        new Row("m", "PT200S", "", "3m20s"),
        new Row("m", "PT10M", "", "10m"),
        new Row("h", "PT3H30M", "", "3h30m"),
        new Row("h", "PT8H1M", "", "8h"),
        new Row("d", "P2DT5H", "", "2d5h"),
        new Row("d", "P9D", "", "9d"));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("ages")
  void age(Row row) {
    assertThat(Age.of(java.time.Duration.parse(row.target()))).isEqualTo(row.result());
  }
}
