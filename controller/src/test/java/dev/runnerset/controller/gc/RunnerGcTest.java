package dev.runnerset.controller.gc;

import static dev.runnerset.controller.removal.Runners.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.config.AgeCollectionSettings;
import dev.runnerset.controller.config.FeatureGates;
import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.Runners;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.Demand;
import dev.runnerset.crds.GarbageCollection;
import dev.runnerset.testsupport.CallerThread;
import dev.runnerset.testsupport.TestClock;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sweeps over sets with a clock and a timer that stand until they are moved. */
class RunnerGcTest implements SweptSets, SetRunners {
  private static final FeatureGates ON = FeatureGates.parse("RunnerMaximumGCAge=true");
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final AgeCollectionSettings HOUR =
      new AgeCollectionSettings(Duration.ofHours(1), Duration.ofMinutes(2), Duration.ofMinutes(5));

  private final Map<SetKey, SweptSet> setByKey = new LinkedHashMap<>();
  private final Map<SetKey, List<AgedRunner>> runnersByKey = new LinkedHashMap<>();
  private final List<String> collected = new ArrayList<>();
  private final List<SetKey> woken = new ArrayList<>();
  private final Set<SetKey> broken = new HashSet<>();
  private final Set<String> refusing = new HashSet<>();
  private final Set<String> failing = new HashSet<>();
  private final List<Timer> timers = new ArrayList<>();
  private @Nullable Error failure;
  private Demand demand = Runners.demand(T0, 0, 0, 0, 0);
  private final TestClock clock = new TestClock(T0.plus(Duration.ofDays(9)));
  private AgeCollection rules = AgeCollection.of(ON, HOUR);

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

  private RunnerGc leader() {
    var gc = new RunnerGc(rules, this, this, new CallerThread(), this::every, clock);
    gc.lead();
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

  private SetKey set(String name, String meta, String spec, boolean listening) {
    var key = new SetKey("ns", name);
    setByKey.put(key, new SweptSet(yaml(name, meta, spec), listening, failing.contains(name)));
    runnersByKey.put(key, new ArrayList<>());
    return key;
  }

  private void idle(SetKey set, String name, Duration age) {
    var since = clock.instant().minus(age);
    runnersByKey.get(set).add(new AgedRunner(Runners.idle(name).since(since).view(), since, false));
  }

  private SetKey withThreeOld(String name, String meta, String spec, boolean listening) {
    var key = set(name, meta, spec, listening);
    for (int i = 0; i < 3; i++) {
      idle(key, name + "-" + i, Duration.ofHours(9 - i));
    }
    return key;
  }

  @Override
  public List<SweptSet> all() {
    if (failure != null) {
      throw failure;
    }
    return List.copyOf(setByKey.values());
  }

  @Override
  public Optional<SweptSet> one(SetKey key) {
    return Optional.ofNullable(setByKey.get(key));
  }

  @Override
  public void wake(SetKey key) {
    woken.add(key);
  }

  @Override
  public Optional<Snapshot> of(SetKey set) {
    if (broken.contains(set)) {
      throw new IllegalStateException("cannot be read");
    }
    return Optional.of(new Snapshot(runnersByKey.get(set), demand));
  }

  @Override
  public int collect(SetKey set, RemovalPlan plan, IntSupplier allowedNow) {
    int gone = 0;
    for (RunnerView view : plan.candidates()) {
      if (gone >= Math.min(plan.wanted(), allowedNow.getAsInt())) {
        break;
      }
      if (!refusing.contains(view.name())) {
        gone++;
        collected.add(view.name());
        runnersByKey.get(set).removeIf(r -> r.view().uid().equals(view.uid()));
      }
    }
    return gone;
  }

  @BeforeEach
  void noLeftOvers() {
    assertThat(timers).isEmpty();
  }

  @Test
  void afterLeadershipOneMinimumAgePassesFirst() {
    withThreeOld("a", "", "", true);
    var gc = leader();
    pass(Duration.ofSeconds(119));
    assertThat(collected).isEmpty();
    pass(SECOND.multipliedBy(2));
    assertThat(collected).containsExactly("a-0");
    gc.close();
    pass(Duration.ofHours(1));
    assertThat(collected).hasSize(1);
    assertThat(timers).isEmpty();
  }

  @Test
  void oneThatDoesNotLeadSweepsNothingAndNoEventMakesItSweep() {
    withThreeOld("a", "", "", true);
    var gc = new RunnerGc(rules, this, this, new CallerThread(), this::every, clock);
    pass(Duration.ofHours(1));
    assertThat(collected).isEmpty();
    gc.lead();
    gc.lead();
    assertThat(timers).hasSize(1);
    pass(Duration.ofMinutes(3));
    wake(new SetKey("ns", "a"));
    pass(Duration.ofMinutes(3));
    assertThat(collected).as("by the period, not by events").hasSize(1);
    pass(Duration.ofMinutes(2));
    assertThat(collected).hasSize(2);
    gc.close();
  }

  @Test
  void aWarmPoolNeverFallsToZeroAndNewOnesAreYoung() {
    var key = withThreeOld("a", "", "", true);
    demand = Runners.demand(T0, 3, 1, 1, 0);
    var gc = leader();
    pass(Duration.ofHours(2));
    assertThat(collected).containsExactly("a-0", "a-1");
    assertThat(runnersByKey.get(key)).hasSize(1);
    gc.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"deleted", "paused", "drained", "deaf", "failing", "off"})
  void someSetsAreLeftOut(String what) {
    if (what.equals("failing")) {
      failing.add("a");
    }
    withThreeOld(
        "a",
        what.equals("deleted") ? ", deletionTimestamp: \"2026-01-01T00:00:00Z\"" : "",
        switch (what) {
          case "paused" -> ", mode: Paused";
          case "drained" -> ", mode: Drained";
          case "off" -> ", garbageCollection: {maximumIdleAge: 0s}";
          default -> "";
        },
        !what.equals("deaf"));
    withThreeOld("b", "", "", true);
    var gc = leader();
    pass(Duration.ofMinutes(3));
    assertThat(collected).containsExactly("b-0");
    gc.close();
  }

