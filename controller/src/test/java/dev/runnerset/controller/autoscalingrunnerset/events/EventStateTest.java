package dev.runnerset.controller.autoscalingrunnerset.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.autoscalingrunnerset.Sets;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.AutoScalingRunnerSetStatus;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The Normal events of a set over its life. */
final class EventStateTest {
  private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

  private @Nullable EventState state;
  private RequeueTime requeueAt = RequeueTime.NEVER;

  private static AutoScalingRunnerSet set(String status) {
    var set = Sets.set("linux", "minRunners: 1", "maxRunners: 9");
    set.setStatus(
        Serialization.unmarshal("---\n{" + status + "}", AutoScalingRunnerSetStatus.class));
    return set;
  }

  private static AutoScalingRunnerSet wants(int desired, int assigned) {
    return set(
        "runners: {desired: %d, live: 0, pending: 0, idle: 0, busy: 0, finished: 0},"
                .formatted(desired)
            + " jobs: {assigned: %d, running: 0}".formatted(assigned));
  }

  private List<String> look(long second, AutoScalingRunnerSet set) {
    var next = EventState.next(state, set, START.plusSeconds(second));
    state = next.state();
    requeueAt = next.requeueAt();
    return next.due().stream()
        .map(event ->
            event.isWarning()
                ? "Warning " + event.reason().word()
                : event.reason().word() + " " + event.message())
        .toList();
  }

  @Test
  void aScaleUpIsReportedOnceTheNumberStands() {
    look(0, set(""));
    assertThat(look(10, wants(3, 2))).isEmpty();
    assertThat(look(11, wants(5, 4))).isEmpty();
    assertThat(requeueAt).isEqualTo(RequeueTime.at(START.plusSeconds(14)));
    assertThat(look(14, wants(5, 4)))
        .containsExactly(
            "ScaledUp from 0 to 5 runners: 4 jobs are assigned, spec.minRunners is 1,"
                + " spec.maxRunners is 9");
    assertThat(look(60, wants(5, 4))).isEmpty();
  }

  @Test
  void aScaleUpNamesTheOpenWindows() {
    look(0, set(""));
    var open = wants(5, 0);
    var status = "schedule: {active: [office, all], minRunners: 5, maxRunners: 20}, ";
    open.setStatus(
        set(status + "runners: {desired: 5, live: 0, pending: 0, idle: 0, busy: 0, finished: 0}")
            .getStatus());
    open.setSpec(
        Sets.set(
                "linux",
                "minRunners: 1",
                "schedule: [{name: office, timeZone: UTC, start: 0 7 * * *, duration: 1h}]")
            .getSpec());
    look(10, open);
    assertThat(look(13, open))
        .containsExactly(
            "ScaledUp from 0 to 5 runners: 0 jobs are assigned, minRunners is 5, maxRunners is 20 by"
                + " spec.schedule (office, all)");
  }

  @Test
  void eachDirectionIsReportedAtMostEveryThirtySeconds() {
    look(0, wants(1, 0));
    look(10, wants(5, 4));
    assertThat(look(13, wants(5, 4))).hasSize(1);
    look(15, wants(1, 0));
    assertThat(look(18, wants(1, 0)))
        .containsExactly(
            "ScaledDown from 5 to 1 runners: 0 jobs are assigned, spec.minRunners is 1,"
                + " spec.maxRunners is 9");
    look(20, wants(4, 3));
    assertThat(look(23, wants(4, 3))).isEmpty();
    assertThat(requeueAt).isEqualTo(RequeueTime.at(START.plusSeconds(43)));
    assertThat(look(43, wants(4, 3))).hasSize(1);
  }

  @Test
  void aNumberThatNeverStandsIsReportedAfterThirtySeconds() {
    look(0, wants(1, 0));
    int state = 0;
    for (int second = 1; second <= 61; second++) {
      state += look(second, wants(2 + second % 2, 1)).size();
    }
    assertThat(state).isBetween(1, 3);
  }

  @Test
  void aShortChangeThatIsTakenBackIsNotReported() {
    look(0, wants(1, 0));
    assertThat(look(10, wants(2, 1))).isEmpty();
    assertThat(look(12, wants(1, 0))).isEmpty();
    assertThat(look(60, wants(1, 0))).isEmpty();
    assertThat(requeueAt).isEqualTo(RequeueTime.NEVER);
  }

  private static AutoScalingRunnerSet conditions(String... typeReasonMessage) {
    return set(
        "conditions: [{type: %s, status: 'True', reason: %s, message: '%s'}]"
            .formatted((Object[]) typeReasonMessage));
  }

  @Test
  void aNewSetIsReportedWhenItIsRegisteredConnectedAndReady() {
    look(0, set(""));
    assertThat(look(1, conditions("Registered", "Registered", "scale set 7")))
        .containsExactly("Registered Registered is True: scale set 7");
    assertThat(look(2, conditions("ListenerReady", "Connected", "")))
        .containsExactly("Connected ListenerReady is True");
    assertThat(look(3, conditions("Ready", "Ready", ""))).containsExactly("Ready Ready is True");
    assertThat(look(4, conditions("Ready", "Ready", ""))).isEmpty();
    assertThat(look(5, conditions("Ready", "Ready", "all 1 places are taken"))).isEmpty();
    assertThat(look(6, conditions("Ready", "Ready", ""))).isEmpty();
  }

  private static AutoScalingRunnerSet history(String... entries) {
    return set("history: [" + String.join(", ", entries) + "]");
  }

  private static String entry(String revision, String state, int start, int end) {
    return "{state: %s, image: 'runner:%s', revision: %s, startedTime: '%s', completionTime: %s}"
        .formatted(
            state,
            revision,
            revision,
            START.plusSeconds(start),
            end == 0 ? "null" : "'" + START.plusSeconds(end) + "'");
  }

  @Test
  void aRolloutIsReportedWhenItBeginsAndWhenItEnds() {
    var first = entry("a", "Completed", 0, 10);
    look(0, set(""));
    assertThat(look(1, history(entry("a", "Partial", 0, 0))))
        .containsExactly("RolloutBegun the rollout of revision a (runner:a) began");
    assertThat(look(10, history(first)))
        .containsExactly(
            "RolloutCompleted the rollout of revision a (runner:a) completed after 10s");
    assertThat(look(20, history(entry("b", "Partial", 20, 0), first)))
        .containsExactly("RolloutBegun the rollout of revision b (runner:b) began");
    assertThat(look(30, history(entry("c", "Partial", 30, 0), entry("b", "Partial", 20, 30))))
        .containsExactly(
            "RolloutBegun the rollout of revision c (runner:c) began; the rollout of revision b (runner:b) had not"
                + " completed");
    assertThat(look(40, history(entry("c", "Partial", 30, 0)))).isEmpty();
  }

  @Test
  void aProcessThatStartsTellsNothingOfWhatWasThereBefore() {
    assertThat(
            look(
                0,
                set(
                    "conditions: [{type: Ready, status: 'True', reason: Ready}], runners: {desired: 5,"
                        + " live: 5, pending: 0, idle: 5, busy: 0, finished: 0}, history: ["
                        + entry("a", "Completed", 0, 10)
                        + "]")))
        .isEmpty();
    assertThat(requeueAt).isEqualTo(RequeueTime.NEVER);
  }

  @Test
  void aProcessThatStartsTellsOfAProblemThatStands() {
    assertThat(
            look(0, set("conditions: [{type: Registered, status: 'False', reason: Unauthorized}]")))
        .containsExactly("Warning Unauthorized");
  }
}
