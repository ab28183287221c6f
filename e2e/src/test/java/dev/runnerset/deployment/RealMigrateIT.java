package dev.runnerset.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.Crds;
import dev.runnerset.e2e.RepositoryFiles;
import dev.runnerset.e2e.Shell;
import dev.runnerset.testcluster.TestCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What {@code runnerset migrate} printed for its examples, on a real server as kubectl sends it,
 * with strict validation of fields: resources as they are, values through the chart of a set.
 */
final class RealMigrateIT {
  private static final Path EXAMPLES = RepositoryFiles.ROOT.resolve("migrate/src/test/resources");

  /** The field with which a refusal of the chart begins. */
  private static final Pattern REFUSAL = Pattern.compile("set[.]yaml:[\\d:]+[)]?: ([\\w.]+)");

  @TempDir private static Path home;

  private static TestCluster cluster;

  @BeforeAll
  static void start() {
    TestCluster.unavailableReason().ifPresent(Assumptions::abort);
    cluster =
        TestCluster.start(
            TestCluster.Options.defaults()
                .withYaml(List.of(Crds.yaml()))
                .withoutControllers()); // nothing moves, so a second apply changes nothing
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void resourcesAreTakenAndStayWhatTheyAre() throws IOException {
    var files = outputs(false);
    for (var file : files) {
      for (var set : Helm.objects(Files.readString(file))) {
        makeNamespace(set);
      }
    }
    assertThat(applied(files)).hasSizeGreaterThanOrEqualTo(14).allMatch(l -> l.endsWith("created"));
    assertThat(applied(files)).allMatch(line -> line.endsWith("unchanged"));
  }

  @Test
  void valuesMakeASetByTheChart() throws IOException {
    var rendered = new ArrayList<Path>();
    var refused = new ArrayList<String>();
    for (var file : outputs(true)) {
      var name = file.getFileName().toString().replace(".out.yaml", "");
      var call =
          SetChart.runWith(
              home, file, "template", "set", SetChart.FOLDER, "--namespace", "values-of-" + name);
      if (call.exit() != 0) {
        refused.add(name);
        var field = REFUSAL.matcher(call.err());
        assertThat(field.find()).as(call.err()).isTrue();
        assertThat(file.resolveSibling(name + ".notes.txt"))
            .as("the note says what the chart refuses: %s", call.err())
            .content()
            .contains(field.group(1).replaceFirst(".*[.]", ""));
        continue;
      }
      var yaml = call.orFail().out();
      for (var object : Helm.objects(yaml)) {
        makeNamespace(object);
      }
      rendered.add(Files.writeString(home.resolve(name + ".yaml"), yaml));
    }
    assertThat(applied(rendered).stream().filter(line -> line.startsWith("autoscalingrunnerset")))
        .hasSize(rendered.size())
        .hasSizeGreaterThanOrEqualTo(25)
        .allMatch(line -> line.endsWith("created"));
    assertThat(applied(rendered)).allMatch(line -> line.endsWith("unchanged"));
    assertThat(refused)
        .as("inputs that lack, or have twice, what only a person knows")
        .containsExactlyInAnyOrder(
            "claim-at-the-wrong-level", "dind-by-hand", "flux-few-values", "secret-in-parts");
  }

  /** The schema of a set takes any template; a pod does not. */
  @Test
  void theirTemplatesMakePods() throws IOException {
    int pods = 0;
    for (var file : outputs(false)) {
      for (var set : Helm.objects(Files.readString(file))) {
        Map<String, Object> template = set.get("spec", "template");
        var pod = Serialization.clone(template);
        pod.put("apiVersion", "v1");
        pod.put("kind", "Pod");
        if (pod.get("metadata") instanceof Map<?, ?> metadata) {
          var named = new java.util.LinkedHashMap<String, Object>();
          metadata.forEach((key, value) -> named.put(key.toString(), value));
          named.put("name", "runner");
          pod.put("metadata", named);
        } else {
          pod.put("metadata", Map.of("name", "runner"));
        }
        dryRun(Serialization.asJson(pod), file);
        pods++;
      }
    }
    assertThat(pods).isGreaterThanOrEqualTo(14);
  }

  private static void dryRun(String pod, Path file) {
    var path = "/api/v1/namespaces/default/pods?dryRun=All&fieldValidation=Strict";
    try {
      cluster.adminClient().raw(path, "POST", pod);
    } catch (KubernetesClientException e) {
      // what the cluster of the user has, and this one has not
      assertThat(e.getMessage())
          .as(file.toString())
          .containsAnyOf(
              "error looking up service account",
              "no PriorityClass with name ci-low",
              "pod rejected: RuntimeClass \"nvidia\" not found");
    }
  }

  private static List<Path> outputs(boolean values) throws IOException {
    try (Stream<Path> files = Files.walk(EXAMPLES)) {
      var chosen = new ArrayList<Path>();
      for (var file : files.filter(f -> f.toString().endsWith(".out.yaml")).sorted().toList()) {
        boolean resource = Files.readString(file).contains("\nkind: AutoScalingRunnerSet\n");
        if (resource != values) {
          chosen.add(file);
        }
      }
      return chosen;
    }
  }

  private static void makeNamespace(GenericKubernetesResource object) {
    var name = object.getMetadata().getNamespace();
    if (name != null) {
      cluster
          .adminClient()
          .resource(new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build())
          .createOr(existing -> existing.update());
    }
  }

  /** What kubectl says of each object. */
  private static List<String> applied(List<Path> files) {
    var words = new ArrayList<>(List.of("apply", "--validate=strict"));
    files.forEach(file -> words.addAll(List.of("-f", file.toString())));
    var said = new Shell(cluster, home).kubectl(words.toArray(String[]::new)).done();
    return said.text().lines().toList();
  }
}
