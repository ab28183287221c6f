package dev.runnerset.e2e.repository;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import dev.runnerset.base.Backoff;
import dev.runnerset.base.Detail;
import dev.runnerset.e2e.RepositoryFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The times of the page are those of the code, and the rules are there. A time of the controller is
 * on the page, or a {@link Detail}.
 */
final class TimesPageTest {
  private static final String PAGE = "docs/reference/times.md";
  private static final String TIME = "\\d+ (?:ms|s|min|h|d)";
  private static final Pattern ROW =
      Pattern.compile(
          "\\| (\\w+) \\| .+ \\| (%s)(?: to (%s))? \\| `(\\w+\\.\\w+)` \\|".formatted(TIME, TIME));

  /** A mark whose field has no javadoc before it. */
  private static final Pattern BARE_MARK = Pattern.compile("(?<!\\*/)\\n *@Detail\\b[^;=]*");

  private record Row(String rule, Duration first, @Nullable Duration longest, String constant) {}

  private static final List<JavaField> times = new ArrayList<>();

  @BeforeAll
  static void readCode() {
    var classes =
        new ClassFileImporter()
            .withImportOption(new DoNotIncludeTests())
            .importPackages("dev.runnerset.controller");
    for (var type : classes) {
      type.getFields().stream()
          .filter(field ->
              field.getModifiers().containsAll(List.of(JavaModifier.STATIC, JavaModifier.FINAL)))
          .filter(field -> isTime(field.getRawType()))
          .forEach(times::add);
    }
  }

  private static boolean isTime(JavaClass type) {
    return type.isEquivalentTo(Duration.class) || type.isEquivalentTo(Backoff.class);
  }

  private static Stream<Row> rows() {
    return RepositoryFiles.read(PAGE)
        .lines()
        .map(ROW::matcher)
        .filter(row -> row.matches())
        .map(row ->
            new Row(
                row.group(1),
                duration(row.group(2)),
                row.group(3) == null ? null : duration(row.group(3)),
                row.group(4)));
  }

  private static Duration duration(String time) {
    var parts = time.split(" ", -1);
    int number = Integer.parseInt(parts[0]);
    return switch (parts[1]) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      case "min" -> Duration.ofMinutes(number);
      case "d" -> Duration.ofDays(number);
      default -> Duration.ofHours(number);
    };
  }

  @Test
  void everyRowIsReadAndNoConstantHasTwo() {
    long lines =
        RepositoryFiles.read(PAGE)
            .lines()
            .filter(line -> line.startsWith("| ") && !line.startsWith("| rule |"))
            .count();
    assertThat(rows().map(Row::constant)).hasSize((int) lines).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @MethodSource("rows")
  void theConstantHasTheTimeAndTheRuleIsThere(Row row) {
    assertThat(RepositoryFiles.read("docs/rules.md")).contains("### " + row.rule() + " ");
    assertThat(times.stream().filter(field -> name(field).equals(row.constant())))
        .singleElement()
        .extracting(TimesPageTest::value)
        .isEqualTo(row.longest() == null ? row.first() : Backoff.of(row.first(), row.longest()));
  }

  /** A new time: a rule or a user needs it, or it is nobody's business outside of its class. */
  @Test
  void aTimeOfTheControllerIsOnThePageOrADetail() {
    var named = rows().map(Row::constant).toList();
    assertThat(times).hasSizeGreaterThan(100);
    assertThat(times.stream().filter(field -> !isDetail(field)).map(TimesPageTest::name))
        .as("write a row into %s for each, or mark it with @Detail if no rule depends on it", PAGE)
        .filteredOn(time -> !named.contains(time))
        .isEmpty();
    assertThat(times.stream().filter(TimesPageTest::isDetail).map(TimesPageTest::name))
        .as("what has a row in %s is no @Detail", PAGE)
        .filteredOn(named::contains)
        .isEmpty();
  }

  @Test
  void theJavadocOfADetailSaysWhatItBounds() throws IOException {
    var bare = new ArrayList<String>();
    for (var file : RepositoryFiles.files(TimesPageTest::isOfTheController)) {
      var text = RepositoryFiles.read(RepositoryFiles.ROOT.relativize(file).toString());
      BARE_MARK
          .matcher(text)
          .results()
          .forEach(mark -> bare.add(file.getFileName() + ":" + mark.group().strip()));
    }
    assertThat(bare).isEmpty();
  }

  private static boolean isOfTheController(Path file) {
    return file.toString().contains("controller/src/main/java/")
        && file.toString().endsWith(".java");
  }

  private static boolean isDetail(JavaField field) {
    return field.isAnnotatedWith(Detail.class);
  }

  /** As the page has it; the class without the one that it is nested in. */
  private static String name(JavaField field) {
    return field.getOwner().getSimpleName() + "." + field.getName();
  }

  private static Object value(JavaField constant) {
    try {
      var field = constant.reflect();
      field.setAccessible(true);
      return field.get(null);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
