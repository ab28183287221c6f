package dev.runnerset.controller.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.manifests.Manifests.Reach;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResource;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ManifestsTest {
  private static final Manifests.Names NAMES = Manifests.Names.defaults();

  private static final Manifests.Names OTHERS =
      new Manifests.Names("c-ns", "c-sa", "l-ns", "l-sa", "registry.example/team");

  @Test
  void otherNamesStandEverywhere() {
    var yaml = Manifests.yaml(OTHERS);
    assertThat(yaml)
        .doesNotContain("runnerset-system", "name-of-")
        .contains(
            "name: c-ns",
            "namespace: c-ns",
            "serviceAccountName: c-sa",
            "--listener-namespace=l-ns",
            "--listener-service-account=l-sa",
            "image: registry.example/team/runnerset/controller:");
  }

  @Test
  void withoutARegistryTheImagesHaveNone() {
    assertThat(Manifests.yaml(Manifests.Names.defaults()))
        .contains("image: runnerset/controller:", "image: runnerset/listener:")
        .doesNotContain("name-of-");
  }

  @Test
  void identitiesAreWhatAProgramOutsideOfPodsNeeds() {
    assertThat(Manifests.identities(OTHERS))
        .startsWith("---\n")
        .contains("kind: Namespace", "kind: ServiceAccount", "kind: Role\n", "kind: RoleBinding")
        .contains("kind: ClusterRole\n", "kind: ClusterRoleBinding")
        .doesNotContain("kind: Deployment", "kind: PodDisruptionBudget");
  }

  @Test
  void noClusterRoleThatIsBoundEverywhereHasSecretsOrMakesPods() {
    var objects = objects(Manifests.identities(NAMES));
    var bound =
        of(objects, ClusterRoleBinding.class)
            .map(binding -> binding.getRoleRef().getName())
            .toList();
    assertThat(bound).containsExactly("runnerset-controller");
    var rules =
        of(objects, ClusterRole.class)
            .filter(role -> bound.contains(role.getMetadata().getName()))
            .flatMap(role -> role.getRules().stream())
            .toList();
    assertThat(rules)
        .flatExtracting(PolicyRule::getResources)
        .doesNotContain("secrets", "pods/log");
    assertThat(rules)
        .filteredOn(rule -> rule.getResources().contains("pods"))
        .flatExtracting(PolicyRule::getVerbs)
        .containsExactly("list", "watch");
  }

  @Test
  void theProgramWatchesTheNamespacesThatItHasRolesIn() {
    assertThat(Manifests.yaml(NAMES, new Reach.Only(Set.of("a", "b"))))
        .contains("- \"--namespace=a,b\"\n");
    assertThat(Manifests.yaml(NAMES)).contains("- \"--namespace=runnerset-listener\"\n");
    assertThat(Manifests.yaml(NAMES).split("- \"--namespace=")).as("of the listener").hasSize(2);
  }

  @Test
  void whatIsForOneNamespaceBindsThereOnly() {
    assertThat(objects(Manifests.ofSetNamespaces(NAMES, List.of("b", "a"))))
        .allSatisfy(object -> assertThat(object).isInstanceOf(RoleBinding.class))
        .extracting(object -> object.getMetadata().getNamespace())
        .containsExactly("a", "b");
  }

  @Test
  void inNamespacesOfItsOwnThereIsNoClusterRole() {
    var objects = objects(Manifests.identities(NAMES, new Reach.Only(Set.of("a", "b"))));
    assertThat(objects).noneMatch(object -> object.getKind().startsWith("Cluster"));
    assertThat(of(objects, Role.class).map(role -> role.getMetadata().getNamespace()))
        .contains("a", "b");
  }

  /** However it is granted, it is the same: no mode has a verb more than another. */
  @Test
  void theControllerMayTheSameInANamespaceOfSetsWhateverTheMode() {
    Function<List<HasMetadata>, Set<String>> ofRoles =
        objects ->
            Set.copyOf(
                Stream.concat(
                        of(objects, ClusterRole.class)
                            .filter(role -> !isForPeople(role))
                            .flatMap(role -> role.getRules().stream()),
                        of(objects, Role.class)
                            .filter(role -> role.getMetadata().getNamespace().equals("a"))
                            .flatMap(role -> role.getRules().stream()))
                    .flatMap(ManifestsTest::words)
                    .filter(word -> !word.contains("admissionpolic")) // in no namespace
                    .toList());
    var everywhere = ofRoles.apply(objects(Manifests.identities(NAMES, new Reach.AllNamespaces())));
    assertThat(everywhere).hasSizeGreaterThan(30);
    assertThat(ofRoles.apply(objects(Manifests.identities(NAMES)))).isEqualTo(everywhere);
    var inOne = ofRoles.apply(objects(Manifests.identities(NAMES, new Reach.Only(Set.of("a")))));
    assertThat(everywhere).containsAll(inOne);
    // nodes are in no namespace, and the lease of another controller is in its own
    var elsewhere = everywhere.stream().filter(pair -> !inOne.contains(pair));
    assertThat(elsewhere).containsExactlyInAnyOrder("list nodes", "watch nodes", "get leases");
  }

  @Test
  void aBadFlagIsExitTwo() {
    assertThat(ManifestsMain.run("--listener-namespace", "Not A Name")).isEqualTo(2);
    assertThat(ManifestsMain.run("--image-registry", "no registry")).isEqualTo(2);
    assertThat(ManifestsMain.run("--set-namespace", "Not A Name")).isEqualTo(2);
    assertThat(ManifestsMain.run("--namespace", "a", "--all-namespaces")).isEqualTo(2);
    assertThat(ManifestsMain.run("--unknown")).isEqualTo(2);
  }

  private static boolean isForPeople(ClusterRole role) {
    return role.getMetadata().getLabels().keySet().stream()
        .anyMatch(label -> label.startsWith("rbac.authorization.k8s.io/aggregate-to-"));
  }

  private static Stream<String> words(PolicyRule rule) {
    return rule.getResources().stream()
        .flatMap(resource -> rule.getVerbs().stream().map(verb -> verb + " " + resource));
  }

  private static <T> Stream<T> of(List<HasMetadata> objects, Class<T> kind) {
    return objects.stream().filter(kind::isInstance).map(kind::cast);
  }

  private static List<HasMetadata> objects(String yaml) {
    return Arrays.stream(yaml.split("(?m)^---$"))
        .filter(document -> !document.isBlank())
        .map(document -> (HasMetadata) Serialization.unmarshal(document, KubernetesResource.class))
        .toList();
  }
}
