package dev.runnerset.base;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/** Runs independent tasks at the same time and waits for all of them. */
public final class Parallel {
  private Parallel() {}

  /** How a task ended. */
  public sealed interface Result<T> {
    /** The task returned a value. */
    record Done<T>(T value) implements Result<T> {}

    /** The task threw an exception. */
    record Failed<T>(Throwable cause) implements Result<T> {}

    /** The waiting thread was interrupted first; the task goes on, and its result is lost. */
    record Unknown<T>() implements Result<T> {}
  }

  /**
   * Starts all tasks and blocks until each has ended, or until this thread is interrupted; then its
   * interrupt flag is set again.
   *
   * @return the results in the order of the tasks
   */
  public static <T> List<Result<T>> run(
      ExecutorService threads, List<? extends Callable<T>> tasks) {
    var calls = new ArrayList<Future<T>>();
    for (var task : tasks) {
      calls.add(threads.submit(task));
    }
    return calls.stream().map(Parallel::result).toList();
  }

  /**
   * Runs at most {@code most} of the tasks at a time and blocks until each has ended. An interrupt
   * of this thread cancels those that have not: they are interrupted, or never begin.
   *
   * @return the results in the order of the tasks
   * @throws InterruptedException when this thread was interrupted; the results are lost
   */
  public static <T> List<Result<T>> runOrCancel(
      ExecutorService threads, int most, List<? extends Callable<T>> tasks)
      throws InterruptedException {
    var places = new Semaphore(most);
    var placed = tasks.stream().map(task -> placed(task, places)).toList();
    return threads.invokeAll(placed).stream().map(Parallel::result).toList();
  }

  private static <T> Callable<T> placed(Callable<T> task, Semaphore places) {
    return () -> {
      places.acquire();
      try {
        return task.call();
      } finally {
        places.release();
      }
    };
  }

  private static <T> Result<T> result(Future<T> call) {
    try {
      return new Result.Done<>(call.get());
    } catch (ExecutionException e) {
      return new Result.Failed<>(e.getCause() == null ? e : e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Result.Unknown<>();
    }
  }
}
