package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.base.Parallel;
import dev.runnerset.controller.ephemeralrunner.start.NewRunners;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.ProvisionedFor;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Makes runners in parallel, a few at a time at first and one more with each that is made. None is
 * begun after a failure, so that a quota costs few requests (NM4).
 *
 * @param threads one thread a request
 */
record RunnerCreator(
    KubeApi kube, RandomGenerator random, ExecutorService threads, NewRunners newRunners) {
  private static final int FIRST_AT_ONCE = 4;
  private static final int MOST_AT_ONCE = 24;

  /**
   * Makes runners; {@code made} is called with each of them, on the thread of its request.
   *
   * @throws KubernetesClientException a refusal; what was made before stays
   */
  void create(EphemeralRunnerSet set, Provisioning wanted, Consumer<EphemeralRunner> made) {
    var places = new Semaphore(FIRST_AT_ONCE);
    var more = new AtomicInteger(MOST_AT_ONCE - FIRST_AT_ONCE);
    var failed = new AtomicBoolean();
    var tasks = new ArrayList<Callable<Boolean>>();
    for (var purpose : wanted.purposes()) {
      var first = newRunner(set, purpose);
      tasks.add(() -> {
        places.acquire();
        boolean done = false;
        try {
          if (!failed.get()) {
            made.accept(createOne(first, () -> newRunner(set, purpose)));
          }
          done = true;
        } finally {
          failed.compareAndSet(false, !done);
          places.release(done && more.getAndDecrement() > 0 ? 2 : 1);
        }
        return done;
      });
    }
    for (var result : Parallel.run(threads, tasks)) {
      switch (result) {
        case Parallel.Result.Done<Boolean> _ -> {}
        case Parallel.Result.Failed<Boolean>(var cause) -> throw kubernetesFailure(cause);
        case Parallel.Result.Unknown<Boolean>() -> {
          failed.set(true); // what waits for its place is not begun
          throw new KubernetesClientException("interrupted while making runners");
        }
      }
    }
  }

  private EphemeralRunner newRunner(EphemeralRunnerSet set, ProvisionedFor purpose) {
    var runner = RunnerTemplate.newRunner(set, purpose, random);
    newRunners.making(runner);
    return runner;
  }

  /**
   * A name is sent once (NM1): a request whose answer was lost may be carried out after its runner
   * has come and gone. If the runner is there it is success; if not, another one is made.
   */
  private EphemeralRunner createOne(EphemeralRunner first, Supplier<EphemeralRunner> another) {
    try {
      return kube.create(first);
    } catch (KubernetesClientException e) {
      if (e.getCode() >= 400 && e.getCode() < 500 && e.getCode() != 409) {
        throw e;
      }
      var found = kube.get(EphemeralRunner.class, Resource.of(first));
      if (found == null) {
        return kube.create(another.get());
      }
      if (!ownerUids(found).equals(ownerUids(first))) {
        throw e;
      }
      return found;
    }
  }

  private static List<String> ownerUids(EphemeralRunner runner) {
    return runner.getMetadata().getOwnerReferences().stream().map(o -> o.getUid()).toList();
  }

  private static KubernetesClientException kubernetesFailure(@Nullable Throwable cause) {
    return cause instanceof KubernetesClientException k
        ? k
        : new KubernetesClientException("making a runner failed: " + cause, cause);
  }
}
