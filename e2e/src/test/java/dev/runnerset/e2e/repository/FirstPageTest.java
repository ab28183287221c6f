package dev.runnerset.e2e.repository;

import static dev.runnerset.e2e.RepositoryFiles.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runnerset.deployment.Written;
import dev.runnerset.e2e.RepositoryFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What a stranger reads first, in README.md, and what it promises. */
final class FirstPageTest {
  private static final Pattern PAGE = Pattern.compile("\\]\\(([\\w./-]+\\.md)[^)]*\\)");
  private static final Pattern NUMBER = Pattern.compile("\\d[\\d.,]*\\d|\\d");
  private static final Pattern COLUMN =
      Pattern.compile("name: \"([\\w-]+)\"\\s+priority: 0\\s+type: \"(\\w+)\"");

  private static List<String> readme() {
    return RepositoryFiles.read("README.md").lines().toList();
  }

  private static List<List<String>> proofs() {
    return Tables.of(readme()).getFirst().rows();
  }

  @Test
  void installBeginsWithinTheFirst25Lines() {
    assertThat(readme().indexOf("## Install") + 1).isBetween(1, 25);
  }

  @Test
  void nothingIsInstalledFromARegistryThatHasNothingOfOurs() {
    assertThat(String.join("\n", readme())).doesNotContain("oci://", "docker run");
  }

  /** A proof is a link or a command; what it says in numbers stands on a page that it links. */
  @Test
  void eachOfTheFiveRowsIsProved() {
    assertThat(proofs()).hasSize(5);
    var unproved = new ArrayList<String>();
    for (var row : proofs()) {
      var proof = row.getLast();
      var pages =
          PAGE.matcher(proof)
              .results()
              .map(page -> RepositoryFiles.read(page.group(1)))
              .collect(Collectors.joining());
      assertThat(pages).as(proof).isNotEmpty();
      NUMBER
          .matcher(proof.replaceAll("\\]\\([^)]*\\)|`[^`]*`", ""))
          .results()
          .map(number -> number.group())
          .filter(number ->
              !Pattern.compile("(?<![\\d.])" + Pattern.quote(number) + "(?![\\d])")
                  .matcher(pages)
                  .find())
          .forEach(number -> unproved.add(number + ": " + proof));
    }
    assertThat(unproved).as("numbers that no linked page has").isEmpty();
  }

  @Test
  void theListOfSetsHasTheColumnsOfTheKind() {
    var kind = RepositoryFiles.read("charts/runnerset/files/crds/autoscalingrunnersets.yaml");
    var columns = new ArrayList<>(List.of("NAME"));
    COLUMN
        .matcher(kind)
        .results()
        .forEach(column -> columns.add(column.group(1).toUpperCase(Locale.ROOT)));
    assertThat(readme().stream().map(line -> List.of(line.split(" +")))).contains(columns);
  }

  @Test
  void thePictureIsThatOfARealRunInWhichEveryCheckHeld() throws IOException {
    var run = new ObjectMapper().readTree(RepositoryFiles.read("docs/pictures/demo.json"));
    assertThat(run.path("ok").asBoolean()).isTrue();
    assertThat(run.path("scenario").asText()).isEqualTo("default");
    Written.is(ROOT.resolve("docs/pictures/demo.svg"), DemoPicture.of(run));
    assertThat(String.join("\n", readme())).contains("](docs/pictures/demo.svg)");
  }
}
