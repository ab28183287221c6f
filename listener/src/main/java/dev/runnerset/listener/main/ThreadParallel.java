package dev.runnerset.listener.main;

import dev.runnerset.listener.session.context.Parallel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/** Tasks on virtual threads, at most {@link #MOST} at a time. Used by one thread. */
final class ThreadParallel implements Parallel {
  /** A message holds at most 50 events (protocol 4.1); more at once would crowd out other sets. */
  static final int MOST = 16;

  private static final ExecutorService THREADS = Executors.newVirtualThreadPerTaskExecutor();
  private final Semaphore places = new Semaphore(MOST);

  @Override
  public <T> List<T> run(List<Callable<T>> tasks) throws InterruptedException {
    if (tasks.size() == 1) {
      return List.of(call(tasks.getFirst()));
    }
    var results = new ArrayList<T>();
    for (var future : THREADS.invokeAll(tasks.stream().map(this::placed).toList())) {
      try {
        results.add(future.get());
      } catch (ExecutionException e) {
        throw rethrown(e.getCause() == null ? e : e.getCause());
      }
    }
    return results;
  }

  private <T> Callable<T> placed(Callable<T> task) {
    return () -> {
      places.acquire();
      try {
        return task.call();
      } finally {
        places.release();
      }
    };
  }

  private static <T> T call(Callable<T> task) throws InterruptedException {
    try {
      return task.call();
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      throw rethrown(e);
    }
  }

  private static RuntimeException rethrown(Throwable failure) {
    return failure instanceof RuntimeException e ? e : new IllegalStateException(failure);
  }
}
