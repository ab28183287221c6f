package dev.runnerset.e2e.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.e2e.RepositoryFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** docs/start/compare.md says nothing of another product without version, date and source. */
final class ComparePageTest {
  private static final Pattern TAG = Pattern.compile("\\[([A-Z]\\d)\\]\\(#sources\\)");
  private static final List<String> WITHOUT_SOURCE = List.of("not known", "–");

  private static List<Tables.Table> tables() {
    return Tables.of(RepositoryFiles.read("docs/start/compare.md").lines().toList());
  }

  private static List<Tables.Table> comparisons() {
    return tables().stream().filter(table -> table.head().getLast().equals("runnerset")).toList();
  }

  private static Map<String, List<String>> sources() {
    return tables().getLast().rows().stream()
        .collect(Collectors.toMap(List::getFirst, source -> source));
  }

  @Test
  void eachCellAboutAnotherProductHasASource() {
    var sources = sources();
    var wrong = new ArrayList<String>();
    for (var table : comparisons()) {
      for (var row : table.rows()) {
        assertThat(row).as(row.getFirst()).hasSameSizeAs(table.head());
        for (var cell : row.subList(1, row.size() - 1)) {
          var tags = TAG.matcher(cell).results().map(tag -> tag.group(1)).toList();
          if (!WITHOUT_SOURCE.contains(cell)
              && (tags.isEmpty() || !sources.keySet().containsAll(tags))) {
            wrong.add(row.getFirst() + ": " + cell);
          }
        }
      }
    }
    assertThat(comparisons()).hasSize(2);
    assertThat(wrong).isEmpty();
  }

  @Test
  void eachCellAboutUsLeadsToAPage() {
    assertThat(comparisons().stream().flatMap(table -> table.rows().stream()).map(List::getLast))
        .allMatch(cell -> cell.matches(".*\\]\\([\\w./#-]+\\).*"));
  }

  @Test
  void eachSourceHasADayAndAnAddressAndAVersionOrSaysThatItHasNone() {
    assertThat(sources().values())
        .hasSizeGreaterThan(10)
        .allSatisfy(source -> {
          assertThat(source.get(1)).matches(".*(\\d\\.\\d|without a version| 3,).*");
          assertThat(source.get(2)).matches("2026-\\d\\d-\\d\\d");
          assertThat(source.get(3)).matches("https://\\S+|\\[measured\\]\\(#measured\\)");
        });
  }

  @Test
  void eachSourceIsUsed() {
    var used = new TreeSet<String>();
    comparisons()
        .forEach(table ->
            table
                .rows()
                .forEach(row ->
                    row.forEach(cell ->
                        TAG.matcher(cell).results().forEach(tag -> used.add(tag.group(1))))));
    assertThat(used).containsExactlyInAnyOrderElementsOf(sources().keySet());
  }
}
