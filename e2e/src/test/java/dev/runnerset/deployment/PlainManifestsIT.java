package dev.runnerset.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.manifests.Manifests;
import dev.runnerset.crds.Crds;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The manifests for those without helm are what the chart makes of its default values. With {@code
 * -Drunnerset.write=true} this test writes them; run it twice, since it reads its first file from
 * the class path.
 */
final class PlainManifestsIT {
  private static final Path RESOURCES = Repository.ROOT.resolve("controller/src/main/resources");
  private static final Path PRINTED = Repository.ROOT.resolve("deploy/runnerset.yaml");

  @TempDir private static Path home;

  /** The file for each choice of where the controller may work. */
  @ParameterizedTest
  @CsvSource({
    "deployment.yaml, rbac.setNamespaces={name-of-set-namespace}",
    "deployment-all-namespaces.yaml, rbac.allNamespaces=true",
    "deployment-namespace.yaml, flags.watchSingleNamespace=name-of-watched-namespace",
  })
  void whatTheProgramPrintsWasRenderedFromTheChart(String file, String choice) {
    Written.is(
        RESOURCES.resolve(file),
        rendered(
            "name-of-controller-namespace",
            "--set=" + choice,
            "--set=listener.namespace=name-of-listener-namespace",
            "--set=serviceAccount.name=name-of-controller-account",
            "--set=listener.serviceAccount.name=name-of-listener-account",
            "--set=image.registry=name-of-image-registry"));
  }

  @Test
  void withItsDefaultNamesItIsTheChartWithItsDefaultValues() {
    assertThat(Manifests.yaml(Manifests.Names.defaults())).isEqualTo(rendered("runnerset-system"));
  }

  @Test
  void theFileToApplyHasTheKindsAndTheDeployment() {
    Written.is(PRINTED, Crds.yaml() + Manifests.yaml(Manifests.Names.defaults()));
  }

  /** Without what says that helm manages the objects, and with the namespace that it makes. */
  private static String rendered(String namespace, String... values) {
    var arguments =
        Stream.concat(
            Stream.of(
                "template",
                "runnerset",
                Repository.chart("runnerset").toString(),
                "--namespace=" + namespace,
                "--set=crds.install=false"),
            Stream.of(values));
    var yaml = Helm.offline(home).run(arguments.toArray(String[]::new)).orFail().out();
    var namespaceOfTheRelease =
        """
        ---
        apiVersion: v1
        kind: Namespace
        metadata:
          name: %s
          labels:
            app.kubernetes.io/part-of: runnerset
        """
            .formatted(namespace);
    return namespaceOfTheRelease
        + yaml.lines()
            .filter(line -> !line.startsWith("# Source:"))
            .filter(line -> !line.contains("helm.sh/chart:"))
            .filter(line -> !line.contains("app.kubernetes.io/managed-by: Helm"))
            .filter(line -> !line.isBlank())
            .collect(Collectors.joining("\n", "", "\n"));
  }
}
