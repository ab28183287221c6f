package dev.runnerset.controller.features.places;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.autoscalingrunnerset.Sets;
import dev.runnerset.controller.features.capacity.Quota;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.controller.scaling.CapacityLimit;
import dev.runnerset.controller.scaling.RunnerPlaces;
import dev.runnerset.controller.testing.NoQuotas;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import dev.runnerset.testsupport.TestClock;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which sets are woken by the change of a quota, and what they find then (DM12, DM13). */
class CapacityFeatureTest {
  private static final int MAX = 50;

  private final TestClock clock = new TestClock(Instant.parse("2026-11-28T10:00:00Z"));
  private final Map<SetKey, AutoScalingRunnerSet> sets = new HashMap<>();
  private final List<EphemeralRunner> runners = new ArrayList<>();
  private final Map<String, Pod> pods = new HashMap<>();
  private final List<String> woken = new ArrayList<>();
  private @Nullable List<Quota> quotas = List.of();
  private final CapacityFeature feature =
      new CapacityFeature(
          new CapacityFeature.Ports(
              namespace -> Optional.ofNullable(quotas),
              new OwnRunners.Caches(
                  set -> runners.stream().filter(runner -> isOf(set, runner)),
                  runner -> Optional.ofNullable(pods.get(runner.getMetadata().getName())),
                  new Memories()),
              NoQuotas.noEvents(clock),
              key -> Optional.ofNullable(sets.get(key)),
              key -> Optional.empty(),
              new Memories(),
              key -> woken.add(key.name()),
              clock));

  private static boolean isOf(SetKey set, EphemeralRunner runner) {
    return set.name().equals(runner.getMetadata().getLabels().get(Labels.SET));
  }

  private RunnerPlaces pass(String name, String... spec) {
    var set = Sets.set(name, spec);
    sets.put(SetKey.of(set), set);
    return feature.places(set, null, MAX).orElseThrow();
  }

  private void quota(int used, int hard) {
    quotas =
        List.of(
            Quota.of(
                Serialization.unmarshal(
                    """
                    apiVersion: v1
                    kind: ResourceQuota
                    metadata: {name: few, namespace: ns}
                    status: {hard: {pods: "%d"}, used: {pods: "%d"}}
                    """
                        .formatted(hard, used),
                    ResourceQuota.class)));
    feature.changed("ns");
  }

  /** A runner of linux that was made just now. */
  private void runner(String name) {
    runners.add(
        Serialization.unmarshal(
            """
            apiVersion: runnerset.dev/v1alpha1
            kind: EphemeralRunner
            metadata: {name: %s, namespace: ns, uid: %s, creationTimestamp: "%s",
              labels: {runnerset.dev/set: linux}}
            spec: {githubConfigUrl: "https://github.com/o", runnerScaleSetId: 1, revision: r}
            """
                .formatted(name, name, clock.instant()),
            EphemeralRunner.class));
  }

  private void pod(String name) {
    pods.put(
        name,
        Serialization.unmarshal(
            "---\n{apiVersion: v1, kind: Pod, metadata: {name: a, uid: a}, spec: {containers: [{name: runner}]},"
                + " status: {phase: Running}}",
            Pod.class));
  }

  private static @Nullable Integer least(RunnerPlaces places) {
    return places.enforced();
  }

  @Test
  void aSetIsWokenWhenItsPlacesChangeAndOnlyThen() {
    assertThat(least(pass("linux"))).isNull();
    quota(0, 20);
    assertThat(woken).as("the first quota").containsExactly("linux");
    assertThat(least(pass("linux"))).isEqualTo(20);
    woken.clear();
    quota(5, 25);
    assertThat(woken).as("as many as before").isEmpty();
    quota(6, 25);
    assertThat(woken).as("somebody else took a place").containsExactly("linux");
    assertThat(least(pass("linux"))).isEqualTo(19);
    quotas = List.of();
    feature.changed("ns");
    clock.advance(Duration.ofSeconds(1));
    assertThat(least(pass("linux"))).as("without the quota").isNull();
  }

  @Test
  void whatLeavesMaxRunnersWakesNobody() {
    var _ = pass("linux");
    quota(0, 1_000);
    quota(900, 1_000);
    assertThat(woken).isEmpty();
    assertThat(pass("linux")).isEqualTo(RunnerPlaces.NONE);
  }

  @Test
  void theOwnRunnersChangeNothingAndAnIdleSetIsDueNever() {
    quota(0, 20);
    assertThat(least(pass("linux"))).isEqualTo(20);
    for (int i = 1; i <= 20; i++) {
      var name = "linux-" + i;
      runner(name);
      quota(i, 20); // the API server counts the pod before the cache has it
      assertThat(least(pass("linux"))).isEqualTo(20);
      pod(name);
      assertThat(least(pass("linux"))).isEqualTo(20);
    }
    clock.advance(Duration.ofSeconds(6));
    assertThat(least(pass("linux"))).isEqualTo(20);
    clock.advance(Duration.ofSeconds(6));
    assertThat(pass("linux").requeue().isNever()).isTrue();
    runners.clear();
    assertThat(least(pass("linux"))).as("gone, and still counted").isEqualTo(20);
    quota(0, 20);
    assertThat(least(pass("linux"))).isEqualTo(20);
  }

