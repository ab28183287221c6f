package dev.runnerset.migrate.main;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Sets as people have them: what is printed for each, and which notes. The folder {@code public}
 * has files as people keep them in Git, some of them refused: they have notes only. The first line
 * of an input has the flags. {@code -Drunnerset.write=true} writes what is printed now.
 */
final class GoldenExamplesTest {
  private static final Path RESOURCES = Path.of("../migrate/src/test/resources");
  private static final String FLAGS = "# flags:";

  private record Printed(int code, String out, String err) {}

  private static List<Path> inputs() throws IOException {
    try (Stream<Path> files = Files.walk(RESOURCES)) {
      return files.filter(file -> file.toString().endsWith(".in.yaml")).sorted().toList();
    }
  }

  @Test
  void thereAreSixtyAndMore() throws IOException {
    assertThat(inputs()).hasSizeGreaterThanOrEqualTo(60);
  }

  /** A value that is neither in the output nor in a note is lost, and nobody knows. */
  @Test
  void noValueIsLostWithoutANote() throws IOException {
    var lost = new ArrayList<String>();
    int leaves = 0;
    for (var input : inputs()) {
      var text = Files.readString(input);
      var printed = migrate(text, flags(text));
      if (printed.code() == 0) {
        for (var leaf : Leaves.ofValues(text)) {
          leaves++;
          if (!leaf.isIn(printed.out()) && !leaf.isNamedIn(printed.err())) {
            lost.add(input.getFileName() + ": " + leaf);
          }
        }
      }
    }
    assertThat(leaves).isGreaterThan(400);
    assertThat(lost).isEmpty();
  }

  @TestFactory
  Stream<DynamicTest> examples() throws IOException {
    return inputs().stream()
        .map(input -> DynamicTest.dynamicTest(input.getFileName().toString(), () -> check(input)));
  }

  private static void check(Path input) throws IOException {
    var text = Files.readString(input);
    var printed = migrate(text, flags(text));
    var name = input.getFileName().toString().replace(".in.yaml", "");
    var out = input.resolveSibling(name + ".out.yaml");
    if (printed.code() == 0) {
      expect(out, printed.out());
    } else {
      assertThat(input.getParent()).as(printed.err()).endsWith(Path.of("public"));
      assertThat(out).doesNotExist();
      assertThat(printed.out()).isEmpty();
    }
    expect(input.resolveSibling(name + ".notes.txt"), printed.err());
    assertThat(migrate(text, flags(text))).as("the second time").isEqualTo(printed);
  }

  private static void expect(Path file, String text) throws IOException {
    if (Boolean.getBoolean("runnerset.write")) {
      Files.writeString(file, text);
    }
    assertThat(text).isEqualTo(Files.readString(file));
  }

  private static List<String> flags(String text) {
    var first = text.lines().findFirst().orElseThrow();
    assertThat(first).startsWith(FLAGS);
    var words = first.substring(FLAGS.length()).strip();
    return words.isEmpty() ? List.of() : List.of(words.split(" "));
  }

  private static Printed migrate(String input, List<String> flags) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    var arguments = new ArrayList<>(flags);
    arguments.add("-");
    int code =
        MigrateMain.run(
            new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            arguments.toArray(String[]::new));
    return new Printed(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
