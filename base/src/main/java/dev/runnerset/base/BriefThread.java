package dev.runnerset.base;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes a call on a virtual thread that ends with it. A thread that lives for days keeps what its
 * deepest call left on it: a stack, and the buffers of the JSON library, some 35 kB together.
 */
public final class BriefThread {
  private BriefThread() {}

  /**
   * What the call returns or throws. Blocks until it has ended; an interrupt is passed on to it,
   * and stands afterwards.
   */
  public static <T extends @Nullable Object> T call(Supplier<T> call) {
    var task = new FutureTask<T>(call::get);
    var thread = Thread.ofVirtual().name(Thread.currentThread().getName()).start(task);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return task.get();
        } catch (InterruptedException e) {
          interrupted = true;
          thread.interrupt();
        } catch (ExecutionException e) {
          throw Causes.unchecked(e);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
