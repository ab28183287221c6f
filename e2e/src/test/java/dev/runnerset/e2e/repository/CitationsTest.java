package dev.runnerset.e2e.repository;

import static dev.runnerset.e2e.RepositoryFiles.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.e2e.RepositoryFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever code, tests and pages cite is in the repository: a rule is a heading of docs/rules.md, a
 * section of the protocol a heading of docs/protocol.md, a decision a file of docs/adr. A document
 * that a reader cannot open is not cited.
 */
final class CitationsTest {
  /** An id of docs/rules.md. No ordinary word has this form. */
  private static final String ID =
      "\\b(?:I|WR|DM|LV|SD|RN|RR|NM|BG|SF|DL|RV|RT|AC|HS|RF|SH|SC|CN|EV|UP)\\d{1,2}\\b";

  private static final Pattern RULE = Pattern.compile(ID);
  private static final Pattern SECTION = Pattern.compile("\\b[Pp]rotocol +(\\d+(?:\\.\\d+)*)");
  private static final Pattern DECISION =
      Pattern.compile("(?:\\bADR +|\\badr/)(\\d{1,4})\\b(?!-\\d)");

  /** Documents outside the repository, and the ways in which people cite them. */
  private static final List<Pattern> OUTSIDE =
      Stream.of(
              "\\b[Dd]esigns?,? +(?:sections? +)?\\d[\\d.]*",
              "\\b[Tt]he +design\\b",
              "\\b(?:designs?|actions-service|incumbent|style)\\.md\\b",
              "\\b[Ss]ections? +\\d+",
              "\\b[Ss]teps? +\\d+",
              "\\b[Ss]eeds? +00\\d",
              "\\b[Tt]raps? ?\\d+",
              "\\b[Rr]ules? +\\d+",
              "\\b(?:rule|trap|step|r)\\d+(?:And\\d+)?[A-Z]",
              "\\b[Ii]ssue +\\d+",
              "\\bADR +\\d{4}-\\d\\d(?:-\\d\\d)?",
              "\\b[Ii]ncumbent\\b",
              "\\(\\d\\.\\d{1,2}(?: [a-d])?\\)",
              "\\bR\\d{1,2}\\b",
              "\\(A\\d\\)",
              "\\bvoid a\\d[A-Z]")
          .map(Pattern::compile)
          .toList();

  /** A row of a table of tests that begins with an id, or with the number of a section. */
  private static final Pattern ROW =
      Pattern.compile(
          "(?m)^ +\"?(1?\\d(?:\\.\\d{1,2})?(?! *:)|00\\d\\d|[A-Z]{1,3}\\d{1,2}):? (?=[a-z][^|\\n]*\\|)");

