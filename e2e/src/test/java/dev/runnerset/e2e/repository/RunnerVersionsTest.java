package dev.runnerset.e2e.repository;

import static dev.runnerset.e2e.RepositoryFiles.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.e2e.RepositoryFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * GitHub gives no jobs to runners that are some weeks behind: no example that a user copies names
 * one. The version that they name is written in docs/start/compatibility.md.
 */
final class RunnerVersionsTest {
  /** The version of an image or a field, not one in a story of the past. */
  private static final Pattern VERSION =
      Pattern.compile("(?:runner:|[vV]ersion\\W{1,5}|as `?|example `?)2\\.(3\\d\\d)\\.\\d+");

  private static final Pattern NEWEST = Pattern.compile("examples[^.]* name 2\\.(\\d+)\\.\\d+");

  /**
   * What users read or copy. Measurements and decisions keep what they had then; files of other
   * people, which we convert, keep what these have.
   */
  private static final Pattern READ =
      Pattern.compile(
          "README[.]md|docs/(?!adr/|develop/).*|charts/.*|deploy/.*|demo/src/main/.*"
              + "|crds/src/main/.*|migrate/src/test/resources/(?!public/).*|simulator/src/main/.*");

  @Test
  void noExampleNamesAReleaseOfTheRunnerThatIsOlderThanTheNewestKnown() throws IOException {
    var page = RepositoryFiles.read("docs/start/compatibility.md").replace('\n', ' ');
    var newest = NEWEST.matcher(page);
    assertThat(newest.find()).isTrue();
    int oldest = Integer.parseInt(newest.group(1));
    var old = new ArrayList<String>();
    int named = 0;
    for (var file : RepositoryFiles.files(RunnerVersionsTest::isRead)) {
      for (var version : VERSION.matcher(Files.readString(file)).results().toList()) {
        named++;
        if (Integer.parseInt(version.group(1)) < oldest) {
          old.add(ROOT.relativize(file) + ": " + version.group());
        }
      }
    }
    assertThat(named).isGreaterThan(10);
    assertThat(old).isEmpty();
  }

  private static boolean isRead(Path path) {
    var file = ROOT.relativize(path).toString();
    return READ.matcher(file).matches() && file.matches(".*[.](md|ya?ml|java|txt|json|tpl)");
  }
}
