package dev.runnerset.controller.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ManifestsTest {
  /** Whoever changes what a program may do changes this file too, and a reviewer sees it. */
  @Test
  void theManifestsAreThoseThatWereReviewed() throws IOException {
    try (var golden = ManifestsTest.class.getResourceAsStream("/manifests.yaml")) {
      assertThat(golden).isNotNull();
      assertThat(Manifests.yaml(Manifests.Names.defaults()))
          .isEqualTo(new String(golden.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  @Test
  void otherNamesStandEverywhere() {
    var yaml = Manifests.yaml(new Manifests.Names("c-ns", "c-sa", "l-ns", "l-sa"));
    assertThat(yaml).doesNotContain("runnerset-system").contains("c-ns", "c-sa", "l-ns", "l-sa");
  }

  @Test
  void aBadFlagIsExitTwo() {
    assertThat(ManifestsMain.run("--listener-namespace", "Not A Name")).isEqualTo(2);
    assertThat(ManifestsMain.run("--unknown")).isEqualTo(2);
  }
}
