package dev.runnerset.listener.session.context;

import java.util.List;
import java.util.concurrent.Callable;

/** Runs independent writes of one message. */
public interface Parallel {
  /** The results, in the order of the tasks, once all are done. */
  <T> List<T> run(List<Callable<T>> tasks) throws InterruptedException;
}
