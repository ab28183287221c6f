package dev.runnerset.deployment;

import dev.runnerset.crds.Crds;
import dev.runnerset.e2e.RepositoryFiles;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The manifests for those without helm, and the policy that the controller compares, are what the
 * chart makes of its default values. With {@code -Drunnerset.write=true} this test writes them.
 */
final class PlainManifestsIT {
  private static final Set<String> IDENTITIES =
      Set.of(
          "Namespace",
          "ServiceAccount",
          "ClusterRole",
          "ClusterRoleBinding",
          "Role",
          "RoleBinding",
          "ValidatingAdmissionPolicy",
          "ValidatingAdmissionPolicyBinding");

  @TempDir private static Path home;

  @Test
  void bothProgramsWithTheirKinds() {
    is("deploy/runnerset.yaml", Crds.yaml() + rendered("runnerset-system"));
  }

  @Test
  void whatProgramsOutsideOfPodsNeed() {
    is("deploy/identities.yaml", identities(rendered("runnerset-system")));
    is(
        "demo/src/main/resources/single-namespace.yaml",
        identities(rendered("runnerset-system", "--set=flags.watchSingleNamespace=demo")));
  }

  @Test
  void whatTheControllerNeedsInANamespaceOfSets() {
    var there = "  namespace: name-of-set-namespace\n";
    var rendered = rendered("runnerset-system", "--set=rbac.setNamespaces={name-of-set-namespace}");
    is(
        "deploy/set-namespace.yaml",
        only(rendered, document -> document.contains(there)).replace(there, ""));
  }

  @Test
  void thePolicyThatTheControllerCompares() {
    var rendered =
        rendered(
            "name-of-controller-namespace",
            "--set=serviceAccount.name=name-of-controller-account",
            "--set=flags.watchSingleNamespace=name-of-watched-namespace");
    is(
        "controller/src/main/resources/admission-policy.yaml",
        only(rendered, document -> kind(document).startsWith("ValidatingAdmissionPolicy"))
            + only(
                rendered("name-of-controller-namespace"),
                document -> kind(document).equals("ValidatingAdmissionPolicyBinding")));
  }

  private static void is(String file, String text) {
    Written.is(RepositoryFiles.ROOT.resolve(file), text);
  }

  private static String identities(String yaml) {
    return only(yaml, document -> IDENTITIES.contains(kind(document)));
  }

  private static String only(String yaml, Predicate<String> wanted) {
    return Stream.of(yaml.split("(?m)^---\n"))
        .filter(document -> !document.isBlank() && wanted.test(document))
        .map(document -> "---\n" + document)
        .collect(Collectors.joining());
  }

  private static String kind(String document) {
    return document
        .lines()
        .filter(line -> line.startsWith("kind: "))
        .findFirst()
        .orElse("")
        .substring("kind: ".length());
  }

  /** Without what says that helm manages the objects, and with the namespace that it makes. */
  private static String rendered(String namespace, String... values) {
    var arguments =
        Stream.concat(
            Stream.of(
                "template",
                "runnerset",
                RepositoryFiles.chart("runnerset").toString(),
                "--namespace=" + namespace,
                "--skip-tests",
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
