package dev.runnerset.e2e.repository;

import static dev.runnerset.e2e.RepositoryFiles.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.e2e.RepositoryFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Words that make a sentence hard to read at night and in a second language. Each place may have as
 * many as {@link #MOST} says, and the table may only fall.
 */
final class WordsTest {
  /** The most that each place may have; lower a number where you removed some. */
  private static final Map<String, Integer> MOST =
      Map.ofEntries(
          Map.entry("README.md", 0),
          Map.entry("charts", 0),
          Map.entry("comments", 30),
          Map.entry("comments of tests, demo, simulator", 27),
          Map.entry("docs/adr", 5),
          Map.entry("docs/develop", 0),
          Map.entry("docs/operate", 0),
          Map.entry("docs/reference", 0),
          Map.entry("docs/rules.md", 0),
          Map.entry("docs/start", 0),
          Map.entry("javadoc", 393),
          Map.entry("javadoc of tests, demo, simulator", 256),
          Map.entry("messages", 0),
          Map.entry("other pages", 0));

  /** So far may a number of the table be above the count before it has to be lowered. */
  private static final int SLACK = 10;

  private record Style(String name, String pattern, String example) {}

  /** Searched in all prose; where two match at one position, the first one counts. */
  private static final List<Style> PROSE =
      List.of(
          new Style("of which", "\\bof (?:which|whose|those|whom)\\b", "a set, of which it is one"),
          new Style(
              "a chain", "\\bwhose\\b[^.;]{0,80}\\bwhose\\b", "a set whose pod, whose node ended"),
          new Style(
              "those that", "\\bthose (?:that|which|who|of|in|with)\\b", "those that wait longer"),
          new Style(
              "a thing that speaks or carries",
              "\\b(?:[tT]ells?|[tT]old|[tT]elling|hears?|heard|bears?|borne|bore|stands?|stood)\\b",
              "the set tells its state"),
          new Style("whoever", "\\b[wW]hoever\\b", "whoever may make pods"),
          new Style(
              "who without a noun",
              "(?:^|[.:] )(?:Who|Whom) (?!am\\b)",
              "A field. Who reads it may write it"),
          new Style("of such", "\\bof such\\b", "a list of such sets"),
          new Style("the same;", "\\bThe same;", "The same; for a pod"),
          new Style("while which", "\\bwhile which\\b", "the time while which it waits"),
          new Style("in vain", "\\bin vain\\b", "it waits in vain"),
          new Style(
              "that of", "\\b(?:at|in|on|for|from|to|with|by) that of\\b", "from that of a set"));

  private static final Pattern WORDS =
      Pattern.compile(PROSE.stream().map(Style::pattern).collect(Collectors.joining("|")));

  private static final Style FILE_AS_TEXT =
      new Style("a link named by its file", "\\[`?[\\w/.-]+\\.md`?\\]", "[install.md](install.md)");
  private static final Style AFTER_CODE =
      new Style(
          "a sentence that goes on after a block",
          "(?m)^ *```\\n\\n?(?=[a-z])",
          "```\nand then the next");

  /** In pages for users alone; an id is that of a rule. */
  private static final String TEST_NAME = "\\b[A-Z]\\w+(?:Test|IT)\\b";

  private static final Pattern USER_PAGE =
      Pattern.compile(
          "^(README\\.md|docs/start/|docs/operate/|docs/known-limits\\.md|docs/README\\.md"
              + "|docs/reference/(conditions|metrics|permissions|chart-|feature-gates|threat))");
  private static final Pattern FAMILY = Pattern.compile("(?m)^### ([A-Z]{1,3})\\d+ ");

  private static final Pattern PAGE_CODE = Pattern.compile("(?ms)^ *```.*?^ *```|`[^`\\n]*`");
  private static final Pattern JAVADOC = Pattern.compile("/\\*\\*.*?\\*/", Pattern.DOTALL);
  private static final Pattern COMMENT =
      Pattern.compile("(?<![:\"'/])//[^\\n]*|/\\*(?!\\*).*?\\*/", Pattern.DOTALL);
  private static final Pattern TEXT =
      Pattern.compile("\"\"\".*?\"\"\"|\"(?:[^\"\\\\\\n]|\\\\.)*+\"", Pattern.DOTALL);
  private static final Pattern NO_LINE_END = Pattern.compile("[^\\n]");
  private static final Set<String> PRODUCT =
      Set.of("api-client", "base", "controller", "crds", "kube", "listener", "migrate");

  /** What was found, by place: {@code file:line: the words}. */
  private static final Map<String, List<String>> found = new TreeMap<>();

  @BeforeAll
  static void count() throws IOException {
    var files =
        RepositoryFiles.files(WordsTest::isRead).stream()
            .sorted(Comparator.comparing(Path::toString))
            .toList();
    var id = ids();
    for (var file : files) {
      var name = ROOT.relativize(file).toString();
      var text = Files.readString(file);
      if (name.endsWith(".md")) {
        page(name, text, id);
      } else if (name.endsWith(".java")) {
        source(name, text);
      } else {
        search(WORDS, "charts", name, text, 0, text);
      }
    }
    MOST.keySet().forEach(place -> found.computeIfAbsent(place, _ -> new ArrayList<>()));
  }

  static Stream<String> places() {
    return found.keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("places")
  void aPlaceHasNoMoreOfTheseWordsThanBefore(String place) {
    var hits = found.getOrDefault(place, List.of());
    int most = MOST.getOrDefault(place, 0);
    assertThat(hits.size())
        .as("%s may have %d:%n%s", place, most, String.join("\n", hits))
        .isLessThanOrEqualTo(most);
  }

  @ParameterizedTest
  @MethodSource("places")
  void theTableFallsWithTheCounts(String place) {
    int count = found.getOrDefault(place, List.of()).size();
    assertThat(MOST.getOrDefault(place, 0))
        .as("WordsTest.MOST of %s: lower it to %d", place, count)
        .isLessThanOrEqualTo(count + SLACK);
  }

  static Stream<Arguments> styles() {
    return Stream.concat(PROSE.stream(), Stream.of(FILE_AS_TEXT, AFTER_CODE))
        .map(style -> Arguments.of(style.name(), style));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("styles")
  void eachPatternFindsItsExample(String name, Style style) {
    assertThat(Pattern.compile(style.pattern()).matcher(style.example()).find()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a pod that waits", "the set reports its state", "Who am I"})
  void aPlainSentenceIsNotFound(String sentence) {
    assertThat(WORDS.matcher(sentence).find()).isFalse();
  }

  @Test
  void anIdOfARuleAndTheNameOfATestAreFoundInAPageForUsers() throws IOException {
    assertThat(ids().matcher("as SD4 says, and RealPagesIT").results().map(MatchResult::group))
        .containsExactly("SD4", "RealPagesIT");
    assertThat(ids().matcher("20 runners on 2 nodes, ES6").find()).isFalse();
  }

  private static Pattern ids() throws IOException {
    var families =
        FAMILY
            .matcher(RepositoryFiles.read("docs/rules.md"))
            .results()
            .map(heading -> heading.group(1))
            .distinct()
            .collect(Collectors.joining("|"));
    return Pattern.compile("\\b(?:" + families + ")\\d{1,2}\\b|" + TEST_NAME);
  }

  private static boolean isRead(Path file) {
    var name = ROOT.relativize(file).toString();
    return name.endsWith(".md") || name.endsWith(".java") || name.startsWith("charts/");
  }

  private static void page(String name, String text, Pattern ids) {
    var place = placeOfPage(name);
    var prose = blanked(PAGE_CODE, text);
    search(WORDS, place, name, prose, 0, prose);
    search(Pattern.compile(FILE_AS_TEXT.pattern()), place, name, text, 0, text);
    search(Pattern.compile(AFTER_CODE.pattern()), place, name, text, 0, text);
    if (USER_PAGE.matcher(name).find()) {
      search(ids, place, name, text, 0, text);
    }
  }

  private static String placeOfPage(String name) {
    var parts = name.split("/", -1);
    if (name.equals("README.md") || name.equals("docs/rules.md")) {
      return name;
    }
    return parts[0].equals("docs") && parts.length > 2 ? "docs/" + parts[1] : "other pages";
  }

  private static void source(String name, String text) {
    boolean product =
        name.contains("/src/main/") && PRODUCT.contains(name.substring(0, name.indexOf('/')));
    var where = product ? "" : " of tests, demo, simulator";
    searchIn(JAVADOC, text, "javadoc" + where, name, text);
    var rest = blanked(JAVADOC, text);
    searchIn(COMMENT, blanked(TEXT, rest), "comments" + where, name, text);
    if (product) {
      searchIn(TEXT, rest, "messages", name, text);
    }
  }

  /** Searches in each part of a text that the pattern finds. */
  private static void searchIn(Pattern part, String of, String place, String name, String whole) {
    part.matcher(of)
        .results()
        .forEach(match -> search(WORDS, place, name, match.group(), match.start(), whole));
  }

  private static void search(
      Pattern pattern, String place, String name, String text, int offset, String whole) {
    var hits = found.computeIfAbsent(place, _ -> new ArrayList<>());
    pattern
        .matcher(text)
        .results()
        .forEach(match ->
            hits.add(
                "%s:%d: %s"
                    .formatted(
                        name, lineOf(whole, offset + match.start()), match.group().strip())));
  }

  private static long lineOf(String text, int position) {
    return text.substring(0, position).chars().filter(c -> c == '\n').count() + 1;
  }

  /** What matches as blanks, so that positions and lines stay. */
  private static String blanked(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .replaceAll(match -> NO_LINE_END.matcher(match.group()).replaceAll(" "));
  }
}
