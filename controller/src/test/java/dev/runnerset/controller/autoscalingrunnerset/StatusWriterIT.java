package dev.runnerset.controller.autoscalingrunnerset;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.autoscalingrunnerset.status.Registration;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.AutoScalingRunnerSetStatusBuilder;
import dev.runnerset.crds.JobCounts;
import dev.runnerset.crds.ScaleSetProvenance.Origin;
import dev.runnerset.crds.ScheduleStatus;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The status of a runner set: only differences are written, and at most once a second. */
class StatusWriterIT {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final Registration.Registered REGISTERED =
      new Registration.Registered(new ScaleSetId(7), RunnerGroupId.DEFAULT, Origin.CREATED);

  private final StoredSet world = new StoredSet();
  private final StatusWriter writer = new StatusWriter(world.kube, world, new Memories());

  @AfterEach
  void stop() {
    world.close();
  }

  private AutoScalingRunnerSet stored() {
    return Objects.requireNonNull(
        world.kube.get(AutoScalingRunnerSet.class, Resource.of(world.set)));
  }

  private static AutoScalingRunnerSetStatusBuilder status(AutoScalingRunnerSet set) {
    return AutoScalingRunnerSetStatusBuilder.builder(set.statusOrNone());
  }

  private RequeueTime write(AutoScalingRunnerSet set, String revision, Instant now) {
    return writer.write(set, status(set).revision(revision).build(), now, () -> {});
  }

  @Test
  void theSecondWriteWithinASecondWaitsForItsTurn() {
    assertThat(write(world.set, "a", NOW).toOptional()).isEmpty();
    assertThat(write(stored(), "b", NOW.plusMillis(400)).toOptional()).contains(NOW.plusSeconds(1));
    assertThat(stored().statusOrNone().revision()).isEqualTo("a");
    assertThat(write(stored(), "b", NOW.plusSeconds(1)).toOptional()).isEmpty();
    assertThat(stored().statusOrNone().revision()).isEqualTo("b");
    assertThat(world.changed).hasSize(2);
  }

  @Test
  void countsAreWrittenWhenTheyHaveStoodStillOrAfterFiveSeconds() {
    assertThat(write(world.set, "a", NOW).toOptional()).isEmpty();
    for (int second = 1; second < 6; second++) {
      var now = NOW.plusSeconds(second);
      assertThat(count(second, now).toOptional()).contains(now.plusSeconds(1));
    }
    assertThat(stored().statusOrNone().jobs()).isNull();
    assertThat(count(6, NOW.plusSeconds(6)).toOptional()).isEmpty();
    assertThat(count(7, NOW.plusSeconds(7)).toOptional()).contains(NOW.plusSeconds(8));
    assertThat(write(stored(), "b", NOW.plusSeconds(7)).toOptional())
        .as("other fields wait as long as ever")
        .contains(NOW.plusSeconds(8));
    assertThat(count(7, NOW.plusSeconds(8)).toOptional()).isEmpty();
    assertThat(stored().statusOrNone().jobs()).isEqualTo(JobCounts.of(7, 0, 0));
    assertThat(world.changed).hasSize(3);
  }

  /** That all places are taken may come and go with each job (WR7). */
  @Test
  void theMessageOfASetThatIsReadyWaitsAsCountsDo() {
    assertThat(say("True", "", NOW).toOptional()).isEmpty();
    var now = NOW.plusSeconds(5);
    assertThat(say("True", "taken", now).toOptional()).contains(now.plusSeconds(1));
    assertThat(say("True", "", now.plusMillis(500)).toOptional()).as("it is back").isEmpty();
    assertThat(world.changed).hasSize(1);
    assertThat(say("False", "why", now.plusSeconds(1)).toOptional()).isEmpty();
    assertThat(say("False", "another", now.plusSeconds(2)).toOptional()).isEmpty();
    assertThat(say("True", "", now.plusSeconds(3)).toOptional()).isEmpty();
    assertThat(say("True", "taken", now.plusSeconds(4)).isNever()).isFalse();
    assertThat(world.changed).hasSize(4);
    assertThat(say("True", "taken", now.plusSeconds(5)).isNever()).isTrue();
    assertThat(world.changed).hasSize(5);
  }

