package dev.runnerset.controller.ownership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.features.references.Children;
import dev.runnerset.crds.EphemeralRunner;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Runner to EphemeralRunnerSet to set, by uid (RF8). */
class OwnershipTest {
  private static final String NOW = "2026-11-21T12:00:00Z";

  private final EphemeralRunner runner = Children.runner("r", NOW);

  @Test
  void theOwnerThatCountsIsTheControllerInAnyPosition() {
    assertThat(Ownership.isOf(runner, Children.ers("uid-ers"))).isTrue();
    runner.getMetadata().setAnnotations(Map.of());
    assertThat(Ownership.isOf(runner, Children.ers("uid-ers"))).isTrue();
    runner.getMetadata().getOwnerReferences().getLast().setController(false);
    assertThat(Ownership.isOf(runner, Children.ers("uid-ers"))).isFalse();
    runner.getMetadata().setOwnerReferences(List.of());
    assertThat(Ownership.isOf(runner, Children.ers("uid-ers"))).isFalse();
  }

  @Test
  void aRunnerIsOfTheSetThatItsControllerIsNamedAfterWhateverItsLabelSays() {
    runner.getMetadata().setLabels(Map.of("runnerset.dev/set", "another"));
    assertThat(Ownership.setName(runner)).contains("linux");
    runner.getMetadata().getOwnerReferences().getLast().setKind("Deployment");
    assertThat(Ownership.setName(runner)).isEmpty();
    runner.getMetadata().setOwnerReferences(List.of());
    assertThat(Ownership.setName(runner)).isEmpty();
  }

  @Test
  void aRunnerOfAnEarlierErsOfTheSetIsTheSets() {
    assertThat(Ownership.isOf(runner, Children.ers("uid-of-the-next-ers"))).isTrue();
  }

  @Test
  void aRunnerOfAnEarlierSetOfTheNameIsNot() {
    runner.getMetadata().setAnnotations(Map.of("runnerset.dev/set-uid", "uid-of-an-earlier-set"));
    assertThat(Ownership.isOf(runner, Children.ers("uid-of-the-next-ers"))).isFalse();
    assertThat(Ownership.isOf(runner, Children.set("uid-set"), null)).isFalse();
  }

  @Test
  void aNameAloneIsNoOwnership() {
    runner.getMetadata().setAnnotations(Map.of());
    assertThat(Ownership.isOf(runner, Children.ers("uid-of-the-next-ers"))).isFalse();
    assertThat(Ownership.isOf(runner, Children.set("uid-set"), null)).isFalse();
    assertThat(Ownership.isOf(runner, Children.set("uid-set"), Children.ers("uid-ers"))).isTrue();
  }

  @Test
  void theAnnotationAloneIsNoOwnership() {
    runner.getMetadata().getOwnerReferences().getLast().setKind("Deployment");
    assertThat(Ownership.isOf(runner, Children.ers("uid-next"))).isFalse();
    assertThat(Ownership.isOf(runner, Children.set("uid-set"), null)).isFalse();
    runner.getMetadata().getOwnerReferences().getLast().setKind("EphemeralRunnerSet");
    runner.getMetadata().getOwnerReferences().getLast().setName("another-set");
    assertThat(Ownership.isOf(runner, Children.ers("uid-next"))).isFalse();
  }

  @Test
  void anErsWithoutASetKnowsOnlyItsOwnRunners() {
    var ers = Children.ers("uid-next");
    ers.getMetadata().setOwnerReferences(List.of());
    assertThat(Ownership.setUid(ers)).isEmpty();
    assertThat(Ownership.isOf(runner, ers)).isFalse();
    ers.getMetadata().setUid("uid-ers");
    assertThat(Ownership.isOf(runner, ers)).isTrue();
  }
}
