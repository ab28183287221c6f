package dev.runnerset.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.base.Parallel.Result;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class ParallelTest {
  @Test
  void theResultsComeInTheOrderOfTheTasksWhichRunAtTheSameTime() {
    var second = new CountDownLatch(1);
    var failure = new IllegalStateException("no");
    Callable<String> waits =
        () -> {
          second.await();
          return "first";
        };
    Callable<String> releases =
        () -> {
          second.countDown();
          return "second";
        };
    Callable<String> fails =
        () -> {
          throw failure;
        };
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      assertThat(Parallel.run(threads, List.of(waits, releases, fails)))
          .containsExactly(
              new Result.Done<>("first"),
              new Result.Done<>("second"),
              new Result.Failed<>(failure));
    }
  }

  @Test
  void anInterruptEndsTheWaitAndStaysSet() {
    var never = new CountDownLatch(1);
    Callable<String> waits =
        () -> {
          never.await();
          return "late";
        };
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Thread.currentThread().interrupt();
      var results = Parallel.run(threads, List.of(waits, waits));
      assertThat(Thread.interrupted()).isTrue();
      assertThat(results).containsExactly(new Result.Unknown<>(), new Result.Unknown<>());
      never.countDown(); // the tasks go on, and end
    }
  }

  @Test
  void noMoreTasksRunAtATimeThanAllowed() throws InterruptedException {
    var running = new AtomicInteger();
    var most = new AtomicInteger();
    var three = new CyclicBarrier(3); // nobody goes on before three run at the same time
    Callable<Integer> counts =
        () -> {
          most.accumulateAndGet(running.incrementAndGet(), Math::max);
          three.await();
          return running.decrementAndGet();
        };
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var results = Parallel.runOrCancel(threads, 3, Collections.nCopies(30, counts));
      assertThat(results).hasSize(30).allMatch(result -> result instanceof Result.Done<Integer>);
      assertThat(most).hasValue(3);
    }
  }

  @Test
  void aTaskThatFailsLeavesTheOthers() throws InterruptedException {
    var failure = new IllegalStateException("no");
    Callable<String> fails =
        () -> {
          throw failure;
        };
    Callable<String> returns = () -> "done";
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      assertThat(Parallel.runOrCancel(threads, 1, List.of(fails, returns)))
          .containsExactly(new Result.Failed<>(failure), new Result.Done<>("done"));
    }
  }

  @Test
  void anInterruptCancelsTheTasksOfOneThatCancels() {
    var never = new CountDownLatch(1);
    var began = new CountDownLatch(1);
    var cancelled = new CountDownLatch(1);
    var caller = Thread.currentThread();
    Callable<String> waits =
        () -> {
          began.countDown();
          try {
            never.await();
          } catch (InterruptedException e) {
            cancelled.countDown();
            throw e;
          }
          return "late";
        };
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var _ =
          threads.submit(() -> {
            began.await();
            caller.interrupt();
            return "interrupted";
          });
      assertThatThrownBy(() -> Parallel.runOrCancel(threads, 2, List.of(waits, waits)))
          .isInstanceOf(InterruptedException.class);
    } // waits for the tasks: they have ended, although nobody released them
    assertThat(cancelled.getCount()).isZero();
  }
}
