package dev.runnerset.e2e.repository;

import static dev.runnerset.e2e.RepositoryFiles.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.e2e.RepositoryFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Each test runs in one lane: {@code *Test} in the fast one, {@code *IT} for each change, and what
 * is tagged {@code nightly} each night.
 */
final class LanesTest {
  private static final Pattern TEST =
      Pattern.compile("^ *@(Test|ParameterizedTest|TestFactory|ArchTest)\\b", Pattern.MULTILINE);
  private static final Pattern TAG = Pattern.compile("@Tag\\(([^)]*)\\)");
  private static final Pattern NIGHTLY_CALL =
      Pattern.compile("mvn .*? -Dtests.excluded=none (?:.*? )?-Dit.test='([^']*)'", Pattern.DOTALL);

  @Test
  void everyTestHasTheNameOfALane() throws IOException {
    assertThat(tests(text -> TEST.matcher(text).find()))
        .filteredOn(file -> !name(file).matches("\\w+(Test|IT|Contract)"))
        .isEmpty();
  }

  @Test
  void nothingButAnIntegrationTestIsTaggedAndOnlyForTheNight() throws IOException {
    assertThat(tests(LanesTest::isTagged))
        .allMatch(file -> name(file).endsWith("IT"))
        .allSatisfy(file ->
            assertThat(TAG.matcher(text(file)).results().map(tag -> tag.group(1)))
                .containsOnly("\"nightly\""));
  }

  @Test
  void eachNightRunsWhatIsTaggedAndEachChangeTheRest() throws IOException {
    assertThat(RepositoryFiles.read("pom.xml"))
        .contains("<tests.excluded>nightly</tests.excluded>")
        .contains("<excludedGroups>${tests.excluded}</excludedGroups>");
    assertThat(RepositoryFiles.read(".ci/run")).containsPattern("(?m)^mvn -B -ntp verify$");
    var calls =
        NIGHTLY_CALL
            .matcher(RepositoryFiles.read(".ci/nightly"))
            .results()
            .map(call -> List.of(call.group(1).split(",")))
            .toList();
    var tagged = tests(LanesTest::isTagged);
    assertThat(tagged).hasSizeGreaterThan(10);
    assertThat(tagged)
        .allMatch(file -> calls.stream().anyMatch(patterns -> isRun(name(file), patterns)));
  }

  /** As Maven reads the names of classes: stars, and a name that is left out. */
  private static boolean isRun(String test, List<String> patterns) {
    return patterns.stream().anyMatch(pattern -> test.matches(pattern.replace("*", ".*")))
        && patterns.stream()
            .filter(pattern -> pattern.startsWith("!"))
            .noneMatch(pattern -> test.matches(pattern.substring(1).replace("*", ".*")));
  }

  private static boolean isTagged(String text) {
    return TAG.matcher(text).find();
  }

  private static List<Path> tests(Predicate<String> which) throws IOException {
    return RepositoryFiles.files(path ->
        path.toString().matches(".*/src/test/java/.*\\.java")
            && !path.endsWith("LanesTest.java")
            && which.test(text(path)));
  }

  private static String text(Path file) {
    return RepositoryFiles.read(ROOT.relativize(file).toString());
  }

  private static String name(Path file) {
    return file.getFileName().toString().replace(".java", "");
  }
}
