package dev.runnerset.deployment.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.Crds;
import dev.runnerset.e2e.Shell;
import dev.runnerset.testcluster.HelmProgram;
import dev.runnerset.testcluster.TestCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the pages tell users to type and to apply, on a real control plane: without nodes, so what
 * waits for a pod is left out ({@link CommandUse}). The cluster is of this class alone, since the
 * pages install the kinds and delete them.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class RealPagesIT {
  /** What the page "stuck?" finds: an installation, and a set that nobody looks after. */
  private static final List<String> BEFORE_STUCK =
      List.of(
          "helm install runnerset charts/runnerset -n runnerset-system --create-namespace",
          "kubectl create namespace ci --dry-run=client -o yaml | kubectl apply -f -",
          "helm install linux charts/runnerset-set -n ci --set githubConfigSecret=github"
              + " --set githubConfigUrl=https://github.com/my-org",
          "kubectl patch autoscalingrunnersets.runnerset.dev linux -n ci --type=merge"
              + " -p '{\"metadata\":{\"finalizers\":[\"runnerset.dev/set\"]}}'",
          "echo '{apiVersion: runnerset.dev/v1alpha1, kind: EphemeralRunner,"
              + " metadata: {name: linux-4f8qcqrrp9, namespace: ci},"
              + " spec: {githubConfigUrl: \"https://github.com/my-org\","
              + " githubConfigSecret: {name: github}, runnerScaleSetId: 1}}'"
              + " | kubectl apply -f -");

  private static final List<String> UNINSTALL =
      List.of(
          "helm uninstall linux -n ci --wait --timeout 30s",
          "helm uninstall runnerset -n runnerset-system",
          "kubectl delete namespace ci");

  /** Helm leaves the listener's namespace; each page begins without it, as on a new cluster. */
  private static final String WITHOUT_IT =
      "kubectl delete namespace runnerset-listener --ignore-not-found --timeout=60s";

  @TempDir private static Path home;

  private static TestCluster cluster;
  private static UserShell shell;

  @BeforeAll
  static void start() throws IOException {
    TestCluster.unavailableReason().ifPresent(Assumptions::abort);
    HelmProgram.unavailableReason().ifPresent(Assumptions::abort);
    cluster = TestCluster.start(TestCluster.Options.defaults());
    shell = new UserShell(Files.createDirectory(home.resolve("checkout")), cluster);
  }

  @AfterAll
  static void stop() throws IOException {
    if (shell != null) {
      shell.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  @Order(1)
  void everyOptionOfEveryCommandIsThere() throws IOException {
    var asked = new LinkedHashSet<String>();
    for (var command : Pages.commands()) {
      SimpleCommands.of(command.text()).stream()
          .filter(simple -> CommandUse.HERE.contains(SimpleCommands.program(simple)))
          .forEach(asked::add);
    }
    var wrong = new ArrayList<String>();
    for (var simple : asked) {
      var help = shell.run(simple + " --help >/dev/null");
      if (help.exit() != 0) {
        wrong.add(simple + "\n" + help.text());
      }
    }
    assertThat(asked).hasSizeGreaterThan(20);
    assertThat(wrong).as("commands with an option that their program does not know").isEmpty();
  }

  @Test
  @Order(2)
  @Tag("nightly")
  void theTwoMinutesWork() throws IOException {
    walk("docs/start/two-minutes.md");
    UNINSTALL.forEach(RealPagesIT::run); // the page links to these commands
  }

  @Test
  @Order(3)
  @Tag("nightly")
  void whoIsStuckCanTypeWhatThePageSays() throws IOException {
    run(WITHOUT_IT);
    BEFORE_STUCK.forEach(RealPagesIT::run);
    walk("docs/operate/stuck.md");
    UNINSTALL.forEach(RealPagesIT::run);
  }

  @Test
  @Order(4)
  @Tag("nightly")
  void installationUpgradeAndTheWayBackWork() throws IOException {
    run(WITHOUT_IT);
    walk("docs/start/install.md");
  }

  @Test
  @Order(5)
  void theServerTakesEachObjectThatAPageShows() throws IOException {
    for (var document : Crds.documents()) {
      apply("crd", document, "--force-conflicts");
    }
    run("kubectl wait --for=condition=Established crd --all --timeout=30s");
    run("kubectl create namespace shown");
    var wrong = new ArrayList<String>();
    int applied = 0;
    for (var fence : Pages.yaml()) {
      for (var document : fence.text().split("(?m)^---.*$")) {
        if (document.lines().allMatch(line -> line.isBlank() || line.startsWith("#"))) {
          continue;
        }
        switch (YamlUse.of(document)) {
          case YamlUse.Applied(GenericKubernetesResource object) -> {
            applied++;
            refusal(object).ifPresent(said -> wrong.add(fence.place() + ": " + said));
          }
          case YamlUse.Values(String chart, List<String> least) ->
              refusal(chart, least, document)
                  .ifPresent(said -> wrong.add(fence.place() + ": " + said));
          case YamlUse.NotHere _ -> {}
          case YamlUse.Unknown _ -> wrong.add(fence.place() + ": nothing knows what this is for");
        }
      }
    }
    assertThat(wrong).as("YAML that is refused").isEmpty();
    assertThat(applied).isGreaterThan(5);
  }

  private static void walk(String page) throws IOException {
    int ran = 0;
    for (var command : Pages.commands()) {
      if (command.place().startsWith(page + ":") && CommandUse.reasonNotToRun(command).isEmpty()) {
        var result = shell.run(command.text());
        assertThat(result.exit())
            .as("%s: %s%n%s", command.place(), command.text(), result.text())
            .isZero();
        ran++;
      }
    }
    assertThat(ran).as("commands of " + page).isGreaterThan(4);
  }

  private static void run(String command) {
    var result = shell.run(command);
    assertThat(result.exit()).as("%s%n%s", command, result.text()).isZero();
  }

  /** Why the server refuses an object, or the pod that a set of runners would make. */
  private static Optional<String> refusal(GenericKubernetesResource object) throws IOException {
    var namespace = object.getMetadata().getNamespace();
    if (namespace != null) {
      run(
          "kubectl create namespace "
              + namespace
              + " --dry-run=client -o yaml | kubectl apply -f -");
    }
    var said = apply("object", Serialization.asYaml(object), "--dry-run=server");
    return said.exit() == 0
        ? pod(object).flatMap(RealPagesIT::refusalOf)
        : Optional.of(said.text());
  }

  private static Optional<String> refusalOf(String pod) {
    try {
      var said = apply("pod", pod, "--dry-run=server");
      return said.exit() == 0 ? Optional.empty() : Optional.of("its pod: " + said.text());
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** The pod of a set's template: the API server does not look into it when it takes the set. */
  private static Optional<String> pod(GenericKubernetesResource object) {
    if (!"AutoScalingRunnerSet".equals(object.getKind())
        || !(object.getAdditionalProperties().get("spec") instanceof Map<?, ?> spec)
        || !(spec.get("template") instanceof Map<?, ?> template)) {
      return Optional.empty();
    }
    var pod = new GenericKubernetesResource();
    pod.setApiVersion("v1");
    pod.setKind("Pod");
    pod.setMetadata(new io.fabric8.kubernetes.api.model.ObjectMetaBuilder().withName("p").build());
    pod.setAdditionalProperty("spec", template.get("spec"));
    return Optional.of(Serialization.asYaml(pod));
  }

  private static Optional<String> refusal(String chart, List<String> least, String values)
      throws IOException {
    Files.writeString(home.resolve("values.yaml"), values);
    var said =
        shell.run(
            "helm template linux charts/%s %s -f %s >/dev/null"
                .formatted(chart, String.join(" ", least), home.resolve("values.yaml")));
    return said.exit() == 0 ? Optional.empty() : Optional.of(said.text());
  }

  private static Shell.Result apply(String name, String yaml, String option) throws IOException {
    var file = Files.writeString(home.resolve(name + ".yaml"), yaml);
    return shell.run(
        "kubectl apply --server-side --validate=strict -n shown " + option + " -f " + file);
  }
}
