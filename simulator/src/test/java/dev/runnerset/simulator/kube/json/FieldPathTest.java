package dev.runnerset.simulator.kube.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class FieldPathTest {
  record Row(String rule, String object, String path, String result) {}

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
  void fieldPath(Row row) throws IOException {
    assertThat(new FieldPath(row.path()).find(tree(row.object()))).isEqualTo(tree(row.result()));
  }

  private static JsonNode tree(String yaml) throws IOException {
    return Json.parse(yaml.getBytes(StandardCharsets.UTF_8), true);
  }
}
