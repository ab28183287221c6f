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
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Makes runners in parallel, in growing batches. A batch with a failure is the last one, so that a
 * quota costs few requests (NM4).
 *
 * @param threads one thread a request
 */
record RunnerCreator(
    KubeApi kube, RandomGenerator random, ExecutorService threads, NewRunners newRunners) {
  private static final int FIRST_BATCH = 4;
  private static final int LARGEST_BATCH = 24;

  /**
   * Makes runners; {@code made} is called with each of them.
   *
   * @throws KubernetesClientException the first refusal; what was made before stays
   */
  void create(EphemeralRunnerSet set, Provisioning wanted, Consumer<EphemeralRunner> made) {
    int batch = FIRST_BATCH;
    for (int done = 0; done < wanted.count(); batch = Math.min(batch * 2, LARGEST_BATCH)) {
      int size = Math.min(batch, wanted.count() - done);
      createBatch(set, wanted.purposes(done, size), made);
      done += size;
    }
  }

  private void createBatch(
      EphemeralRunnerSet set, List<ProvisionedFor> purposes, Consumer<EphemeralRunner> made) {
    var tasks = new ArrayList<Callable<EphemeralRunner>>();
    for (var purpose : purposes) {
      var first = newRunner(set, purpose);
      tasks.add(() -> createOne(first, () -> newRunner(set, purpose)));
    }
    KubernetesClientException failure = null;
    for (var result : Parallel.run(threads, tasks)) {
      switch (result) {
        case Parallel.Result.Done<EphemeralRunner>(var runner) -> made.accept(runner);
        case Parallel.Result.Failed<EphemeralRunner>(var cause) ->
            failure = failure != null ? failure : kubernetesFailure(cause);
        case Parallel.Result.Unknown<EphemeralRunner>() ->
            throw new KubernetesClientException("interrupted while making runners");
      }
    }
    if (failure != null) {
      throw failure;
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
