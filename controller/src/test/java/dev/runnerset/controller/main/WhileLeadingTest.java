package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.config.AgeCollectionSettings;
import dev.runnerset.controller.config.FeatureGates;
import dev.runnerset.controller.gc.AgeCollection;
import dev.runnerset.controller.gc.RunnerGc;
import dev.runnerset.controller.gc.SetKey;
import dev.runnerset.controller.gc.SetRunners;
import dev.runnerset.controller.gc.SweptSets;
import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.testsupport.CallerThread;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;

/** AC6: only the leader collects, and only while it leads. */
final class WhileLeadingTest implements SweptSets, SetRunners {
  private final List<String> timer = new ArrayList<>();
  private final WhileLeading leading = new WhileLeading();

  private RunnerGc gc() {
    return new RunnerGc(
        AgeCollection.of(FeatureGates.DEFAULTS, AgeCollectionSettings.DEFAULT),
        this,
        this,
        new CallerThread(),
        (delay, period, task) -> {
          timer.add("begun");
          return () -> timer.add("ended");
        },
        Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));
  }

  @Test
  void sweepsBeginWithLeadershipAndEndWithIt() {
    leading.runs(unused -> gc());
    assertThat(timer).isEmpty();
    leading.begin();
    assertThat(timer).containsExactly("begun");
    leading.close();
    assertThat(timer).containsExactly("begun", "ended");
  }

  @Test
  void withoutAgeCollectionThereIsNothingToBeginOrToEnd() {
    leading.begin();
    leading.close();
    assertThat(timer).isEmpty();
  }

  @Override
  public List<SweptSet> all() {
    return List.of();
  }

  @Override
  public Optional<SweptSet> one(SetKey key) {
    return Optional.empty();
  }

  @Override
  public void wake(SetKey key) {}

  @Override
  public Optional<Snapshot> of(SetKey set) {
    return Optional.empty();
  }

  @Override
  public int collect(SetKey set, RemovalPlan plan, IntSupplier allowedNow) {
    return 0;
  }
}
