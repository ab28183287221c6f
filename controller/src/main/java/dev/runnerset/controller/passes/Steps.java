package dev.runnerset.controller.passes;

import dev.runnerset.base.RequeueTime;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * The steps of one pass: a step that fails stops no other (WR3), unless the API server did not
 * answer it, since then it would not answer the others either. For one pass and one thread.
 */
public final class Steps {
  /** The code of a request that the API server did not answer. */
  private static final int NO_ANSWER = 0;

  private final List<RuntimeException> failures = new ArrayList<>();

  /**
   * Takes a step, and keeps its failure.
   *
   * @return whether it was taken and did not fail
   */
  public boolean take(Runnable step) {
    if (failures.stream().anyMatch(Steps::isUnanswered)) {
      return false;
    }
    try {
      step.run();
      return true;
    } catch (RuntimeException e) {
      failures.add(e);
      return false;
    }
  }

  /** The same for a step that says when the next pass is due; a failed one does not say it. */
  public RequeueTime requeue(Supplier<RequeueTime> step) {
    var due = new AtomicReference<>(RequeueTime.NEVER);
    take(() -> due.set(step.get()));
    return due.get();
  }

  /** Keeps a failure of what is no step of its own. */
  public void failed(RuntimeException failure) {
    failures.add(failure);
  }

  /** What failed, in the order of the steps. */
  public List<RuntimeException> failures() {
    return List.copyOf(failures);
  }

  /**
   * Ends the pass.
   *
   * @throws RuntimeException the first failure, with the others as suppressed ones
   */
  public void end() {
    if (failures.isEmpty()) {
      return;
    }
    var first = failures.getFirst();
    failures.stream().skip(1).filter(other -> other != first).forEach(first::addSuppressed);
    throw first;
  }

  private static boolean isUnanswered(RuntimeException failure) {
    return failure instanceof KubernetesClientException e && e.getCode() == NO_ANSWER;
  }
}
