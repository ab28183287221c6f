package dev.runnerset.simulator.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.testsupport.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which scale set gets a job that several may run (protocol 7.2). */
class AssignOrderTest {
  private final long[] ids = new long[1];
  private final Service service =
      new Service(
          Options.accepting("pat").withOwners(Set.of("o")),
          new TestClock(),
          () -> new UUID(0, ++ids[0]));
  private final Control control = new Control(service);
  private final List<ScaleSet> sets = new ArrayList<>();

  private void sets(int... capacities) {
    for (int capacity : capacities) {
      int id = control.createForeignScaleSet("o", "set-" + sets.size());
      control.holdSession(id, "me");
      var set = service.state.sets.get(id);
      set.labels = List.of(new ScaleSet.Label("System", "x"));
      set.capacity = capacity;
      sets.add(set);
    }
  }

  private List<Integer> assigned(int jobs) {
    var _ = control.submit(JobRequest.of(jobs, "x", Duration.ofSeconds(1)));
    return sets.stream().map(set -> set.assigned).toList();
  }

  private long withoutRoom() {
    return control.counters().getOrDefault("jobs.withoutRoom", 0L);
  }

  @ParameterizedTest(name = "{0}: {1} jobs at sets of 4, 10 and 0")
  @CsvSource(
      delimiter = '|',
      value = {
        "OLDEST_SET | 3  | 3, 0, 0  | 0",
        "OLDEST_SET | 6  | 4, 2, 0  | 0",
        "OLDEST_SET | 20 | 4, 10, 0 | 6",
        "MOST_ROOM  | 3  | 0, 3, 0  | 0",
        "MOST_ROOM  | 8  | 1, 7, 0  | 0",
        "MOST_ROOM  | 20 | 4, 10, 0 | 6",
        "RANDOM     | 20 | 4, 10, 0 | 6",
      })
  void jobsGoByTheOrder(AssignOrder order, int jobs, String counts, long without) {
    sets(4, 10, 0);
    control.assignOrder(order);
    assertThat(assigned(jobs)).hasToString("[" + counts + "]");
    assertThat(withoutRoom()).isEqualTo(without);
  }

  @Test
  void byChanceEachGetsSome() {
    sets(100, 100);
    control.assignOrder(AssignOrder.RANDOM);
    assertThat(assigned(50)).allSatisfy(count -> assertThat(count).isBetween(10, 40));
  }

  @Test
  void jobsThatNoSetCouldEverRunAreNotCounted() {
    sets(1);
    var _ = control.submit(JobRequest.of(3, "windows", Duration.ofSeconds(1)));
    assertThat(withoutRoom()).isZero();
  }
}