  @Test
  void aSetThatGoesDuringItsSweepIsLeftAlone() {
    var key = withThreeOld("a", "", "", true);
    var plan =
        IdleAgePlanner.choose(
            runnersByKey.get(key),
            demand,
            0,
            HOUR.maximumAge(),
            HOUR.minimumAge(),
            clock.instant());
    assertThat(plan.wanted()).isOne();
    var swept =
        new SetRunners() {
          @Override
          public Optional<Snapshot> of(SetKey set) {
            return RunnerGcTest.this.of(set);
          }

          @Override
          public int collect(SetKey set, RemovalPlan chosen, IntSupplier allowedNow) {
            assertThat(allowedNow.getAsInt()).isPositive();
            setByKey.put(set, new SweptSet(yaml("a", "", ", mode: Paused"), true, false));
            assertThat(allowedNow.getAsInt()).isZero();
            setByKey.remove(set);
            assertThat(allowedNow.getAsInt()).isZero();
            return 0;
          }
        };
    new IdleAgeSweeper(rules, this, swept, new CallerThread(), clock).sweep();
    assertThat(woken).containsExactly(key);
  }

  @Test
  void whatGoesWrongWithOneSetDoesNotStopTheSweep() {
    var bad = withThreeOld("a", "", "", true);
    broken.add(bad);
    withThreeOld("b", "", "", true);
    refusing.add("b-0");
    var gc = leader();
    pass(Duration.ofMinutes(3));
    assertThat(collected).containsExactly("b-1");
    broken.clear();
    pass(Duration.ofMinutes(5));
    assertThat(collected).contains("a-0");
    gc.close();
  }

