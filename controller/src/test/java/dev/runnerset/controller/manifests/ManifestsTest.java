package dev.runnerset.controller.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ManifestsTest {
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
  void aBadFlagIsExitTwo() {
    assertThat(ManifestsMain.run("--listener-namespace", "Not A Name")).isEqualTo(2);
    assertThat(ManifestsMain.run("--image-registry", "no registry")).isEqualTo(2);
    assertThat(ManifestsMain.run("--unknown")).isEqualTo(2);
  }
}
