package dev.runnerset.controller.ephemeralrunnerset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.audit.ServiceCounts;
import dev.runnerset.controller.passes.Steps;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.RunnerPhase;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * How many views of runners a pass makes or reads, by the size of the set; the status, which is
 * compared at most once a second, not counted.
 */
final class VisitedRunnersTest {
  /** What one pass visited, by what brought it. */
  private record Visits(long answer, long gone, long job, long nothing) {}

  /** A set of which only what an event tells of is read again. */
  private static final class SetOfMany extends RemovalFixture {
    private final Map<String, Optional<EphemeralRunner>> changed = new LinkedHashMap<>();

    Visits visits(int size) {
      var all = new ServiceCounts(service.clock.instant(), 0, 0, size, 0, size);
      memory.audit().updateAndGet(state -> state.learned(all));
      for (int id = 1; id <= size; id++) {
        changed.put("r" + id, Optional.of(runner(id)));
      }
      replicas = size - 20;
      reconcile();
      pass(1);
      pass(1);
      long answer = visited(() -> requests.remove().run());
      long gone = visited(() -> changed.put("r1", Optional.empty()));
      var busy = Objects.requireNonNull(runnerByName.get("r" + size));
      busy.setStatus(status(size, RunnerPhase.RUNNING, 7L, null));
      long job = visited(() -> changed.put("r" + size, Optional.of(busy)));
      return new Visits(answer, gone, job, visited(() -> {}));
    }

    private long visited(Runnable event) {
      event.run();
      long before = memory.runners().all().visits();
      reconcile();
      return memory.runners().all().visits() - before;
    }

    @Override
    void reconcile() {
      for (var name : memory.runners().takeChanged(memory.removals())) {
        changed.putIfAbsent(name, Optional.of(Objects.requireNonNull(runnerByName.get(name))));
      }
      var steps = new Steps();
      var _ = pass.run(set(), changed, 0, memory, steps, service.clock.instant());
      steps.end();
      changed.clear();
    }
  }

  @Test
  void anAnswerAndAnEventVisitAsManyRunnersOfAThousandAsOfAHundred() {
    var few = new SetOfMany().visits(100);
    var many = new SetOfMany().visits(1000);
    assertThat(few.answer()).isPositive();
    assertThat((double) many.answer()).isLessThanOrEqualTo(1.1 * few.answer());
    assertThat((double) many.gone()).isLessThanOrEqualTo(1.1 * few.gone());
    assertThat((double) many.job()).isLessThanOrEqualTo(1.1 * few.job());
    assertThat((double) many.nothing()).isLessThanOrEqualTo(1.1 * few.nothing());
    assertThat(many.answer()).as("of 1,000 runners").isLessThan(100);
  }
}