  private static final Pattern LINE_END = Pattern.compile("\\R[ \\t]*(?:\\*(?!/)|//|#)?");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]*)#([^)\\s]+)\\)");

  private static Set<String> rules = Set.of();
  private static Set<String> sections = Set.of();
  private static Set<String> decisions = Set.of();

  @BeforeAll
  static void readHeadings() throws IOException {
    rules = headings("docs/rules.md", "(" + ID + ")");
    sections = headings("docs/protocol.md", "(\\d+(?:\\.\\d+)?)");
    try (var files = Files.list(ROOT.resolve("docs/adr"))) {
      decisions =
          files
              .map(file -> file.getFileName().toString().substring(0, 4))
              .collect(Collectors.toSet());
    }
  }

  @Test
  void everyCitationLeadsSomewhere() throws IOException {
    var wrong = new ArrayList<String>();
    int cited = 0;
    for (var file : RepositoryFiles.files(CitationsTest::isRead)) {
      var text = Files.readString(file);
      for (var problem : problems(text)) {
        wrong.add(ROOT.relativize(file) + ":" + lineOf(text, problem) + ": " + problem.group());
      }
      cited += (int) Stream.of(RULE, SECTION).flatMap(p -> p.matcher(text).results()).count();
    }
    assertThat(wrong).as("citations that lead nowhere").isEmpty();
    assertThat(cited).as("citations that were read").isGreaterThan(300);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(SD99)",
        "(I1, I10)",
        "LV0",
        "protocol 9.9",
        "Protocol 3.99: all",
        "protocol\n * 3.77",
        "ADR 999",
        "docs/adr/0999",
        "design section 5",
        "(design\n   * section 5)",
        "Design sections 4 and 5",
        "design 001 R3",
        "design 5.5",
        "written from the words of the design",
        "see designs.md",
        "seed 003",
        "trap 12",
        "void trap4TheMaximum() {",
        "interaction rule 5",
        "void rule2AnEndedRunner() {",
        "ADR 2022-12-27 R5",
        "(section 6)",
        "step 4",
        "the same values change nothing (3.5)",
        "R14: finished",
        "issue 12",
        "          4 pending is live | a:pending | 1",
        "rows\n          0018 a surplus | a b | 0",
        "rows\n          7.3 it had no job | left | ask",
        "rows\n          XY5 it had no job | left | ask",
        "rows\n          its refusal (A5) | left | ask",
        "void a5TheCompletion() {",
        "the incumbent's best"
      })
  void aCitationThatLeadsNowhereIsFound(String text) {
    assertThat(problems(text)).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(SD4)",
        "SD1 to SD4",
        "I8",
        "(protocol 3.9)",
        "protocol\n * 3.9",
        "ADR 4",
        "docs/adr/0004",
        "[ADR 4](adr/0004-count-a-released-runner-as-nothing-at-once.md)",
        "T0",
        "I do",
        "rows\n          LV4 pending is live | a:pending | 1",
        "rows\n          30 s later | a:pending | 1",
        "two steps"
      })
  void aCitationThatLeadsSomewhereIsNot(String text) {
    assertThat(problems(text)).isEmpty();
  }

  /** By subject, one line each: a reader finds a decision without its number. */
  @Test
  void theIndexOfDecisionsHasOneLineForEach() throws IOException {
    var lines = Pattern.compile("(?m)^- \\[(\\d+)]\\((\\d{4})-[^)]*\\): \\S.*$");
    var named = lines.matcher(RepositoryFiles.read("docs/adr/README.md")).results().toList();
    assertThat(named)
        .extracting(line -> line.group(2))
        .containsExactlyInAnyOrderElementsOf(
            decisions.stream().filter(number -> number.matches("\\d{4}")).toList());
    assertThat(named)
        .allMatch(line -> Integer.parseInt(line.group(1)) == Integer.parseInt(line.group(2)));
  }

  @Test
  void everyAnchorOfALinkIsAHeading() throws IOException {
    var broken = new ArrayList<String>();
    var anchorsByPage = new HashMap<Path, Set<String>>();
    for (var page : RepositoryFiles.files(path -> path.toString().endsWith(".md"))) {
      for (var link : LINK.matcher(Files.readString(page)).results().toList()) {
        var target =
            link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1)).normalize();
        if (Files.exists(target)
            && !anchorsByPage
                .computeIfAbsent(target, CitationsTest::anchors)
                .contains(link.group(2))) {
          broken.add(ROOT.relativize(page) + " -> " + link.group(1) + "#" + link.group(2));
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  private static List<MatchResult> problems(String text) {
    var flat = flat(text);
    var found = new ArrayList<MatchResult>();
    RULE.matcher(flat).results().filter(m -> !rules.contains(m.group())).forEach(found::add);
    SECTION.matcher(flat).results().filter(m -> !sections.contains(m.group(1))).forEach(found::add);
    DECISION
        .matcher(flat)
        .results()
        .filter(m -> !decisions.contains("%04d".formatted(Integer.parseInt(m.group(1)))))
        .forEach(found::add);
    // with its lines: flat, only the first one would be seen to begin
    ROW.matcher(text).results().filter(m -> !rules.contains(m.group(1))).forEach(found::add);
    OUTSIDE.forEach(pattern -> pattern.matcher(flat).results().forEach(found::add));
    return found;
  }

  /** Ends of lines and the signs of comments as blanks of the same length: offsets stay. */
  private static String flat(String text) {
    return LINE_END.matcher(text).replaceAll(m -> " ".repeat(m.group().length()));
  }

  private static long lineOf(String text, MatchResult at) {
    return text.substring(0, at.start()).chars().filter(c -> c == '\n').count() + 1;
  }

  /** This file is left out: it has the wrong ones as examples. */
  private static boolean isRead(Path file) {
    var name = file.getFileName().toString();
    return !name.equals("CitationsTest.java")
        && Stream.of(".java", ".md", ".yaml", ".yml", ".xml").anyMatch(name::endsWith);
  }

  private static Set<String> headings(String page, String id) throws IOException {
    var found = new HashSet<String>();
    var heading = Pattern.compile("^#+ " + id + "(?= )");
    for (var line : Files.readAllLines(ROOT.resolve(page))) {
      var matcher = heading.matcher(line);
      if (matcher.find()) {
        assertThat(found.add(matcher.group(1)))
            .as("%s twice in %s", matcher.group(1), page)
            .isTrue();
      }
    }
    assertThat(found).as("headings of %s", page).hasSizeGreaterThan(30);
    return found;
  }

  /** As forges make them: lower case, blanks as dashes, no other signs. */
  private static Set<String> anchors(Path page) {
    try (var lines = Files.lines(page)) {
      return lines
          .filter(line -> line.startsWith("#"))
          .map(line -> line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT))
          .map(title -> title.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
