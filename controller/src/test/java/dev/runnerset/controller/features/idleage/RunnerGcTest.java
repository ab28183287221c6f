package dev.runnerset.controller.features.idleage;

import static dev.runnerset.controller.removal.Runners.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.config.AgeCollectionSettings;
import dev.runnerset.controller.config.FeatureGates;
import dev.runnerset.controller.hooks.SweptSets;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.memory.Slots;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.controller.rounds.Followed;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.testsupport.TestClock;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sweeps over sets with a clock and a timer that stand until they are moved. */
class RunnerGcTest implements SweptSets {
  private static final FeatureGates ON = FeatureGates.parse("RunnerMaximumGCAge=true");
  private static final AgeCollectionSettings HOUR =
      new AgeCollectionSettings(Duration.ofHours(1), Duration.ofMinutes(2), Duration.ofMinutes(5));

  private final Map<SetKey, SweptSet> setByKey = new LinkedHashMap<>();
  private final List<String> swept = new ArrayList<>();
  private final List<AgeSweep> sweeps = new ArrayList<>();
  private final List<String> leftOut = new ArrayList<>();
  private final List<Timer> timers = new ArrayList<>();
  private @Nullable Error failure;
  private final TestClock clock = new TestClock(T0.plus(Duration.ofDays(9)));
  private AgeCollection rules = new AgeCollection(ON, HOUR);

  /** One task of the timer. */
  private static final class Timer {
    Instant next = Instant.MAX;
    Duration period = Duration.ZERO;
    Runnable task = () -> {};
  }

  private AutoCloseable every(Duration delay, Duration period, Runnable task) {
    var timer = new Timer();
    timer.next = clock.instant().plus(delay);
    timer.period = period;
    timer.task = task;
    timers.add(timer);
    return () -> timers.remove(timer);
  }

  private void pass(Duration time) {
    for (var until = clock.instant().plus(time);
        clock.instant().isBefore(until);
        clock.advance(Duration.ofSeconds(1))) {
      for (var timer : List.copyOf(timers)) {
        if (!clock.instant().isBefore(timer.next)) {
          timer.next = timer.next.plus(timer.period);
          timer.task.run();
        }
      }
    }
  }

  private Followed gc() {
    var idleAge = new IdleAge(Meter.series(), (about, reason, message) -> {});
    return new RunnerGc(rules, this, idleAge, this::change).rounds(this::every);
  }

  /** What is changed of a set in which a sweep is under way that could not remove a runner. */
  private void change(SetKey set, BiConsumer<EphemeralRunnerSet, Slots> change) {
    var slots = new Memories().of("set");
    Sweeps.restore(slots, new CollectionState(1, 1, T0, 1));
    change.accept(new EphemeralRunnerSet(), slots);
    var state = slots.get(IdleAge.STATE);
    if (state.sweep() != null) {
      swept.add(set.name());
      sweeps.add(state.sweep());
    } else {
      assertThat(state.collections().failed()).isZero();
      leftOut.add(set.name() + (state.collections().collected() == 0 ? " without a limit" : ""));
    }
  }

  private Followed leader() {
    var gc = gc();
    gc.begin();
    return gc;
  }

  private static AutoScalingRunnerSet yaml(String name, String meta, String spec) {
    return Serialization.unmarshal(
        """
        metadata: {name: %s, namespace: ns, uid: u-%s%s}
        spec: {githubConfigUrl: https://github.com/o, minRunners: 2%s}
        """
            .formatted(name, name, meta, spec),
        AutoScalingRunnerSet.class);
  }

  private void set(String name, String meta, String spec, boolean listening, boolean failing) {
    setByKey.put(new SetKey("ns", name), new SweptSet(yaml(name, meta, spec), listening, failing));
  }

  private void set(String name, String spec) {
    set(name, "", spec, true, false);
  }

  @Override
  public List<SweptSet> all() {
    if (failure != null) {
      throw failure;
    }
    return List.copyOf(setByKey.values());
  }

  @Test
  void ac6AfterLeadershipOneMinimumAgePassesFirst() {
    set("a", "");
    var gc = leader();
    pass(Duration.ofSeconds(119));
    assertThat(swept).isEmpty();
    pass(Duration.ofSeconds(2));
    assertThat(swept).containsExactly("a");
    gc.close();
    pass(Duration.ofHours(1));
    assertThat(swept).hasSize(1);
    assertThat(timers).isEmpty();
  }

  @Test
  void ac6OneThatDoesNotLeadSweepsNothingAndLeadsOnce() {
    set("a", "");
    var gc = gc();
    pass(Duration.ofHours(1));
    assertThat(swept).isEmpty();
    gc.begin();
    gc.begin();
    assertThat(timers).hasSize(1);
    pass(Duration.ofMinutes(6));
    assertThat(swept).hasSize(1);
    pass(Duration.ofMinutes(2));
    assertThat(swept).hasSize(2);
    gc.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"deleted", "paused", "drained", "deaf", "failing", "off"})
  void ac6SomeSetsAreLeftOut(String what) {
    set(
        "a",
        what.equals("deleted") ? ", deletionTimestamp: \"2026-01-01T00:00:00Z\"" : "",
        switch (what) {
          case "paused" -> ", mode: Paused";
          case "drained" -> ", mode: Drained";
          case "off" -> ", garbageCollection: {maximumIdleAge: 0s}";
          default -> "";
        },
        !what.equals("deaf"),
        what.equals("failing"));
    set("b", "");
    var gc = leader();
    pass(Duration.ofMinutes(3));
    assertThat(swept).containsExactly("b");
    assertThat(leftOut)
        .as("a sweep of before ends")
        .containsExactly(what.equals("off") ? "a without a limit" : "a");
    gc.close();
  }

  @Test
  void anErrorEndsNoMoreThanItsSweep() {
    set("a", "");
    failure = new AssertionError("a defect");
    var gc = leader();
    pass(Duration.ofMinutes(3));
    assertThat(swept).isEmpty();
    failure = null;
    pass(Duration.ofMinutes(5));
    assertThat(swept).containsExactly("a");
    gc.close();
  }

  @Test
  void ac1TheGateAloneChangesNothingAndIsAskedForASetsOwnValueToo() {
    rules = new AgeCollection(ON, AgeCollectionSettings.DEFAULT);
    set("a", "");
    var gated = leader();
    pass(Duration.ofHours(2));
    assertThat(swept).isEmpty();
    gated.close();
    rules = new AgeCollection(FeatureGates.DEFAULTS, AgeCollectionSettings.DEFAULT);
    set("a", ", garbageCollection: {maximumIdleAge: 1h}");
    var gc = leader();
    pass(Duration.ofHours(2));
    assertThat(swept).isEmpty();
    gc.close();
  }

  @Test
  void ac8ASweepHasTheValuesOfItsSetAndANewValueHoldsFromTheNextOne() {
    set("a", "");
    var gc = leader();
    pass(Duration.ofMinutes(3));
    assertThat(sweeps)
        .containsExactly(new AgeSweep(HOUR.maximumAge(), HOUR.minimumAge(), 2, false));
    set("a", ", garbageCollection: {maximumIdleAge: 2h, afterwards: Release}");
    pass(Duration.ofMinutes(5));
    assertThat(sweeps.getLast())
        .isEqualTo(new AgeSweep(Duration.ofHours(2), HOUR.minimumAge(), 2, true));
    gc.close();
  }
}
