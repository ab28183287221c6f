package dev.runnerset.migrate.main;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The command line: exit codes, files, and one line for input that cannot be converted. */
final class MigrateMainTest {
  private static final String HEAD =
      "apiVersion: actions.github.com/v1alpha1\nkind: AutoscalingRunnerSet\n";
  private static final String SPEC =
      "spec: {githubConfigUrl: 'https://github.com/o', githubConfigSecret: s, maxRunners: 1, template:"
          + " {spec: {containers: [{name: runner}]}}}\n";
  private static final String SET = HEAD + "metadata: {name: linux}\n" + SPEC;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private record Bad(String name, String input, List<String> flags, String says) {
    Bad(String name, String input, String says) {
      this(name, input, List.of(), says);
    }
  }

  @TestFactory
  Stream<DynamicTest> badInput() {
    return Stream.of(
            new Bad("nothing", "", "no AutoscalingRunnerSet and no values"),
            new Bad("no YAML", "a: [", "standard input: line 1: this is no valid YAML"),
            new Bad("a text", "hello", "neither a resource nor values"),
            new Bad("a list", "- a", "neither a resource nor values"),
            new Bad(
                "other values", "replicaCount: 2", "it has no kind, and none of githubConfigUrl"),
            new Bad("another kind", "{apiVersion: v1, kind: Secret}", "no AutoscalingRunnerSet"),
            new Bad("no name", HEAD + SPEC, "has no metadata.name: add it"),
            new Bad("no spec", HEAD + "metadata: {name: a}", "a: spec is missing"),
            new Bad("no URL", replaced("githubConfigUrl", "x"), "spec.githubConfigUrl is missing"),
            new Bad(
                "no secret",
                replaced("githubConfigSecret", "x"),
                "spec.githubConfigSecret is missing"),
            new Bad("no template", replaced("template", "x"), "spec.template is missing"),
            new Bad(
                "a template of text",
                SET.replaceAll("template: .*", "template: x}"),
                "spec.template must be an object"),
            new Bad(
                "a secret of many",
                SET.replace("githubConfigSecret: s", "githubConfigSecret: {a: b}"),
                "spec.githubConfigSecret must be a text"),
            new Bad(
                "negative",
                SET.replace("maxRunners: 1", "maxRunners: -1"),
                "spec.maxRunners must be a whole number from 0 on"),
            new Bad(
                "min over max",
                SET.replace("maxRunners: 1", "maxRunners: 1, minRunners: 2"),
                "spec.minRunners is greater than maxRunners"),
            new Bad(
                "a proxy without URL",
                SET.replace(
                    "maxRunners: 1", "maxRunners: 1, proxy: {http: {credentialSecretRef: a}}"),
                "spec.proxy.http.url is missing"),
            new Bad(
                "half a certificate",
                SET.replace(
                    "maxRunners: 1",
                    "maxRunners: 1, githubServerTLS: {certificateFrom: {configMapKeyRef: {name: a}}}"),
                "configMapKeyRef.key is missing"),
            new Bad(
                "no id", SET, List.of("--adopt"), "the annotation runner-scale-set-id is missing"),
            new Bad(
                "no id in values",
                "githubConfigUrl: https://github.com/o\nrunnerScaleSetName: a",
                List.of("--adopt"),
                "give the id with --scale-set-id"),
            new Bad(
                "no name in values",
                "githubConfigUrl: https://github.com/o",
                "give it with --release NAME"),
            new Bad(
                "both",
                SET,
                List.of("--adopt", "--beside", "-x"),
                "--adopt and --beside exclude each other"),
            new Bad(
                "id alone", SET, List.of("--scale-set-id", "4"), "--scale-set-id is for --adopt"),
            new Bad(
                "another id than that of the annotation",
                annotated("one", 42),
                List.of("--adopt", "--scale-set-id", "43"),
                "one: --scale-set-id is 43, but the annotation runner-scale-set-id is 42: leave"),
            new Bad(
                "one id for two sets",
                SET + "---\n" + SET.replace("linux", "two"),
                List.of("--adopt", "--scale-set-id", "43"),
                "more sets have none in the input (linux, two): convert them one by one"),
            new Bad(
                "a bad suffix", SET, List.of("--beside", "a b"), "--beside: write small letters"),
            new Bad(
                "a long name",
                SET.replace("name: linux", "name: " + "l".repeat(60)),
                List.of("--beside", "-next"),
                "is longer than 63 characters"),
            new Bad("an unknown flag", SET, List.of("--fast"), "--fast"),
            new Bad("no file", SET, List.of("none.yaml"), "none.yaml: no file that can be read"))
        .map(row ->
            DynamicTest.dynamicTest(
                row.name(),
                () -> {
                  int code = run(row.input(), row.flags().toArray(String[]::new));
                  assertThat(code).isEqualTo(2);
                  assertThat(text(out)).isEmpty();
                  assertThat(text(err).lines().filter(line -> line.contains("(see --help)")))
                      .singleElement()
                      .asString()
                      .startsWith("runnerset migrate: ")
                      .contains(row.says());
                  out.reset();
                  err.reset();
                }));
  }

