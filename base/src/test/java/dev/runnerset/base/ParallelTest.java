package dev.runnerset.base;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.base.Parallel.Result;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
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
}
