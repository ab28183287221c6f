package dev.runnerset.listener.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose jobs are counted by repository. */
final class UsageRepositoriesTest {
  private static UsageRepositories read(String entries) {
    return UsageRepositories.read("--usage-repositories", List.of(entries.split(" ")));
  }

  @ParameterizedTest(name = "{0} lists {1}: {2}")
  @CsvSource({
    "o/r,       o/r,   true",
    "O/R,       o/r,   true",
    "o/r,       O/R,   true",
    "o/r,       o/rs,  false",
    "o/r,       oo/r,  false",
    "o/*,       o/r,   true",
    "o/*,       O/x.y, true",
    "o/*,       oo/r,  false",
    "o/* p/q,   p/q,   true",
    "o/* p/q,   p/r,   false",
    "*,         a/b,   true",
    "*,         '',    false",
    "*,         b,     false",
    "*,         /b,    false",
  })
  void anEntryNamesARepositoryAnOwnerOrAll(String entries, String repository, boolean listed) {
    assertThat(read(entries).list(repository)).isEqualTo(listed);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"my-org", "*/r", "o/", "/r", "o/r/x", "o/r*", "https://github.com/o/r", ""})
  void whatNamesNoRepositoryIsRefusedWithWhatToWrite(String entry) {
    assertThatThrownBy(() -> UsageRepositories.read("--usage-repositories", List.of(entry)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "--usage-repositories: '%s' names no repository: write my-org/my-repo, my-org/* or *",
            entry);
  }
}
