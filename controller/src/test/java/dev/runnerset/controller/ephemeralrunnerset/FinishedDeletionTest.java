package dev.runnerset.controller.ephemeralrunnerset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.caches.RunnerCache;
import dev.runnerset.controller.caches.SharedCache;
import dev.runnerset.controller.ephemeralrunner.RunnerExits;
import dev.runnerset.controller.ephemeralrunner.RunnerVerdicts;
import dev.runnerset.controller.ephemeralrunner.start.NewRunners;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.metrics.Meters;
import dev.runnerset.controller.removal.FakeService;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.Runners;
import dev.runnerset.testsupport.CallerThread;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RunnableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Ended runners that no rule keeps are deleted, without a service call before it. */
final class FinishedDeletionTest {
  private final FakeKube kube = new FakeKube();
  private final FakeService service = new FakeService();
  private final SetMemory memory = new SetMemory();

  private List<RunnerView> ended(int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(i -> {
          var runner = FakeService.runner("r" + i, i);
          runner.getMetadata().setResourceVersion("v" + i);
          return Runners.idle("r" + i).endedAt(Runners.T0).resource(runner).view();
        })
        .toList();
  }

  private void delete(CallerThread threads, int count) {
    actions(threads).deleteFinished(ended(count), memory);
  }

  private ReplicasActions actions(CallerThread threads) {
    return new ReplicasActions(
        new EphemeralRunnerSetPass.Environment(
            kube.api(), threads, new Meters(), service.clock, new Random(1)),
        new EphemeralRunnerSetPass.Shared(
            service.remover(),
            new RunnerExits(new Memories(), runner -> {}),
            new NewRunners(),
            runner -> {
              throw new AssertionError("the remover has its own");
            },
            new RunnerVerdicts(new Memories(), runner -> {}),
            set -> {},
            (about, reason, message) -> {}),
        new SetMemories(new SharedCaches(new SharedCache<>("sets"), new RunnerCache())),
        PlannerRows.features().rules(),
        key -> {});
  }

  @Test
  void goesOnlyAsItWasSeenSinceSomebodyMayAskToKeepIt() {
    kube.changedSince = 1;
    delete(new CallerThread(), 2);
    assertThat(kube.deletes.getFirst()).contains("\"uid\":\"uid-r1\"", "\"v1\"");
    assertThat(memory.removals().of("uid-r1", null).askedToGo())
        .as("looked at again with its change")
        .isFalse();
    assertThat(memory.removals().of("uid-r1", null).retryAt()).as("no failure").isNull();
    assertThat(memory.removals().of("uid-r2", null).askedToGo()).isTrue();
    assertThat(service.asked).isEmpty();
  }

  @Test
  void manyGoInBatchesOfTwentyFour() {
    var threads = new Waiting();
    delete(threads, 100);
    assertThat(kube.deletes).hasSize(100);
    assertThat(threads.mostAtOnce).isEqualTo(24);
  }

  /** Counts how many are handed over before the first is waited for. */
  private static final class Waiting extends CallerThread {
    private int waiting;
    private int mostAtOnce;

    @Override
    protected <T> RunnableFuture<T> newTaskFor(Callable<T> task) {
      mostAtOnce = Math.max(mostAtOnce, ++waiting);
      return new FutureTask<>(task) {
        @Override
        public T get() throws InterruptedException, ExecutionException {
          waiting = 0;
          return super.get();
        }
      };
    }
  }
}
