package dev.runnerset.e2e.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.e2e.RepositoryFiles;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the page of neighbours calls tried has a test that exists, and each other row says so. */
final class NeighboursPageTest {
  private static final String PAGE = "docs/operate/neighbours.md";
  private static final String TESTS = "docs/develop/neighbour-tests.md";
  private static final Pattern TEST = Pattern.compile("`(\\w+?)(\\.py)?`");

  /** Rows of the tables of a page, without their heads. */
  private static List<List<String>> rows(String page) {
    return RepositoryFiles.read(page)
        .lines()
        .filter(line -> line.startsWith("| "))
        .map(line -> List.of(line.substring(2, line.length() - 2).split(" \\| ")))
        .filter(cells -> !cells.getLast().equals("tried?") && !cells.getLast().equals("test"))
        .toList();
  }

  @Test
  void eachRowIsTriedByATestOrSaysThatItIsNot() {
    var tried = rows(TESTS).stream().map(cells -> cells.get(1)).collect(Collectors.toSet());
    assertThat(rows(PAGE))
        .hasSizeGreaterThan(20)
        .allSatisfy(cells -> {
          boolean linked = cells.getLast().contains("[tried](../develop/neighbour-tests.md)");
          assertThat(linked || cells.getLast().equals("not tried")).as("%s", cells).isTrue();
          assertThat(tried.contains(cells.getFirst())).as("%s has a test", cells).isEqualTo(linked);
        });
  }

  @Test
  void eachTestExists() throws IOException {
    var names =
        RepositoryFiles.files(path -> path.toString().matches(".*(Test|IT|_test)\\.(java|py)"))
            .stream()
            .map(path -> path.getFileName().toString().replaceFirst("\\.\\w+$", ""))
            .collect(Collectors.toSet());
    assertThat(rows(TESTS))
        .allSatisfy(cells -> {
          var cited = TEST.matcher(cells.getLast()).results().map(m -> m.group(1)).toList();
          assertThat(cited).as("%s", cells).isNotEmpty();
          assertThat(names).containsAll(cited);
        });
  }
}
