package dev.runnerset.controller.ephemeralrunnerset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.Runners;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSetSpec;
import dev.runnerset.crds.NameReference;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many of a plan's runners are too many at the moment of their turn (SD7). */
class RemovalRecheckTest {
  private static final RemovalPlan THREE =
      new RemovalPlan(
          List.of(Runners.idle("a").view(), Runners.idle("b").view(), Runners.idle("c").view()),
          3,
          null);

  private @Nullable EphemeralRunnerSet cached;

  private static EphemeralRunnerSet set(String uid, String revision, @Nullable Integer replicas) {
    var set = new EphemeralRunnerSet();
    set.setMetadata(
        new ObjectMetaBuilder().withNamespace("ns").withName("linux").withUid(uid).build());
    set.setSpec(
        new EphemeralRunnerSetSpec(
            replicas,
            null,
            null,
            null,
            null,
            revision,
            "",
            new NameReference("s"),
            1,
            null,
            null,
            null,
            null,
            null,
            null));
    return set;
  }

  private int now() {
    return RemovalRecheck.allowed(set("u", "r", 2), THREE, Optional.ofNullable(cached));
  }

  @ParameterizedTest(name = "SD5 planned for 2, now {0} are wanted: {1} of 3 go")
  @CsvSource({"2,3", "3,2", "4,1", "5,0", "1,3", "0,3"})
  void aTargetThatRoseSparesAsManyRunners(int replicas, int surplus) {
    cached = set("u", "r", replicas);
    assertThat(now()).isEqualTo(surplus);
  }

  @Test
  void nobodyIsTooManyOfASetThatIsGoneOrAnotherOrOfAnotherRevision() {
    cached = null;
    assertThat(now()).as("gone").isZero();
    cached = set("another", "r", 2);
    assertThat(now()).as("another of its name").isZero();
    cached = set("u", "another", 2);
    assertThat(now()).as("another revision").isZero();
    cached = set("u", "r", null);
    assertThat(now()).as("no target").isZero();
  }

  @Test
  void overdueExitsGoWhateverTheTargetIs() {
    var over = Runners.busy("r").completedIn(1).completionSeenAt(Runners.T0).view();
    var plan = new RemovalPlan(List.of(over), 1, RemovalReason.EXIT_OVERDUE, RequeueTime.NEVER);
    for (int replicas : new int[] {0, 2, 9}) {
      cached = set("u", "another", replicas);
      assertThat(RemovalRecheck.allowed(set("u", "r", 2), plan, Optional.ofNullable(cached)))
          .isOne();
    }
    cached = null;
    assertThat(RemovalRecheck.allowed(set("u", "r", 2), plan, Optional.ofNullable(cached)))
        .isZero();
  }

  @Test
  void runnersOfTheFormerScaleSetGoWhateverTheTargetIs() {
    var former = Runners.idle("r").ofAnotherScaleSet().view();
    var plan =
        new RemovalPlan(List.of(former), 1, RemovalReason.FORMER_SCALE_SET, RequeueTime.NEVER);
    for (int replicas : new int[] {0, 2, 9}) {
      cached = set("u", "another", replicas);
      assertThat(RemovalRecheck.allowed(set("u", "r", 2), plan, Optional.ofNullable(cached)))
          .isOne();
    }
  }
}
