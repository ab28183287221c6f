package dev.runnerset.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.e2e.RepositoryFiles;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages of values are those that the comments make. */
final class ValuesPageTest {
  @ParameterizedTest
  @ValueSource(strings = {"runnerset", "runnerset-set"})
  void thePageIsMadeFromTheComments(String chart) throws IOException {
    var made = ValuesPage.of(chart);
    var page = RepositoryFiles.ROOT.resolve("docs/reference/chart-" + chart + ".md");
    if (Boolean.getBoolean("runnerset.write")) {
      Files.writeString(page, made);
    }
    assertThat(page).hasContent(made);
  }
}
