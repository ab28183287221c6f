package dev.runnerset.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** YAML as kubectl and Helm understand it. */
final class YamlTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Texts that a reader of YAML 1.1 or 1.2 would take for something else. */
  private static final List<String> TRAPS =
      List.of(
          "yes",
          "No",
          "on",
          "OFF",
          "y",
          "N",
          "true",
          "null",
          "~",
          "",
          "0644",
          "0o644",
          "0x1F",
          "1_000",
          "1e3",
          "12e4567",
          "12:30",
          "1:20:30",
          "2026-01-01",
          ".5",
          "1.",
          "+1",
          "-.inf",
          ".nan",
          "=",
          "<<",
          "- a",
          "a: b",
          "a #b",
          "#a",
          "@a",
          "%a",
          "{a}",
          "[a]",
          "*a",
          "&a",
          "!a",
          "|",
          ">",
          "?",
          "-",
          "---",
          "'a'",
          "\"a\"",
          "it's",
          " a",
          "a ",
          "a:",
          "a\n",
          "a\nb",
          "\na",
          "a\n\n",
          "a \nb",
          "a\tb",
          "a\n\tb",
          "\u0007",
          "é",
          "{{ x }}",
          "64Gi",
          "4cpu",
          "500m",
          "cpu\r\n",
          "$job",
          "1,2",
          "0b1",
          "\u2028",
          "\uD83D\uDE00");

  private record Reading(String yaml, String json) {}

  @TestFactory
  Stream<DynamicTest> readings() {
    return Stream.of(
            new Reading("a: 0644", "{\"a\":420}"),
            new Reading("a: 1_000", "{\"a\":1000}"),
            new Reading("a: yes", "{\"a\":true}"),
            new Reading("a: 2026-01-01", "{\"a\":\"2026-01-01\"}"),
            new Reading("a: 12:30", "{\"a\":\"12:30\"}"),
            new Reading("a: \"12\"", "{\"a\":\"12\"}"),
            new Reading("a: 1.5", "{\"a\":1.5}"),
            new Reading("a: ~", "{\"a\":null}"),
            new Reading("80: b", "{\"80\":\"b\"}"),
            new Reading(
                "a: &x {b: 1}\nc: {<<: *x, d: 2}", "{\"a\":{\"b\":1},\"c\":{\"b\":1,\"d\":2}}"),
            new Reading("{\"a\": [1, {\"b\": \"c\"}]}", "{\"a\":[1,{\"b\":\"c\"}]}"))
        .map(row ->
            DynamicTest.dynamicTest(
                row.yaml(),
                () ->
                    assertThat(Yaml.read("test", row.yaml()))
                        .singleElement()
                        .isEqualTo(JSON.readTree(row.json()))));
  }

  @Test
  void emptyDocumentsAreLeftOut() {
    assertThat(Yaml.read("test", "---\n# nothing\n---\na: 1\n---\n")).hasSize(1);
  }

  @Test
  void whatIsPrintedIsReadAgain() {
    for (var trap : TRAPS) {
      var object = JSON.createObjectNode().put("key", trap).put(trap + "x", 1);
      object.putArray("list").add(trap).add(0.125).add(-7).add(true).addNull();
      assertThat(Yaml.read("test", Yaml.print(object))).containsExactly(object);
    }
  }

  @Test
  void textsAtRandomAreReadAgain() {
    long seed = 20261122;
    var random = new Random(seed);
    var letters = "ab01xeE:.-+_ #'\"\n\t{}[],&*!|>%@?~yn";
    for (int i = 0; i < 5_000; i++) {
      var text = new StringBuilder();
      for (int length = random.nextInt(9); length >= 0; length--) {
        text.append(letters.charAt(random.nextInt(letters.length())));
      }
      var object = JSON.createObjectNode().put("key", text.toString());
      assertThat(Yaml.read("test", Yaml.print(object))).as("seed %s", seed).containsExactly(object);
    }
  }

  @Test
  void plainTextsAreNotQuoted() {
    var object = JSON.createObjectNode().put("a", "64Gi").put("b", "linux-x64").put("c", "500m");
    assertThat(Yaml.print(object)).isEqualTo("a: 64Gi\nb: linux-x64\nc: 500m\n");
  }

  @Test
  void aFaultIsReportedWithItsLine() {
    assertThatThrownBy(() -> Yaml.read("sets.yaml", "a: 1\nb: [\n"))
        .isInstanceOf(BadInput.class)
        .hasMessageStartingWith("sets.yaml: line 3: this is no valid YAML");
    assertThatThrownBy(() -> Yaml.read("sets.yaml", "a: 1\na: 2\n"))
        .hasMessageContaining("duplicate key a");
  }
}
