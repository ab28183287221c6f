package dev.runnerset.controller.autoscalingrunnerset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.scaling.DesiredRunners;
import dev.runnerset.crds.AutoScalingListenerSpec;
import dev.runnerset.crds.EphemeralRunnerSetSpec;
import dev.runnerset.crds.ScheduleStatus;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a schedule and a mode change of a set, its children and its status, and what they leave. */
class ScheduledSetIT {
  // the clock of the world begins on a Saturday at noon UTC, and each pass takes 2 s
  private static final String SCHEDULE =
      "schedule: [{name: noon, timeZone: Europe/Berlin, start: '30 13 * * *', duration: 2h,"
          + " minRunners: 5, maxRunners: 20}]";

  private static final Instant OPENS = Instant.parse("2026-11-21T12:30:00Z");
  private static final Instant CLOSES = Instant.parse("2026-11-21T14:30:00Z");

  private final RunnerSetWorld world = new RunnerSetWorld();

  @AfterEach
  void stop() {
    world.close();
  }

  private EphemeralRunnerSetSpec ephemeralRunnerSet() {
    return Objects.requireNonNull(world.ephemeralRunnerSet()).getSpec();
  }

  private int desired() {
    return DesiredRunners.of(Objects.requireNonNull(world.ephemeralRunnerSet()));
  }

  private AutoScalingListenerSpec listener() {
    return Objects.requireNonNull(world.listener()).getSpec();
  }

  private static AutoScalingListenerSpec withCapacity(AutoScalingListenerSpec spec, int capacity) {
    var yaml = Serialization.asYaml(spec).replaceFirst("capacity: [0-9]+", "capacity: " + capacity);
    return Serialization.unmarshal(yaml, AutoScalingListenerSpec.class);
  }

  private ScheduleStatus schedule() {
    return world.set().getStatus().schedule();
  }

  /** So that the next pass is at that time. */
  private void passAt(Instant time) {
    world.clock.advance(Duration.between(world.clock.instant(), time).minusSeconds(2));
    world.keep();
  }

  @Test
  void aWindowChangesTheLimitsAndNothingElse() {
    world.create("minRunners: 1", SCHEDULE);
    assertThat(world.keep().at()).isEqualTo(OPENS);
    var before = ephemeralRunnerSet();
    var listening = listener();
    assertThat(before.replicas()).isEqualTo(1);
    assertThat(schedule()).isEqualTo(new ScheduleStatus(List.of(), 1, 10, OPENS.toString()));

    passAt(OPENS.minusSeconds(1));
    assertThat(schedule().active()).isEmpty();
    passAt(OPENS);
    assertThat(schedule()).isEqualTo(new ScheduleStatus(List.of("noon"), 5, 20, CLOSES.toString()));
    assertThat(ephemeralRunnerSet())
        .isEqualTo(before.toBuilder().replicas(5).maxRunners(20).build());
    assertThat(listener().capacity()).isEqualTo(20);
    assertThat(withCapacity(listener(), 10)).isEqualTo(listening);
    assertThat(world.keep().at()).isEqualTo(CLOSES);

    passAt(CLOSES);
    assertThat(schedule()).isEqualTo(new ScheduleStatus(List.of(), 1, 10, "2026-11-22T12:30:00Z"));
    assertThat(ephemeralRunnerSet()).isEqualTo(before);
    assertThat(listener()).isEqualTo(listening);
    assertThat(world.set().getStatus().history()).hasSizeLessThan(2);
  }

  @Test
  void nothingIsWrittenUntilTheNextChange() {
    world.create("minRunners: 1", SCHEDULE);
    world.keep();
    world.keep();
    var set = world.set();
    var runners = world.ephemeralRunnerSet();
    passAt(OPENS.minusMillis(1));
    assertThat(world.set()).isEqualTo(set);
    assertThat(world.ephemeralRunnerSet()).isEqualTo(runners);
  }

  @Test
  void aProcessThatStartsInAWindowFollowsIt() {
    world.create("minRunners: 1", SCHEDULE);
    passAt(OPENS.plusSeconds(60));
    var set = world.set();
    assertThat(desired()).isEqualTo(5);
    world.restart();
    world.keep();
    world.keep();
    assertThat(world.set().getStatus()).isEqualTo(set.getStatus());
    assertThat(schedule().nextChange()).isEqualTo(CLOSES.toString());
  }

  @Test
  void aModeStandsAboveTheSchedule() {
    world.create("minRunners: 1", SCHEDULE);
    passAt(OPENS);
    var listening = listener();
    world.spec("{'mode': 'Paused'}");
    world.keep();
    assertThat(listener()).isEqualTo(withCapacity(listening, 0));
    assertThat(desired()).isEqualTo(5);
    world.spec("{'mode': 'Drained'}");
    world.keep();
    assertThat(desired()).isZero();
    assertThat(world.condition("CapacityLimited").getReason()).isEqualTo("Drained");
    world.spec("{'mode': 'Active'}");
    world.keep();
    assertThat(listener()).isEqualTo(listening);
    assertThat(desired()).isEqualTo(5);
  }

  @Test
  void aScheduleThatIsTakenAwayIsForgotten() {
    world.create("minRunners: 1", SCHEDULE);
    passAt(OPENS);
    world.spec("{'schedule': null}");
    world.keep();
    assertThat(schedule()).isNull();
    assertThat(desired()).isEqualTo(1);
    assertThat(listener().capacity()).isEqualTo(10);
  }

  @Test
  void aBadWindowIsReportedUntilItIsMended() {
    world.create("minRunners: 1", SCHEDULE.replace("Berlin", "Berln"));
    world.keep();
    assertThat(world.condition("ScheduleInvalid").getReason()).isEqualTo("InvalidSchedule");
    assertThat(world.condition("ScheduleInvalid").getMessage())
        .isEqualTo(
            "spec.schedule[0] 'noon': timeZone 'Europe/Berln' is unknown: write a name of the time"
                + " zone database, as Europe/Berlin or UTC; until then it never opens");
    world.spec(
        "{'schedule': [{'name': 'noon', 'timeZone': 'Europe/Berlin', 'start': '30 13 * * *',"
            + " 'duration': '2h', 'maxRunners': 0}]}");
    world.keep();
    assertThat(world.conditions("ScheduleInvalid")).isEmpty();
    passAt(OPENS);
    assertThat(world.condition("CapacityLimited").getMessage())
        .startsWith("all 0 places of maxRunners of spec.schedule[0] 'noon' are taken");
  }
}
