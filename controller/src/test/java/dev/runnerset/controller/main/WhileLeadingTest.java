package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.config.AgeCollectionSettings;
import dev.runnerset.controller.config.FeatureGates;
import dev.runnerset.controller.gc.AgeCollection;
import dev.runnerset.controller.gc.AgeSweep;
import dev.runnerset.controller.gc.AgeSweeps;
import dev.runnerset.controller.gc.RunnerGc;
import dev.runnerset.controller.gc.SweptSets;
import dev.runnerset.controller.ownership.SetKey;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** AC6: only the leader collects, and only while it leads. */
final class WhileLeadingTest implements SweptSets, AgeSweeps {
  private final List<String> timer = new ArrayList<>();
  private final WhileLeading leading = new WhileLeading();

  private RunnerGc gc() {
    return new RunnerGc(
        new AgeCollection(FeatureGates.DEFAULTS, AgeCollectionSettings.DEFAULT),
        this,
        this,
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
  public void begin(SetKey set, AgeSweep sweep) {}

  @Override
  public void leaveOut(SetKey set, boolean limited) {}
}
