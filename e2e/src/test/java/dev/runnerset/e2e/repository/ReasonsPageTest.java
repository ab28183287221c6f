package dev.runnerset.e2e.repository;

import static dev.runnerset.e2e.RepositoryFiles.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.condition.AccessReason;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.EphemeralRunnerSetReason;
import dev.runnerset.crds.condition.EventReason;
import dev.runnerset.crds.condition.ListenerReason;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.crds.condition.RunnerReason;
import dev.runnerset.crds.condition.RunnerSetReason;
import dev.runnerset.e2e.RepositoryFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever reason a user may read, the page of conditions says what to do about it. */
final class ReasonsPageTest {
  private static final Path PAGE = ROOT.resolve("docs/reference/conditions.md");
  private static final String HEAD = "| reason | meaning, or what to do |\n|---|---|\n";

  private static final Pattern ROW = Pattern.compile("\\| `(\\w+)` \\| \\S.{5,} \\|");

  /** A table of reasons, and the heading that it stands under. */
  record Family(String heading, Reason.Known[] reasons) {
    @Override
    public String toString() {
      return heading;
    }
  }

  static Stream<Family> families() {
    return Stream.of(
        new Family("### Reasons of an AutoScalingRunnerSet", RunnerSetReason.values()),
        new Family("### Reasons of the access to the service", AccessReason.values()),
        new Family("### Reasons of an EphemeralRunnerSet", EphemeralRunnerSetReason.values()),
        new Family("### Reasons of an AutoScalingListener", ListenerReason.values()),
        new Family("### Reasons of an EphemeralRunner", RunnerReason.values()),
        new Family("## Events", EventReason.values()));
  }

  @ParameterizedTest
  @MethodSource("families")
  void theTableOfAFamilyHasASentenceForEachConstantOfItsEnum(Family family) throws IOException {
    var section = section(family.heading());
    var rows = section.substring(section.indexOf(HEAD) + HEAD.length()).split("\n\n", 2)[0];
    assertThat(rows.strip().lines())
        .allMatch(line -> ROW.matcher(line).matches())
        .extracting(line -> line.split("`")[1])
        .containsExactlyElementsOf(
            Arrays.stream(family.reasons()).map(Reason.Known::word).toList());
  }

  @Test
  void noReasonStandsOnThePageOutsideOfTheTablesOfTheEnums() throws IOException {
    var page = Files.readString(PAGE);
    assertThat(page.split(Pattern.quote(HEAD), -1)).hasSize((int) families().count() + 1);
  }

  record Kind(String heading, ConditionType.Kind kind) {}

  static Stream<Kind> kinds() {
    return Stream.of(
        new Kind("## AutoScalingRunnerSet", ConditionType.Kind.AUTOSCALING_RUNNER_SET),
        new Kind("## EphemeralRunnerSet", ConditionType.Kind.EPHEMERAL_RUNNER_SET),
        new Kind("## AutoScalingListener", ConditionType.Kind.AUTOSCALING_LISTENER),
        new Kind("## EphemeralRunner", ConditionType.Kind.EPHEMERAL_RUNNER));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void theTableOfAKindHasItsConditions(Kind kind) throws IOException {
    var named = new ArrayList<String>();
    Pattern.compile("^\\| `(\\w+)` \\|", Pattern.MULTILINE)
        .matcher(section(kind.heading()))
        .results()
        .forEach(row -> named.add(row.group(1)));
    assertThat(named)
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(ConditionType.values())
                .filter(type -> type.isOf(kind.kind()))
                .map(ConditionType::word)
                .toList());
  }

  /** A mirrored reason is a word that another party chose: no word of ours may hide in one. */
  @Test
  void noLiteralIsPassedOffAsAWordOfSomebodyElse() throws IOException {
    var found = new ArrayList<Path>();
    for (var file : RepositoryFiles.files(path -> path.toString().contains("/src/main/java/"))) {
      if (Pattern.compile("(Mirrored|mirrored)\\(\\s*\"\\w")
          .matcher(Files.readString(file))
          .find()) {
        found.add(ROOT.relativize(file));
      }
    }
    assertThat(found).isEmpty();
  }

  /** The text under the heading that begins so, up to the next one. */
  private static String section(String heading) throws IOException {
    var found =
        Pattern.compile(
                "^" + Pattern.quote(heading) + "(?: \\([^)]*\\))?\\n(.*?)(?=^##|\\z)",
                Pattern.MULTILINE | Pattern.DOTALL)
            .matcher(Files.readString(PAGE));
    assertThat(found.find()).as(heading).isTrue();
    return found.group(1);
  }
}
