package dev.runnerset.controller.autoscalingrunnerset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.autoscalingrunnerset.status.ConditionInput;
import dev.runnerset.controller.config.AgeCollectionSettings;
import dev.runnerset.controller.config.FeatureGates;
import dev.runnerset.controller.features.idleage.AgeCollection;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a set says of age collection (AC1). */
class AgeFactsTest {
  private final AgeCollection rules =
      new AgeCollection(
          FeatureGates.parse("RunnerMaximumGCAge=true"),
          new AgeCollectionSettings(
              Duration.ofHours(1), Duration.ofMinutes(2), Duration.ofMinutes(5)));

  @Test
  void anAgeThatCannotBeFollowedIsReported() {
    var refused = Sets.set("linux", "garbageCollection: {maximumIdleAge: 1m}");
    assertThat(AgeFacts.of(rules, refused, null).refused())
        .extracting(finding -> finding.reason().word())
        .isEqualTo("MaximumIdleAgeInvalid");
    assertThat(AgeFacts.of(rules, Sets.set("linux"), null))
        .isEqualTo(ConditionInput.AgeCollection.NONE);
  }
}
