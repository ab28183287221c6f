package dev.runnerset.e2e.repository;

import static dev.runnerset.e2e.RepositoryFiles.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.e2e.RepositoryFiles;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What pages and comments name is there: types and constants in the code, fields in the kinds,
 * members behind a {@code link}. A change of a name has to change these, too.
 */
final class NamesTest {
  /** Names of other products, or of an example, that no code of ours has. */
  private static final Set<String> FOREIGN =
      Set.of(
          "CalculateExpectedPodCountFailed",
          "CompileThresholdScaling",
          "ImageMaximumGCAge",
          "NamespaceDeletionContentFailure",
          "NamespaceFinalizersRemaining");

  /** Names that a decision names because it removed them. */
  private static final Set<String> REMOVED =
      Set.of(
          "FlavourNotSupported", "RemovalInput", "ReplicasInput", "ReplicasTarget", "RolloutInput");

  /** A field of a node, and fields that a decision names because it removed them. */
  private static final Set<String> FOREIGN_FIELDS =
      Set.of(
          "spec.unschedulable",
          "spec.demandMessageId",
          "spec.releasedIdle",
          "status.conditions.exists"); // a function of an expression

  /** In backticks, with two capitals at least, and maybe a member behind it. */
  private static final Pattern NAME =
      Pattern.compile("`([A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+)(?:[.#(][^`]*)?`");

  /** Not one that a table cut off. */
  private static final Pattern FIELD =
      Pattern.compile("(?<![\\w./-])(?:spec|status)(?:\\.[a-z]\\w*(?:\\[\\w*\\])?)++(?! …)");

