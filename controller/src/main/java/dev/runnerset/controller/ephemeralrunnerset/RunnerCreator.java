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
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Makes runners in parallel, in growing batches. A batch with a failure is the last one, so that a
 * quota costs few requests (NM4).
 */
final class RunnerCreator {
  private static final int FIRST_BATCH = 4;
  private static final int LARGEST_BATCH = 24;

  private final KubeApi kube;
  private final RandomGenerator random;
  private final ExecutorService threads;
  private final NewRunners newRunners;

  /**
   * A creator for all sets.
   *
   * @param threads one thread a request
   */
  RunnerCreator(
      KubeApi kube, RandomGenerator random, ExecutorService threads, NewRunners newRunners) {
    this.newRunners = newRunners;
    this.kube = kube;
    this.random = random;
    this.threads = threads;
  }

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
      var runner = RunnerTemplate.newRunner(set, purpose, random);
      newRunners.making(runner);
      tasks.add(() -> createOne(runner));
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

  /**
   * A request whose answer was lost is sent again with the same name; a 409 for our own runner is
   * success (NM1).
   */
  private EphemeralRunner createOne(EphemeralRunner runner) {
    try {
      return kube.create(runner);
    } catch (KubernetesClientException e) {
      if (e.getCode() >= 400 && e.getCode() < 500) {
        throw e;
      }
      try {
        return kube.create(runner);
      } catch (KubernetesClientException again) {
        var existing = again.getCode() == 409 ? existing(runner) : null;
        if (existing == null) {
          throw again;
        }
        return existing;
      }
    }
  }

  private @Nullable EphemeralRunner existing(EphemeralRunner runner) {
    var found = kube.get(EphemeralRunner.class, Resource.of(runner));
    var ours = ownerUids(runner);
    return found != null && ownerUids(found).equals(ours) ? found : null;
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
