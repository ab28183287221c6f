package dev.runnerset.deployment.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How blocks are found in pages, and commands in blocks. */
final class FencesTest {
  record Row(String what, String language, String block, List<String> commands) {
    @Override
    public String toString() {
      return what;
    }
  }

  static Stream<Row> blocks() {
    return Stream.of(
        new Row("a prompt begins a command", "console", "$ a b\n$ c\n", List.of("a b", "c")),
        new Row("what has no prompt is output", "console", "$ a\nout\n$ b\n", List.of("a", "b")),
        new Row("a backslash goes on", "console", "$ a \\\n    b\nout\n", List.of("a \\\n    b")),
        new Row("an open quote goes on", "console", "$ a '{\n}'\nout\n", List.of("a '{\n}'")),
        new Row("an escaped quote is none", "console", "$ a \\'\nout\n", List.of("a \\'")),
        new Row("nor is one in a comment", "console", "$ a   # don't\n", List.of("a   # don't")),
        new Row("a quote in quotes is none", "console", "$ a \"'\" b\n", List.of("a \"'\" b")),
        new Row(
            "a here-document ends at its word",
            "console",
            "$ a <<'Y'\nx\n$ y\nY\n$ b\n",
            List.of("a <<'Y'\nx\n$ y\nY", "b")),
        new Row(
            "a here-string is no document", "console", "$ a <<<b\n$ c\n", List.of("a <<<b", "c")),
        new Row("a script has no prompts", "sh", "a\n\n# why\nb\n", List.of("a", "b")),
        new Row("other languages have no commands", "yaml", "$ a\n", List.of()),
        new Row("nor has output alone", "text", "$ a\n", List.of()));
  }

  @ParameterizedTest
  @MethodSource("blocks")
  void commandsAreFound(Row row) {
    assertThat(Command.of(new Fence("p.md", 1, row.language(), row.block())))
        .extracting(Command::text)
        .isEqualTo(row.commands());
  }

  @Test
  void blocksAreFoundAlsoInLists() {
    assertThat(
            Fence.of(
                "p.md", "a\n```yaml\nb: 1\n```\n1. c\n\n   ```console\n   $ d\n     e\n   ```\n"))
        .containsExactly(
            new Fence("p.md", 3, "yaml", "b: 1\n"), new Fence("p.md", 8, "console", "$ d\n  e\n"));
  }

  @Test
  void aHereDocumentHasItsText() {
    var fence = new Fence("p.md", 1, "console", "$ kubectl apply -f - <<'YAML'\na: 1\nYAML\n");
    assertThat(Command.of(fence).getFirst().hereDocument()).contains("a: 1\n");
  }

  @Test
  void whatDoesNotEndIsAnError() {
    assertThatThrownBy(() -> Fence.of("p.md", "```\na\n")).hasMessageContaining("p.md:1");
    assertThatThrownBy(() -> Command.of(new Fence("p.md", 4, "sh", "a\nb \\\n")))
        .hasMessageContaining("p.md:5");
  }
}
