package dev.runnerset.e2e.repository;

import static dev.runnerset.e2e.RepositoryFiles.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.e2e.RepositoryFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What no compiler looks at: pages whose links hold, packages that say what they are for. */
final class TidyTest {
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(#[^)]*)?\\)");
  private static final Pattern COMMAND =
      Pattern.compile(
          "kubectl (\\w+)(?: -n \\S+| --?\\w[\\w-]*(?:=\\S+)?)*"
              + " ((?:[\\w.]+,)*(?:autoscaling\\w+|ephemeralrunner\\w*|ars|ers|er|asl)\\b[\\w.,]*)([^\\n]*)");
  private static final Pattern BROKEN_STRING = Pattern.compile("\"\\s*\\+\\s*\"");
  private static final Set<String> CHANGING =
      Set.of("delete", "annotate", "label", "patch", "edit", "scale", "replace", "apply");
  private static final String FULL_NAME =
      "(autoscalingrunnersets|ephemeralrunnersets|ephemeralrunners|autoscalinglisteners)"
          + "\\.(runnerset\\.dev|actions\\.github\\.com)";
  private static final String FULL_NAMES = FULL_NAME + "(," + FULL_NAME + ")*";
  private static final String SHORT_NAMES =
      "((ars|ers|er|asl|[a-z]+),)*(ars|ers|er|asl)(,[a-z]+|[.]spec[.\\w]*)*";
  private static final Pattern OF_THE_PRODUCT =
      Pattern.compile("^charts/|^(api-client|base|controller|crds|kube|listener)/src/main/java/");
  private static final Pattern TESTS =
      Pattern.compile("-D(?:it[.])?test='?([A-Z][\\w#*]*(?:,[A-Z][\\w#*]*)*)");
  private static final Set<String> PRODUCT =
      Set.of("api-client", "base", "controller", "crds", "kube", "listener", "migrate");

  /** Of modules that have other packages than one of their name. */
  private static final Map<String, Set<String>> ROOT_PACKAGES =
      Map.of(
          "api-client", Set.of("actions"),
          "e2e", Set.of("e2e", "deployment"),
          "kube", Set.of("kube", "connection"),
          "test-support", Set.of("testsupport", "testcluster"));

  private static final Pattern NO_CODE =
      Pattern.compile("/\\*.*?\\*/|//[^\\n]*|\"(?:[^\"\\\\\\n]|\\\\.)*\"", Pattern.DOTALL);
  private static final Pattern NAME = Pattern.compile("[A-Za-z]\\w*");
  private static final Pattern BETWEEN_PARTS = Pattern.compile("_|(?<=[a-z0-9])(?=[A-Z])");

  /** Parts of names. {@code Lookup} is one word, and not one of these. */
  private static final Set<String> DIALECT =
      Set.of("look", "looks", "looked", "looking", "anew", "telling", "told", "saying", "trouble");

  /**
   * The id of a rule and the first word of its text; a rule may be its heading or a table alone.
   */
  private static final Pattern RULE_TEXT =
      Pattern.compile("(?m)^### (\\w+) [^\\n]*\\n+(?![#|])((?:At most )?\\S+)");

  /** Subordinators, prepositions, participles and numbers: the subject comes later, or never. */
  private static final Pattern NO_SUBJECT =
      Pattern.compile(
          "(?:While|If|Where|Those|Which|When|Who|Whoever|Whose|Whatever|Until|Once|After|Before|As|Since|So"
              + "|Beyond|Of|From|To|In|On|At|By|For|With|Without|Between|During|Under|But|And|Also|Then|None"
              + "|Chosen|Made|Written|Sent|Kept|Held|Taken|Given|Found|\\d.*|(?!Nothing)[A-Z][a-z]*(?:ed|ing))[,:]?");

  private static final Pattern SOURCE = Pattern.compile("`([\\w./-]+\\.java)`");

  @Test
  void everyLinkOfAPageLeadsSomewhere() throws IOException {
    var broken = new ArrayList<String>();
    for (var page : pages()) {
      var links = LINK.matcher(Files.readString(page));
      while (links.find()) {
        var target = links.group(1);
        if (!target.contains("://") && !Files.exists(page.resolveSibling(target))) {
          broken.add(ROOT.relativize(page) + " -> " + target);
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void everyFileThatThePageOfPlacesNamesIsThere() throws IOException {
    var missing = new ArrayList<String>();
    int named = 0;
    var files = SOURCE.matcher(Files.readString(ROOT.resolve("docs/where.md")));
    var before = ROOT;
    while (files.find()) {
      named++;
      // a name without a folder stands beside the one before it
      var name = files.group(1);
      var file = name.contains("/") ? ROOT.resolve(name) : before.resolveSibling(name);
      if (!Files.exists(file)) {
        missing.add(name);
      }
      before = file;
    }
    assertThat(named).isGreaterThan(10);
    assertThat(missing).isEmpty();
  }

  /**
   * Another controller has kinds of the same names, and kubectl takes the plural alone for either:
   * who changes something names the group; who reads may write our short names.
   */
  @Test
  void noCommandMeansTheKindsOfAnotherController() throws IOException {
    var wrong = new ArrayList<String>();
    int named = 0;
    for (var file : RepositoryFiles.files(TidyTest::mayPrintCommands)) {
      var text = BROKEN_STRING.matcher(Files.readString(file)).replaceAll("");
      for (var command : COMMAND.matcher(text).results().toList()) {
        named++;
        boolean changes =
            CHANGING.contains(command.group(1)) || command.group(3).contains("| xargs");
        if (!command.group(2).matches(changes ? FULL_NAMES : FULL_NAMES + "|" + SHORT_NAMES)) {
          wrong.add(ROOT.relativize(file) + ": " + command.group());
        }
      }
    }
    assertThat(named).isGreaterThan(30);
    assertThat(wrong).isEmpty();
  }

  /** The commands of pages, of CI and of the demo: a name that is wrong would run nothing. */
  @Test
  void everyTestThatACommandNamesIsThere() throws IOException {
    var tests =
        sources(path -> path.toString().contains("/src/test/java/")).stream()
            .collect(Collectors.toMap(TidyTest::typeName, TidyTest::text, String::concat));
    var wrong = new ArrayList<String>();
    int named = 0;
    for (var file : RepositoryFiles.files(TidyTest::mayRunTests)) {
      for (var command : TESTS.matcher(text(file)).results().toList()) {
        for (var test : command.group(1).split(",")) {
          named++;
          var type = Pattern.compile(test.replaceFirst("#.*", "").replace("*", ".*"));
          var method = test.contains("#") ? test.replaceFirst(".*#", "") : "";
          if (tests.entrySet().stream()
              .noneMatch(entry ->
                  type.matcher(entry.getKey()).matches() && entry.getValue().contains(method))) {
            wrong.add(ROOT.relativize(file) + ": " + test);
          }
        }
      }
    }
    assertThat(named).isGreaterThan(10);
    assertThat(wrong).isEmpty();
  }

  private static boolean mayRunTests(Path path) {
    var file = ROOT.relativize(path).toString();
    return file.endsWith(".md") && !file.startsWith("docs/adr/") || file.startsWith(".ci/");
  }

  private static String typeName(Path source) {
    return source.getFileName().toString().replace(".java", "");
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Who has installed the product has kubectl and Helm, and no checkout to run a program from. */
  @Test
  void noMessageOfTheProductNeedsACheckout() throws IOException {
    var printed =
        RepositoryFiles.files(
            path -> OF_THE_PRODUCT.matcher(ROOT.relativize(path).toString()).find());
    assertThat(printed).hasSizeGreaterThan(300);
    var wrong = new ArrayList<String>();
    for (var file : printed) {
      for (var line : Files.readAllLines(file)) {
        if (line.contains("./runnerset") && !line.strip().matches("(/\\*\\*|\\*|//).*")) {
          wrong.add(ROOT.relativize(file) + ": " + line.strip());
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  private static boolean mayPrintCommands(Path path) {
    var file = ROOT.relativize(path).toString();
    return file.endsWith(".md")
        || file.startsWith("charts/")
        || (file.endsWith(".java") && file.contains("/src/main/"));
  }

  /** Suites are as long as programs, and named as such. */
  private static boolean isMainOrEndToEnd(Path path) {
    var file = ROOT.relativize(path).toString();
    return file.contains("/src/main/java/") || file.startsWith("e2e/src/test/java/");
  }

  /**
   * Names are the field's terms: a reconciler requeues, a status reports, an event is published.
   */
  @Test
  void noNameOfTheProductIsOfADialect() throws IOException {
    var found = new ArrayList<String>();
    for (var source : sources(TidyTest::isOfTheProduct)) {
      var code = NO_CODE.matcher(Files.readString(source)).replaceAll("");
      NAME.matcher(code)
          .results()
          .map(MatchResult::group)
          .filter(TidyTest::isOfADialect)
          .distinct()
          .forEach(name -> found.add(ROOT.relativize(source) + ": " + name));
    }
    assertThat(found).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"look", "LOOK_AGAIN", "BETWEEN_LOOKS", "lookedAt", "startAnew", "toldOnce"})
  void aNameOfADialectIsFoundWhereverItsWordStands(String name) {
    assertThat(isOfADialect(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Lookups", "lookupByName", "threshold", "BETWEEN_READS"})
  void anotherNameIsNotOfADialect(String name) {
    assertThat(isOfADialect(name)).isFalse();
  }

  private static boolean isOfADialect(String name) {
    return BETWEEN_PARTS
        .splitAsStream(name)
        .anyMatch(part -> DIALECT.contains(part.toLowerCase(Locale.ROOT)));
  }

  private static boolean isOfTheProduct(Path path) {
    return path.toString().contains("/src/main/")
        && PRODUCT.contains(ROOT.relativize(path).getName(0).toString());
  }

  @Test
  void everyPackageSaysWhatItIsFor() throws IOException {
    var silent = new ArrayList<Path>();
    for (var file : sources(TidyTest::isMainOrEndToEnd)) {
      var info = file.resolveSibling("package-info.java");
      if (!Files.exists(info) || !Files.readString(info).startsWith("/**")) {
        silent.add(ROOT.relativize(file.getParent()));
      }
    }
    assertThat(silent.stream().distinct()).isEmpty();
  }

  @Test
  void theTopLevelHasWhatTheProjectWasOrderedWith() {
    assertThat(
            List.of("pom.xml", "controller", "listener", "api-client", "crds", "README.md").stream()
                .filter(name -> !Files.exists(ROOT.resolve(name))))
        .isEmpty();
  }

  /**
   * Modules with tests, tools and benches included. Users run {@code images} and {@code cli}, so
   * neither can be a part of the tests.
   */
  @Test
  void aNewcomerSeesFourteenFoldersWithJavaAtMost() throws IOException {
    assertThat(
            sources(_ -> true).stream()
                .map(file -> ROOT.relativize(file).getName(0).toString())
                .filter(folder -> !folder.startsWith("."))
                .distinct())
        .hasSizeLessThanOrEqualTo(14);
  }

  @ParameterizedTest
  @CsvSource({"README.md, 110", "docs/rules.md, 660"})
  void aPageThatIsReadWholeIsShort(String page, int mostLines) {
    assertThat(RepositoryFiles.read(page).lines()).hasSizeLessThanOrEqualTo(mostLines);
  }

  /** Subject, verb, object: who reads at night, in a second language, needs the subject first. */
  @Test
  void eachRuleBeginsWithItsSubject() {
    var rules = RULE_TEXT.matcher(RepositoryFiles.read("docs/rules.md")).results().toList();
    assertThat(rules).hasSizeGreaterThan(150);
    assertThat(rules)
        .extracting(rule -> rule.group(1) + " " + rule.group(2))
        .noneMatch(start -> NO_SUBJECT.matcher(start.replaceFirst("\\w+ ", "")).matches());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"While", "Those", "2", "Computed", "Counting", "Until", "Of", "Chosen", "With"})
  void aWordThatCannotBeASubjectIsFound(String word) {
    assertThat(word).matches(NO_SUBJECT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"The", "Each", "No", "At most", "`Ready`", "Runners", "It", "Nothing"})
  void aWordThatMayBeASubjectIsNot(String words) {
    assertThat(words).doesNotMatch(NO_SUBJECT);
  }

  @Test
  void aModuleHasTheNameOfItsRootPackage() throws IOException {
    var strangers = new ArrayList<Path>();
    for (var file : sources(TidyTest::isMainOrEndToEnd)) {
      var path = ROOT.relativize(file);
      var below = path.subpath(3, path.getNameCount());
      var module = path.getName(0).toString();
      if (ROOT_PACKAGES.getOrDefault(module, Set.of(module.replace("-", ""))).stream()
          .noneMatch(name -> below.startsWith("java/dev/runnerset/" + name))) {
        strangers.add(path);
      }
    }
    assertThat(strangers).isEmpty();
  }

  private static List<Path> pages() throws IOException {
    return RepositoryFiles.files(path -> path.toString().endsWith(".md"));
  }

  private static List<Path> sources(Predicate<Path> which) throws IOException {
    return RepositoryFiles.files(path -> path.toString().endsWith(".java") && which.test(path));
  }
}