  private static String replaced(String field, String other) {
    return SET.replace(field + ":", other + ":");
  }

  @Test
  void filesAreReadInOrderAndStandardInputByADash(@TempDir Path folder) throws IOException {
    var first = Files.writeString(folder.resolve("a.yaml"), SET.replace("linux", "one"));
    assertThat(run(SET.replace("linux", "two"), first.toString(), "-")).isZero();
    assertThat(text(out)).containsSubsequence("  name: one\n", "---\n", "  name: two\n");
  }

  @Test
  void oursIsPrintedAsItIs() {
    assertThat(run(SET)).isZero();
    var printed = text(out);
    out.reset();
    assertThat(run(printed)).isZero();
    assertThat(withoutComments(text(out))).isEqualTo(withoutComments(printed));
  }

  @Test
  void valuesThatAreOursStayWhatTheyAre() {
    assertThat(
            run(
                "githubConfigUrl: https://github.com/o\ngithubConfigSecret: s\nrunnerScaleSetName: a\nmaxRunners: 1"))
        .isZero();
    var printed = text(out);
    out.reset();
    assertThat(run(printed)).isZero();
    assertThat(withoutComments(text(out))).isEqualTo(withoutComments(printed));
  }

  @Test
  void theIdIsThatOfTheAnnotationAndTheFlagIsForASetWithoutOne() {
    var sets = annotated("one", 42) + "---\n" + SET;
    assertThat(run(sets, "--adopt", "--scale-set-id", "42")).isZero();
    assertThat(text(out).lines().filter(line -> line.equals("  adoptScaleSetId: 42"))).hasSize(2);
  }

  private static String annotated(String name, int id) {
    return SET.replace(
        "name: linux", "name: " + name + ", annotations: {runner-scale-set-id: '" + id + "'}");
  }

  @TestFactory
  Stream<DynamicTest> noPasswordIsPrinted() {
    return Stream.of(
            "http://robot:pass-word@proxy:1",
            "http://robot:pass@word@proxy:1",
            "http://robot:pass/word@proxy:1",
            "http://robot:/pass@/word/@proxy:1/",
            "http://robot:pass\\nword@proxy:1",
            "http://robot@word/pass@proxy:1",
            "robot:pass@word@proxy:1")
        .map(url ->
            DynamicTest.dynamicTest(
                url,
                () -> {
                  var proxy = "maxRunners: 1, proxy: {http: {url: \"" + url + "\"}}";
                  assertThat(run(SET.replace("maxRunners: 1", proxy))).isZero();
                  assertThat(text(out)).contains("      url: http://proxy:1\n");
                  assertThat(text(out) + text(err))
                      .doesNotContain("robot", "pass@", "pass/", "pass-", "word@", "/word");
                  out.reset();
                  err.reset();
                }));
  }

  @Test
  void aFolderForKustomizeHasAFileForEachSetAndReplacesNothing(@TempDir Path home)
      throws IOException {
    var folder = home.resolve("sets");
    var two = SET + "---\n" + SET.replace("name: linux", "name: arm, namespace: ci");
    assertThat(run(two, "--kustomize", folder.toString())).isZero();
    assertThat(text(out)).isEmpty();
    assertThat(Files.readString(folder.resolve("kustomization.yaml")))
        .endsWith("resources:\n- linux.yaml\n- ci-arm.yaml\n");
    assertThat(Files.readString(folder.resolve("ci-arm.yaml"))).contains("  name: arm\n");
    Files.writeString(folder.resolve("linux.yaml"), "mine");
    Files.delete(folder.resolve("kustomization.yaml"));
    assertThat(run(two, "--kustomize", folder.toString())).isEqualTo(2);
    assertThat(text(err)).contains("linux.yaml exists: name another folder");
    assertThat(Files.readString(folder.resolve("linux.yaml"))).isEqualTo("mine");
    assertThat(folder.resolve("kustomization.yaml")).doesNotExist();
  }

  @Test
  void valuesAreNoResourceForKustomize(@TempDir Path home) {
    var values =
        "githubConfigUrl: https://github.com/o\ngithubConfigSecret: s\nrunnerScaleSetName: a";
    assertThat(run(values, "--kustomize", home.resolve("sets").toString())).isEqualTo(2);
    assertThat(text(err)).contains("values of a chart are no resource for kustomize");
  }

  private static String withoutComments(String yaml) {
    return yaml.lines().filter(line -> !line.startsWith("#")).reduce("", (a, b) -> a + b + "\n");
  }

  private int run(String input, String... flags) {
    return MigrateMain.run(
        new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        flags);
  }

  private static String text(ByteArrayOutputStream stream) {
    return stream.toString(StandardCharsets.UTF_8);
  }
}
