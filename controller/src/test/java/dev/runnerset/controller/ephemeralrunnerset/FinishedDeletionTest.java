package dev.runnerset.controller.ephemeralrunnerset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.caches.RunnerCache;
import dev.runnerset.controller.caches.SharedCache;
import dev.runnerset.controller.ephemeralrunner.RunnerExits;
import dev.runnerset.controller.ephemeralrunner.RunnerVerdicts;
import dev.runnerset.controller.ephemeralrunner.start.NewRunners;
import dev.runnerset.controller.hooks.RunnersReports;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.controller.removal.FakeService;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.Runners;
import dev.runnerset.testsupport.CallerThread;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Ended runners that no rule keeps are deleted, without a service call before it. */
final class FinishedDeletionTest {
  private final FakeKube kube = new FakeKube();
  private final FakeService service = new FakeService();
  private final SetMemory memory = Gathering.memory();
  private final List<SetKey> triggered = new ArrayList<>();

  private List<RunnerView> ended(int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(i -> {
          var runner = FakeService.runner("r" + i, i);
          runner.getMetadata().setResourceVersion("v" + i);
          return Runners.idle("r" + i).endedAt(Runners.T0).resource(runner).view();
        })
        .toList();
  }

  private void delete(ExecutorService threads, int count) {
    actions(threads).deleteFinished(ended(count), memory);
  }

  private ReplicasActions actions(ExecutorService threads) {
    return new ReplicasActions(
        new EphemeralRunnerSetPass.Environment(
            kube.api(), threads, Meter.series(), service.clock, new Random(1)),
        new EphemeralRunnerSetPass.Shared(
            service.remover(),
            new RunnerExits(new Memories(), runner -> {}),
            new NewRunners(),
            runner -> {
              throw new AssertionError("the remover has its own");
            },
            new RunnerVerdicts(new Memories(), runner -> {}),
            set -> {},
            new RunnersReports(),
            (about, reason, message) -> {}),
        new SetMemories(new SharedCaches(new SharedCache<>("sets"), new RunnerCache(), ers -> ers)),
        PlannerRows.features().removalRules(),
        triggered::add);
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
  void aFailureIsTriedAgainByAPassThatItTriggers() {
    kube.failing = 1;
    delete(new CallerThread(), 2);
    assertThat(memory.removals().of("uid-r1", null).retryAt()).isNotNull();
    assertThat(triggered).containsExactly(new SetKey("ns", "linux"));
  }

  @Test
  void aPassDoesNotWaitForThem() {
    var handedOver = new ArrayList<Runnable>();
    delete(
        new CallerThread() {
          @Override
          public void execute(Runnable task) {
            handedOver.add(task);
          }
        },
        100);
    assertThat(kube.deletes).isEmpty();
    assertThat(memory.removals().of("uid-r100", null).askedToGo()).isTrue();
    handedOver.forEach(Runnable::run);
    assertThat(kube.deletes).hasSize(100);
  }

  @Test
  void twentyFourGoAtATime() {
    int most = ReplicasActions.MOST_DELETED_AT_ONCE;
    var underWay = new AtomicInteger();
    var mostAtOnce = new AtomicInteger();
    var together = new Phaser(most);
    kube.beforeAnswer =
        () -> {
          mostAtOnce.accumulateAndGet(underWay.incrementAndGet(), Math::max);
          together.arriveAndAwaitAdvance();
          underWay.decrementAndGet();
        };
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      actions(threads).deleteFinished(ended(4 * most), memory);
    }
    assertThat(kube.deletes).hasSize(4 * most);
    assertThat(mostAtOnce).hasValue(most);
  }
}
