package dev.runnerset.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.cli.Fleet;
import dev.runnerset.cli.FrontServer;
import dev.runnerset.cli.Terminal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** 42.1: secrets are put everywhere, and none is in the bundle. */
final class ReportIT {
  private static final String HIDDEN = "s3cr3tS3cr3tS3cr3t";

  private static Fleet fleet;
  private static FrontServer front;

  @TempDir Path folder;

  @BeforeAll
  static void start() {
    fleet =
        new Fleet()
            .set(
                "ci",
                "linux",
                "labels: [ghp_%s]".formatted(HIDDEN),
                "{conditions: [{type: Ready, status: \"False\", reason: Unauthorized, message: \"asked with ghs_%s\"}]}"
                    .formatted(HIDDEN))
            .set("ci", "gpu", "", "")
            .runner(
                "ci",
                "linux",
                "linux-a",
                "{failure: {reason: X, message: \"Bearer %s\"}}".formatted(HIDDEN))
            .make(
                "ci",
                """
                apiVersion: v1
                kind: Pod
                metadata:
                  name: linux-a
                  namespace: ci
                  labels: {app.kubernetes.io/component: runner, runnerset.dev/set: linux}
                  annotations: {kubectl.kubernetes.io/last-applied-configuration: "{token: %1$s}"}
                spec: {containers: [{name: runner, image: i, env: [{name: NPM_TOKEN, value: %1$s}], args: ["--password=%1$s"]}]}
                """
                    .formatted(HIDDEN),
                "")
            .make(
                "ci",
                """
                apiVersion: v1
                kind: Event
                metadata: {name: e, namespace: ci}
                involvedObject: {kind: AutoScalingRunnerSet, name: linux, namespace: ci}
                reason: JobLost
                message: "https://me:%s@github.com"
                """
                    .formatted(HIDDEN),
                "")
            .make(
                "ci",
                "{apiVersion: v1, kind: Secret, metadata: {name: github, namespace: ci}, stringData: {github_token: %s}}"
                    .formatted(HIDDEN),
                "")
            .make(
                "runnerset-system",
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: runnerset-controller-1, namespace: runnerset-system, labels: {app.kubernetes.io/part-of: runnerset}}
                spec: {containers: [{name: controller, image: "ghcr.io/x/controller:1.2.3", ports: [{name: http, containerPort: 8080}]}]}
                """,
                "");
    front =
        new FrontServer(fleet.server().url())
            .answer(
                "GET .*/runnerset-controller-1/log",
                "a line\nAuthorization: Bearer %1$s\n-----BEGIN RSA PRIVATE KEY-----\n%1$s\n-----END RSA PRIVATE KEY-----\nthe last line\n"
                    .formatted(HIDDEN))
            .answer(
                "GET .*/runnerset-system/deployments",
                """
                {"kind": "DeploymentList", "apiVersion": "apps/v1", "items": [{"metadata": {"name": "runnerset-controller"},
                 "spec": {"template": {"spec": {"containers": [{"name": "controller", "image": "ghcr.io/x/controller:1.2.3"}]}}}}]}
                """)
            .forbid("GET .*/proxy/metrics", "get", "pods/proxy", "runnerset-system")
            .forbid("GET /api/v1/namespaces/ci/resourcequotas", "list", "resourcequotas", "ci");
  }

  @AfterAll
  static void stop() {
    front.close();
    fleet.close();
  }

  @Test
  void noSecretIsInTheBundleAndWhatIsLeftOutIsListed() throws IOException {
    var file = folder.resolve("report.tar.gz");
    long lists = listsOfPods();
    var shown = Terminal.of(front.config()).run("report", "linux", "--output", file.toString());
    assertThat(shown.exitCode()).as(shown.err()).isZero();
    var texts = unpacked(file);
    assertThat(texts).isNotEmpty();
    texts.forEach((path, text) -> assertThat(text).as(path).doesNotContain(HIDDEN));
    assertThat(texts.keySet())
        .contains(
            "runnerset-report/objects/sets.yaml",
            "runnerset-report/objects/runner-pods.yaml",
            "runnerset-report/logs/runnerset-system/runnerset-controller-1-controller.log",
            "runnerset-report/left-out.txt");
    assertThat(texts.get("runnerset-report/objects/sets.yaml"))
        .contains("linux")
        .doesNotContain("gpu");
    assertThat(texts.get("runnerset-report/objects/runners.yaml")).contains("linux-a");
    assertThat(texts.get("runnerset-report/objects/events.yaml")).contains("JobLost");
    assertThat(texts.get("runnerset-report/versions.txt")).contains("ghcr.io/x/controller:1.2.3");
    assertThat(
            texts.get(
                "runnerset-report/logs/runnerset-system/runnerset-controller-1-controller.log"))
        .contains("a line\n", "the last line");
    assertThat(texts.get("runnerset-report/left-out.txt"))
        .contains(
            "NPM_TOKEN",
            "last-applied-configuration",
            "looks like a credential (key)",
            "You have no right to list resourcequotas in the namespace ci",
            "You have no right to get pods/proxy in the namespace runnerset-system");
    assertThat(listsOfPods() - lists)
        .as("lists of pods: of the set, and of two namespaces; none for a log")
        .isEqualTo(3);
  }

  @Test
  void aFileThatExistsIsNotOverwritten() throws IOException {
    var file = Files.writeString(folder.resolve("mine"), "mine");
    var shown = Terminal.of(front.config()).run("report", "--output", file.toString());
    assertThat(shown.exitCode()).isEqualTo(1);
    assertThat(shown.err()).contains("exists: name another one with --output");
    assertThat(file).hasContent("mine");
  }

  private static long listsOfPods() {
    return fleet.server().counters().snapshot().entrySet().stream()
        .filter(entry -> entry.getKey().verb().equals("list"))
        .filter(entry -> entry.getKey().resource().equals("pods"))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** By path; read with a parser of its own, so that a mistake of the writer shows. */
  private static Map<String, String> unpacked(Path file) throws IOException {
    var texts = new LinkedHashMap<String, String>();
    try (var in = new GZIPInputStream(Files.newInputStream(file))) {
      var bytes = in.readAllBytes();
      for (int at = 0; at + 512 <= bytes.length && bytes[at] != 0; ) {
        assertThat(text(bytes, at + 257, 5)).isEqualTo("ustar");
        int length = Integer.parseInt(text(bytes, at + 124, 11), 8);
        var path = text(bytes, at + 345, 155) + "/" + text(bytes, at, 100);
        texts.put(path, new String(bytes, at + 512, length, StandardCharsets.UTF_8));
        at += 512 + (length + 511) / 512 * 512;
      }
    }
    return texts;
  }

  private static String text(byte[] bytes, int at, int longest) {
    int end = at;
    while (end < at + longest && bytes[end] != 0) {
      end++;
    }
    return new String(bytes, at, end - at, StandardCharsets.UTF_8);
  }
}
