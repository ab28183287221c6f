package dev.runnerset.e2e.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.e2e.RepositoryFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A world plays what is around the code that a test runs. There are few, and CONTRIBUTING.md says
 * which is for what; one that a test class keeps for itself is not counted.
 */
final class WorldsTest {
  private static final int MOST = 9;
  private static final Pattern WORLD =
      Pattern.compile(
          "(?m)^(?:(?:public|abstract|final|sealed|non-sealed) )*class (\\w*World|Deployed|SeparateSet)\\b");

  private static Stream<String> worlds(String text) {
    return WORLD.matcher(text).results().map(found -> found.group(1));
  }

  private static List<String> ofTheTable() {
    return Tables.of(Arrays.asList(RepositoryFiles.read("CONTRIBUTING.md").split("\\R"))).stream()
        .filter(table -> table.head().getFirst().equals("world"))
        .flatMap(table -> table.rows().stream())
        .map(row -> row.getFirst().replaceAll("^`([^`]+)`.*", "$1"))
        .toList();
  }

  @Test
  void theTableNamesEachWorldAndNoneThatIsNotThere() throws IOException {
    var there =
        RepositoryFiles.files(file -> file.toString().endsWith(".java")).stream()
            .flatMap(file -> worlds(text(file)).map(name -> module(file) + " " + name))
            .toList();
    assertThat(ofTheTable())
        .containsExactlyInAnyOrderElementsOf(there)
        .hasSizeLessThanOrEqualTo(MOST);
  }

  @Test
  void aWorldIsFoundByItsClass() {
    assertThat(worlds("/** It plays. */\nfinal class HugeWorld implements AutoCloseable {"))
        .containsExactly("HugeWorld");
    assertThat(worlds("  private static final class World {")).as("of one test").isEmpty();
    assertThat(worlds("final class Worlds {")).isEmpty();
  }

  private static String module(Path file) {
    return RepositoryFiles.ROOT.relativize(file).getName(0).toString();
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