  @Test
  void beforeTheQuotasAreReadTheStoredNumberStands() {
    quotas = null;
    var places = pass("linux");
    assertThat(least(places)).isNull();
    assertThat(places.requeue().isNever()).isFalse();
  }

  @Test
  void setsUnderOneQuotaWakeEachOther() {
    quota(0, 20);
    assertThat(least(pass("linux"))).isEqualTo(20);
    assertThat(least(pass("small"))).isEqualTo(10);
    assertThat(woken).contains("linux");
    assertThat(least(pass("linux"))).isEqualTo(10);
  }

  @Test
  void sharesFollowTheRoomThoughAllWaitForAsMuch() {
    quota(0, 4);
    var _ = pass("linux");
    assertThat(least(pass("small"))).isEqualTo(2);
    quota(0, 20);
    clock.advance(SharedRoom.BEFORE_RISE);
    assertThat(least(pass("linux"))).isEqualTo(10);
    assertThat(least(pass("small"))).isEqualTo(10);
  }

  @Test
  void aSetWithoutPlacesOnNodesLeavesItsShareToOthers() {
    runner("a");
    pods.put(
        "a",
        Serialization.unmarshal(
            "---\n{apiVersion: v1, kind: Pod, metadata: {name: a, uid: a}, spec: {containers: [{name: runner}]},"
                + " status: {phase: Pending, conditions: [{type: PodScheduled, status: 'False',"
                + " reason: Unschedulable, message: none}]}}",
            Pod.class));
    quota(1, 21);
    assertThat(least(pass("linux", "capacity: {nodes: Fixed}"))).isEqualTo(1);
    var _ = pass("small");
    clock.advance(SharedRoom.STANDS);
    var _ = pass("linux", "capacity: {nodes: Fixed}");
    assertThat(least(pass("small"))).isEqualTo(20);
  }

  @Test
  void sharesFollowWhatOthersTakeOfTheRoom() {
    quota(0, 20);
    var _ = pass("linux");
    assertThat(List.of(least(pass("small")), least(pass("linux")))).containsOnly(10);
    woken.clear();
    quota(8, 20);
    clock.advance(Duration.ofSeconds(5));
    assertThat(List.of(least(pass("small")), least(pass("linux")))).containsOnly(6);
    quota(4, 20);
    for (int i = 0; i < 2; i++) {
      clock.advance(SharedRoom.STANDS);
      assertThat(List.of(least(pass("small")), least(pass("linux")))).containsOnly(6);
    }
    assertThat(pass("linux").requeue().at())
        .as("nothing else brings a pass")
        .isBetween(clock.instant(), clock.instant().plus(SharedRoom.STANDS));
    quota(2, 20);
    clock.advance(SharedRoom.STANDS);
    assertThat(List.of(least(pass("small")), least(pass("linux"))))
        .as("a rise that nobody waits for goes out 15 s after the last change")
        .containsOnly(9);
    quota(4, 20);
    clock.advance(SharedRoom.STANDS);
    assertThat(List.of(least(pass("small")), least(pass("linux"))))
        .as("a fall does not wait")
        .containsOnly(8);
  }

  @Test
  void idleRunnersMayStayWhileNoOtherSetWantsTheirRoom() {
    assertThat(pass("linux").idleStay()).as("nothing limits").isFalse();
    quota(0, 20);
    assertThat(pass("linux").enforcedStay()).isTrue();
    assertThat(pass("linux", "capacity: {mode: Shadow}").enforcedStay()).isNull();
    assertThat(pass("linux", "capacity: {startsPerMinute: 5}").idleStay())
        .as("another term limits more")
        .isFalse();
    var _ = pass("small");
    assertThat(pass("linux").idleStay()).as("it has a share").isFalse();
  }

  @Test
  void aShadowIsShownAndNotEnforced() {
    quota(0, 20);
    var places = pass("linux", "capacity: {mode: Shadow}");
    assertThat(least(places)).isNull();
    assertThat(places.least()).isEqualTo(20);
    assertThat(places.limits()).extracting(CapacityLimit::of).containsExactly("few: pods");
    assertThat(least(pass("small", "capacity: {quota: Ignore}"))).isNull();
  }

  @Test
  void startsAreCountedOnce() {
    assertThat(least(pass("linux", "capacity: {startsPerMinute: 2}"))).isEqualTo(2);
    runner("a");
    runner("b");
    assertThat(least(pass("linux", "capacity: {startsPerMinute: 2}"))).isEqualTo(2);
    clock.advance(Duration.ofSeconds(30));
    assertThat(least(pass("linux", "capacity: {startsPerMinute: 2}"))).isEqualTo(3);
  }
}