  /** A service that does not answer for one set used to hold up all sets behind it. */
  @Test
  void aSetThatWaitsHoldsUpNoOther() throws InterruptedException {
    var slow = withThreeOld("a", "", "", true);
    withThreeOld("b", "", "", true);
    var other = new CountDownLatch(1);
    var waiting =
        new SetRunners() {
          @Override
          public Optional<Snapshot> of(SetKey set) {
            return RunnerGcTest.this.of(set);
          }

          @Override
          public int collect(SetKey set, RemovalPlan plan, IntSupplier allowedNow) {
            if (!set.equals(slow)) {
              other.countDown();
              return 0;
            }
            try {
              // were the sets swept one after another, the second would never come
              assertThat(other.await(30, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            return 0;
          }
        };
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      new IdleAgeSweeper(rules, this, waiting, threads, clock).sweep();
    }
    assertThat(other.getCount()).isZero();
  }

  @Test
  void aSweepThatFailsIsRememberedUntilOneDoesNot() {
    var bad = withThreeOld("a", "", "", true);
    broken.add(bad);
    var gc = leader();
    pass(Duration.ofMinutes(3));
    assertThat(rules.ledger().failure(bad)).contains("cannot be read");
    assertThat(woken).contains(bad);
    broken.clear();
    woken.clear();
    pass(Duration.ofMinutes(5));
    assertThat(rules.ledger().failure(bad)).isNull();
    assertThat(woken).contains(bad);
    gc.close();
  }

  /** The thread of a sweep is interrupted when the lease is lost: another may lead by now. */
  @Test
  void anInterruptedSweepLooksAtNoFurtherSet() {
    withThreeOld("a", "", "", true);
    withThreeOld("b", "", "", true);
    var interrupting =
        new SetRunners() {
          @Override
          public Optional<Snapshot> of(SetKey set) {
            return RunnerGcTest.this.of(set);
          }

          @Override
          public int collect(SetKey set, RemovalPlan plan, IntSupplier allowedNow) {
            Thread.currentThread().interrupt();
            return RunnerGcTest.this.collect(set, plan, allowedNow);
          }
        };
    new IdleAgeSweeper(rules, this, interrupting, new CallerThread(), clock).sweep();
    assertThat(collected).containsExactly("a-0");
  }

  @Test
  void anErrorEndsNoMoreThanItsSweep() {
    withThreeOld("a", "", "", true);
    failure = new AssertionError("a defect");
    var gc = leader();
    pass(Duration.ofMinutes(3));
    assertThat(collected).isEmpty();
    failure = null;
    pass(Duration.ofMinutes(5));
    assertThat(collected).containsExactly("a-0");
    gc.close();
  }

  @Test
  void enableDisableEnableAgesSurviveAndNothingGoesInBetween() {
    withThreeOld("a", "", "", true);
    var first = leader();
    pass(Duration.ofMinutes(3));
    first.close();
    assertThat(collected).containsExactly("a-0");

    rules = AgeCollection.of(FeatureGates.DEFAULTS, AgeCollectionSettings.DEFAULT);
    var disabled = leader(); // the program would not even start it
    pass(Duration.ofHours(5));
    disabled.close();
    assertThat(collected).as("off: nothing goes early, or at all").hasSize(1);

    rules = AgeCollection.of(ON, HOUR);
    var again = leader();
    pass(Duration.ofSeconds(119));
    assertThat(collected).hasSize(1);
    pass(Duration.ofMinutes(2));
    assertThat(collected).as("old by its idleSince, no new wait").containsExactly("a-0", "a-1");
    again.close();
  }

  @Test
  void theGateAloneChangesNothing() {
    rules = AgeCollection.of(ON, AgeCollectionSettings.DEFAULT);
    withThreeOld("a", "", "", true);
    var gc = leader();
    pass(Duration.ofHours(2));
    assertThat(collected).isEmpty();
    gc.close();
  }

  @Test
  void theGateIsAskedForASetsOwnValueToo() {
    rules = AgeCollection.of(FeatureGates.DEFAULTS, AgeCollectionSettings.DEFAULT);
    withThreeOld("a", "", ", garbageCollection: {maximumIdleAge: 1h}", true);
    var gc = leader();
    pass(Duration.ofHours(2));
    assertThat(collected).isEmpty();
    gc.close();
  }

  @Test
  void aNewValueHoldsFromTheNextSweepAndAgesAreNotReset() {
    var key = withThreeOld("a", "", ", garbageCollection: {maximumIdleAge: 24h}", true);
    var gc = leader();
    pass(Duration.ofMinutes(30));
    assertThat(collected).isEmpty();
    setByKey.put(
        key, new SweptSet(yaml("a", "", ", garbageCollection: {maximumIdleAge: 2h}"), true, false));
    pass(Duration.ofMinutes(5));
    assertThat(collected).containsExactly("a-0");
    gc.close();
  }

  @Test
  void withReleaseThePlacesAreHeldAndToldWithReplaceOnlyTold() {
    var release = ", garbageCollection: {maximumIdleAge: 1h, afterwards: Release}";
    var key = withThreeOld("a", "", release, true);
    var other = withThreeOld("b", "", "", true);
    var gc = leader();
    pass(Duration.ofMinutes(3));
    assertThat(rules.ledger().pending(key)).map(CollectionLedger.Pending::released).contains(1);
    assertThat(rules.ledger().reservedPlaces(key, "uid", 1)).isOne();
    assertThat(rules.ledger().pending(other)).map(CollectionLedger.Pending::released).contains(0);
    assertThat(rules.ledger().reservedPlaces(other, "uid", 1)).isZero();
    assertThat(woken).contains(key, other);
    gc.close();
  }

  @Test
  void noPlaceIsHeldForARunnerThatStayed() {
    var release = ", garbageCollection: {afterwards: Release}";
    var key = withThreeOld("a", "", release, true);
    refusing.addAll(List.of("a-0", "a-1", "a-2"));
    var gc = leader();
    pass(Duration.ofMinutes(3));
    assertThat(rules.ledger().reservedPlaces(key, "uid", 1)).isZero();
    assertThat(rules.ledger().pending(key)).isEmpty();
    gc.close();
  }

  @Test
  void releaseIsAWordOfTheSet() {
    var set = yaml("a", "", ", garbageCollection: {afterwards: Release}");
    assertThat(set.getSpec().garbageCollection().afterwards())
        .isEqualTo(GarbageCollection.Afterwards.RELEASE);
    assertThat(AgeCollection.isReleasing(set)).isTrue();
    assertThat(AgeCollection.isReleasing(yaml("a", "", ""))).isFalse();
  }
}