  private RequeueTime say(String value, String message, Instant now) {
    var condition =
        new ConditionBuilder()
            .withType("Ready")
            .withStatus(value)
            .withReason("R")
            .withMessage(message)
            .withLastTransitionTime(NOW.toString())
            .build();
    var wanted = status(stored()).conditions(List.of(condition)).build();
    return writer.write(stored(), wanted, now, () -> {});
  }

  @Test
  void countsWaitLongerWhileTheApiServerIsSlow() {
    world.patchTakes = Duration.ofMinutes(1);
    for (int i = 0; i < 40; i++) { // each counts for little
      var nothing = JsonNodeFactory.instance.objectNode();
      var _ = world.kube.mergeStatus(AutoScalingRunnerSet.class, Resource.of(world.set), nothing);
    }
    assertThat(write(world.set, "a", NOW).toOptional()).isEmpty();
    assertThat(count(1, NOW.plusMillis(500)).toOptional())
        .as("not compared yet")
        .contains(NOW.plusSeconds(1));
    assertThat(count(1, NOW.plusSeconds(1)).toOptional()).contains(NOW.plusSeconds(5));
    assertThat(write(stored(), "b", NOW.plusSeconds(2)).toOptional())
        .as("other fields wait as long as ever")
        .isEmpty();
    for (int second = 3; second < 11; second++) {
      var now = NOW.plusSeconds(second);
      assertThat(count(second, now).toOptional())
          .contains(RequeueTime.earlier(now.plusSeconds(4), NOW.plusSeconds(11)));
    }
    assertThat(world.changed).hasSize(2);
    assertThat(count(11, NOW.plusSeconds(11)).isNever()).isTrue();
    assertThat(count(12, NOW.plusSeconds(13)).isNever()).isFalse();
    assertThat(count(13, NOW.minusSeconds(3600)).isNever()).as("the clock stepped back").isTrue();
  }

  private RequeueTime count(int jobs, Instant now) {
    var wanted = status(stored()).jobs(JobCounts.of(jobs, 0, 0)).build();
    return writer.write(stored(), wanted, now, () -> {});
  }

  /** It changes a few times a day (WR7). */
  @Test
  void whichLimitsAScheduleSetsIsWrittenAtOnce() {
    assertThat(write(world.set, "a", NOW).toOptional()).isEmpty();
    var open = new ScheduleStatus(List.of("office"), 4, 20, "2026-11-21T18:00:00Z");
    var opened = status(stored()).schedule(open).build();
    assertThat(writer.write(stored(), opened, NOW.plusMillis(400), () -> {}).toOptional())
        .isEmpty();
    assertThat(stored().statusOrNone().schedule()).isEqualTo(open);
  }

  @Test
  void whatDoesNotDifferIsNotWrittenAndNeedsNoTurn() {
    assertThat(write(world.set, "a", NOW).toOptional()).isEmpty();
    assertThat(write(stored(), "a", NOW).toOptional()).isEmpty();
    assertThat(world.changed).hasSize(1);
  }

  /** Before the service is asked, nothing waits; nor does the write of its answer wait then. */
  @Test
  void theWriteBeforeTheServiceIsAskedNeitherWaitsNorMakesWait() {
    assertThat(write(world.set, "a", NOW).toOptional()).isEmpty();
    var changed = writer.atOnce(stored(), status(stored()).revision("b").build());
    assertThat(changed.statusOrNone().revision()).isEqualTo("b");
    assertThat(write(changed, "c", NOW.plusSeconds(1)).toOptional()).isEmpty();
    assertThat(stored().statusOrNone().revision()).isEqualTo("c");
  }

  @Test
  void theScaleSetIsWrittenAtOnceAndOnce() {
    assertThat(write(world.set, "a", NOW).toOptional()).isEmpty();
    var registered = writer.registered(stored(), REGISTERED);
    assertThat(registered.statusOrNone().scaleSetId()).isEqualTo(7);
    assertThat(registered.statusOrNone().revision()).isEqualTo("a");
    assertThat(writer.registered(registered, REGISTERED)).isSameAs(registered);
    assertThat(world.changed).hasSize(2);
  }

  /** A status without a registration leaves the ids that are written. */
  @Test
  void anUnknownScaleSetDoesNotEraseTheKnownOne() {
    var registered = writer.registered(world.set, REGISTERED);
    assertThat(write(registered, "a", NOW).toOptional()).isEmpty();
    assertThat(stored().statusOrNone().scaleSetId()).isEqualTo(7);
  }
}
