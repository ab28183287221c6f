package dev.runnerset.e2e.deletion;

import static org.assertj.core.api.SoftAssertions.assertSoftly;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import dev.runnerset.demo.cluster.Cluster;
import dev.runnerset.demo.progress.Progress;
import dev.runnerset.demo.progress.Waiting;
import dev.runnerset.demo.world.World;
import dev.runnerset.e2e.Play;
import dev.runnerset.e2e.SeparateSet;
import dev.runnerset.e2e.SetHealth;
import dev.runnerset.e2e.deletion.Prune.Pace;
import dev.runnerset.e2e.deletion.Prune.Part;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.assertj.core.api.SoftAssertions;

/**
 * A set, its secret and its rights go in some order while five jobs run: no job is killed, and when
 * the jobs have ended nothing is left.
 */
final class PruneScript {
  private static final int JOBS = 5;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Longer than any order: it ends when the test says so. */
  private static final Duration JOB = Duration.ofHours(1);

  private static final String BINDING = "runnerset-manager";
  private static final String ACCOUNT = "runner";

  private final World world;
  private final Progress progress;
  private final Waiting waiting;
  private final Clock clock = Clock.systemUTC();
  private final Map<Prune, SeparateSet> sets = new HashMap<>();

  private PruneScript(World world, Progress progress) {
    this.world = world;
    this.progress = progress;
    waiting = new Waiting(progress, clock);
  }

  /** Plays these in a world of their own, each on a set of its own. */
  static void play(Cluster cluster, Path folder, List<Prune> prunes) throws IOException {
    Play.run(
        cluster,
        Play.SETTING,
        folder,
        (world, progress) -> new PruneScript(world, progress).run(prunes));
  }

  private void run(List<Prune> prunes) {
    world.begin(1, 4);
    var faults = SeparateSet.faultsOf(world);
    prunes.forEach(p -> sets.put(p, new SeparateSet(p.id(), world, faults, clock)));
    try {
      progress.step(prunes.size() + " sets get " + JOBS + " jobs each");
      together(prunes, this::prepare);
      progress.step("they are deleted, each in an order of its own");
      together(prunes, this::delete);
      assertSoftly(softly -> prunes.forEach(prune -> checkJobsRun(softly, prune)));
      progress.step("their jobs end");
      together(prunes, this::endJobs);
      assertSoftly(softly -> prunes.forEach(prune -> checkNothingIsLeft(softly, prune)));
    } finally {
      sets.values().forEach(SeparateSet::close);
    }
  }

  private SeparateSet set(Prune prune) {
    return Objects.requireNonNull(sets.get(prune));
  }

  private void prepare(Prune prune) {
    var set = set(prune);
    set.prepare();
    set.apply(
        "{apiVersion: v1, kind: ServiceAccount, metadata: {name: %s, namespace: %s}}"
            .formatted(ACCOUNT, set.namespace()));
    set.make("", "serviceAccountName: " + ACCOUNT, JOBS);
    set.jobs(JOBS, JOB);
    await(set, "its jobs run", () -> busyRunners(set) == JOBS);
    await(
        set,
        "its binding is held",
        () ->
            binding(set).get() instanceof RoleBinding there
                && there.hasFinalizer(Labels.MANAGER_FINALIZER));
  }

  private void delete(Prune prune) {
    if (prune.pace() == Pace.TOGETHER) {
      together(prune.parts(), part -> delete(set(prune), part));
    } else {
      for (var part : prune.parts()) {
        delete(set(prune), part);
        if (prune.pace() == Pace.APART) {
          await(
              set(prune),
              "the controller has seen that its " + part + " goes",
              () -> isSeen(set(prune), part));
        }
      }
    }
    await(
        set(prune),
        "it says that it waits for its jobs",
        () -> says(set(prune), "Ready Deleting: .*" + JOBS + " with a job.*"));
  }

  private void delete(SeparateSet set, Part part) {
    switch (part) {
      case SET -> set.deleteSet();
      case SECRET -> set.deleteSecret();
      case RIGHTS -> {
        binding(set).delete();
        world.kube().serviceAccounts().inNamespace(set.namespace()).withName(ACCOUNT).delete();
      }
      case NAMESPACE -> set.deleteNamespace();
    }
  }

  private boolean isSeen(SeparateSet set, Part part) {
    return switch (part) {
      case SET -> says(set, "Ready Deleting: .*");
      case SECRET -> says(set, "Registered SecretNotFound: .*") || says(set, "Ready Deleting: .*");
      // its finalizer holds it
      case RIGHTS -> {
        var binding = binding(set).get();
        yield binding != null && binding.isMarkedForDeletion();
      }
      case NAMESPACE -> true;
    };
  }

  private void endJobs(Prune prune) {
    var set = set(prune);
    for (var job : set.service().control().jobs()) {
      world.node().finishJob(set.namespace(), job.runnerName());
    }
    waiting.settle(PATIENCE, () -> left(prune).isEmpty());
  }

  private void checkJobsRun(SoftAssertions softly, Prune prune) {
    long running = set(prune).service().control().jobCounts().running();
    softly.assertThat(running).as("%s: jobs that run", prune.id()).isEqualTo(JOBS);
  }

  private void checkNothingIsLeft(SoftAssertions softly, Prune prune) {
    var set = set(prune);
    softly.assertThat(set.isDone()).as("%s: all jobs are done", prune.id()).isTrue();
    softly.assertThat(Remains.killed(set)).as("%s: jobs killed", prune.id()).isZero();
    softly.assertThat(left(prune)).as("%s: what is left", prune.id()).isEmpty();
    softly.assertThat(Remains.violations(set)).as("%s: violations", prune.id()).isEmpty();
  }

  /** What is left of a prune: nothing of what its user made may stay either. */
  private List<String> left(Prune prune) {
    var left = Remains.objects(set(prune), true);
    if (prune.parts().contains(Part.NAMESPACE) && Remains.hasNamespace(set(prune))) {
      left.add("Namespace " + prune.id());
    }
    return left;
  }

  /** Whether a condition of the set reads so, from its begin to its end. */
  private static boolean says(SeparateSet set, String pattern) {
    return words(set).stream().anyMatch(words -> words.matches(pattern));
  }

  private static List<String> words(SeparateSet set) {
    var there = set.get();
    return there == null
        ? List.of()
        : there.statusOrNone().conditions().stream().map(SetHealth::words).toList();
  }

  private long busyRunners(SeparateSet set) {
    return world
        .kube()
        .resources(EphemeralRunner.class)
        .inNamespace(set.namespace())
        .list()
        .getItems()
        .stream()
        .filter(runner -> runner.statusOrNone().isBusy())
        .count();
  }

  private Resource<RoleBinding> binding(SeparateSet set) {
    return world.kube().rbac().roleBindings().inNamespace(set.namespace()).withName(BINDING);
  }

  private void await(SeparateSet set, String what, BooleanSupplier done) {
    waiting.await(set.name() + ": " + what, PATIENCE, done, () -> "it says " + words(set));
  }

  private static <T> void together(List<T> all, Consumer<T> step) {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      all.stream()
          .map(each -> CompletableFuture.runAsync(() -> step.accept(each), threads))
          .toList()
          .forEach(CompletableFuture::join);
    }
  }
}