  private static final Pattern LINK =
      Pattern.compile("\\{@link(?:plain)?\\s+(?:\\*\\s*)?([\\w.]*)(?:#(\\w+))?");
  private static final Pattern COMMENT =
      Pattern.compile("/\\*.*?\\*/|(?<![:\"])//[^\\n]*", Pattern.DOTALL);
  private static final Pattern WORD = Pattern.compile("\\w+");
  private static final Pattern REASON = Pattern.compile("(?m)^\\| `([A-Z]\\w+)` \\|");
  private static final Pattern CAPITAL = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])");

  private static final Set<String> words = new HashSet<>();
  private static final Map<String, List<Path>> filesByType = new HashMap<>();

  @BeforeAll
  static void readCode() throws IOException {
    for (var file : RepositoryFiles.files(NamesTest::isCode)) {
      WORD.matcher(code(file)).results().map(MatchResult::group).forEach(words::add);
      var type = file.getFileName().toString().replaceFirst("\\.java$", "");
      filesByType.computeIfAbsent(type, _ -> new ArrayList<>()).add(file);
    }
    // made of two words in the code; ReasonsPageTest compares the table with it
    REASON
        .matcher(RepositoryFiles.read("docs/reference/conditions.md"))
        .results()
        .map(row -> row.group(1))
        .forEach(words::add);
  }

  @Test
  void everyTypeAndConstantThatAPageNamesIsInTheCode() throws IOException {
    var gone = new ArrayList<String>();
    int named = 0;
    for (var page : pages()) {
      var text = Files.readString(page);
      for (var name : NAME.matcher(text).results().toList()) {
        named++;
        if (!isKnown(name.group(1))) {
          gone.add(place(page, text, name) + name.group(1));
        }
      }
    }
    assertThat(named).isGreaterThan(500);
    assertThat(gone)
        .as("names that no code has; one of another product belongs into NamesTest.FOREIGN")
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"CreateAnswers", "SweepPlanner", "EmbeddedDrainIT", "ListenerMeters"})
  void aNameThatIsGoneIsNotKnown(String name) {
    assertThat(isKnown(name)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"CreateAnswer", "JobNotTaken", "AutoScalingRunnerSet", "PodNotAccepted"})
  void aTypeAKindAndAReasonAreKnown(String name) {
    assertThat(isKnown(name)).isTrue();
  }

  /** Reasons are constants of enums: {@code JobNotTaken} is {@code JOB_NOT_TAKEN}. */
  private static boolean isKnown(String name) {
    return words.contains(name)
        || words.contains(CAPITAL.matcher(name).replaceAll("_").toUpperCase(Locale.ROOT))
        || FOREIGN.contains(name)
        || REMOVED.contains(name);
  }

  @Test
  void everyFieldThatAPageNamesIsOfAKind() throws IOException {
    var kinds = kinds();
    var wrong = new ArrayList<String>();
    int named = 0;
    for (var page : pages()) {
      var text = Files.readString(page);
      for (var field : FIELD.matcher(text).results().toList()) {
        named++;
        if (!FOREIGN_FIELDS.contains(field.group())
            && kinds.stream().noneMatch(kind -> has(kind, field.group()))) {
          wrong.add(place(page, text, field) + field.group());
        }
      }
    }
    assertThat(named).isGreaterThan(100);
    assertThat(wrong).as("fields that no kind has").isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"spec.listener", "status.runner", "spec.retention.limit"})
  void aFieldThatNoKindHasIsFound(String field) throws IOException {
    assertThat(kinds()).noneMatch(kind -> has(kind, field));
  }

  /** The schemas of the kinds, as the chart installs them. */
  private static List<Map<?, ?>> kinds() throws IOException {
    try (var files = Files.list(RepositoryFiles.chart("runnerset").resolve("files/crds"))) {
      var kinds = files.sorted().map(NamesTest::schema).toList();
      assertThat(kinds).hasSize(4);
      return kinds;
    }
  }

  private static Map<?, ?> schema(Path file) {
    var crd = Serialization.unmarshal(text(file), GenericKubernetesResource.class);
    return crd.getAdditionalProperties().get("spec") instanceof Map<?, ?> spec
            && spec.get("versions") instanceof List<?> versions
            && versions.getFirst() instanceof Map<?, ?> version
        ? child(child(version, "schema"), "openAPIV3Schema")
        : Map.of();
  }

  private static boolean has(Map<?, ?> kind, String field) {
    var at = kind;
    for (var name : field.replaceAll("\\[\\w*\\]", "").split("\\.", -1)) {
      at = at.containsKey("items") ? child(at, "items") : at;
      if (!at.containsKey("properties")) {
        return at.containsKey("additionalProperties")
            || at.containsKey("x-kubernetes-preserve-unknown-fields");
      }
      at = child(child(at, "properties"), name);
      if (at.isEmpty()) {
        return false;
      }
    }
    return true;
  }

  private static Map<?, ?> child(Map<?, ?> parent, String key) {
    return parent.get(key) instanceof Map<?, ?> child ? child : Map.of();
  }

  /** A member is searched by its name alone, in the file of its type. */
  @Test
  void everyLinkOfJavadocLeadsSomewhere() throws IOException {
    var wrong = new ArrayList<String>();
    int links = 0;
    for (var file : RepositoryFiles.files(path -> path.toString().endsWith(".java"))) {
      var text = text(file);
      for (var link : LINK.matcher(text).results().toList()) {
        links++;
        if (!leadsSomewhere(file, text, link.group(1), link.group(2))) {
          wrong.add(place(file, text, link) + link.group() + "}");
        }
      }
    }
    assertThat(links).isGreaterThan(200);
    assertThat(wrong).isEmpty();
  }

  private static boolean leadsSomewhere(
      Path file, String text, String type, @Nullable String member) {
    var first =
        Arrays.stream(type.split("\\.", -1))
            .filter(part -> !part.isEmpty() && Character.isUpperCase(part.charAt(0)))
            .findFirst();
    if (first.isEmpty()) {
      return hasWord(file, member);
    }
    var name = first.get();
    var targets = filesByType.get(name);
    if (targets != null) {
      return member == null || targets.stream().anyMatch(target -> hasWord(target, member));
    }
    return Pattern.compile("\\b" + name + "\\b")
            .matcher(COMMENT.matcher(text).replaceAll(""))
            .find()
        || isOfJava(name);
  }

  private static boolean hasWord(Path file, @Nullable String word) {
    return word != null && Pattern.compile("\\b" + word + "\\b").matcher(code(file)).find();
  }

  private static boolean isOfJava(String name) {
    try {
      var _ = Class.forName("java.lang." + name);
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /** This file is left out: it has wrong names as examples. */
  private static boolean isCode(Path file) {
    return !file.toString().endsWith(".md") && !file.endsWith("NamesTest.java");
  }

  /** The changelog names what was. */
  private static List<Path> pages() throws IOException {
    return RepositoryFiles.files(
        path -> path.toString().endsWith(".md") && !path.endsWith("CHANGELOG.md"));
  }

  private static String code(Path file) {
    var text = text(file);
    return file.toString().endsWith(".java") ? COMMENT.matcher(text).replaceAll("") : text;
  }

  /** Some of the files are archives and pictures, which have no words. */
  private static String text(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String place(Path file, String text, MatchResult at) {
    long line = text.substring(0, at.start()).chars().filter(c -> c == '\n').count() + 1;
    return ROOT.relativize(file) + ":" + line + ": ";
  }
}
