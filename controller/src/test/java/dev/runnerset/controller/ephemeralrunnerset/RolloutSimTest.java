package dev.runnerset.controller.ephemeralrunnerset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.audit.ServiceCounts;
import dev.runnerset.controller.passes.Steps;
import dev.runnerset.controller.removal.FakeService;
import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.Runners;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSpec;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.NameReference;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.crds.RunnerRemoval;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whole rollouts in virtual time, through the reconciler's pass: the warm pool stands, and the
 * rollout ends, or waits.
 */
class RolloutSimTest implements ReplicasPass.Actions {
  /** A share for each change; 1,000 come each night. */
  private static final int SEEDS = Integer.getInteger("seeds", 25);

  static LongStream seeds() {
    return LongStream.range(0, SEEDS);
  }

  /** One runner; {@code readyAt} is never while it has no place, or does not come up. */
  private static final class Sim {
    final String name;
    final String revision;
    private final EphemeralRunner resource;
    Instant readyAt;
    Instant busyUntil = Instant.EPOCH;
    Instant suspectUntil = Instant.EPOCH;
    @Nullable Instant failedAt;

    Sim(String name, String revision, Instant createdAt, Instant readyAt) {
      this.name = name;
      this.revision = revision;
      this.readyAt = readyAt;
      resource = FakeService.runner(name, 0);
      resource.getMetadata().setCreationTimestamp(createdAt.toString());
      resource.getMetadata().setOwnerReferences(List.of(SimSet.OWNER));
      resource.setSpec(
          EphemeralRunnerSpec.builder(
                  "https://github.com/o", new NameReference("s"), FakeService.OURS)
              .revision(revision)
              .setGeneration(1L)
              .build());
    }

    boolean isReady(Instant now) {
      return failedAt == null && !now.isBefore(readyAt);
    }

    boolean isBusy(Instant now) {
      return now.isBefore(busyUntil);
    }

    /** The resource with the status of that instant. */
    EphemeralRunner resource(Instant now) {
      boolean started = !now.isBefore(readyAt);
      resource.setStatus(
          EphemeralRunnerStatus.builder()
              .phase(
                  failedAt != null
                      ? RunnerPhase.FAILED
                      : started ? RunnerPhase.RUNNING : RunnerPhase.PENDING)
              .runnerName(name)
              .idleSince(started ? readyAt : null)
              .completionTime(failedAt)
              .jobId(isBusy(now) ? "job" : null)
              .removal(
                  suspectUntil.equals(Instant.EPOCH) ? null : new RunnerRemoval(suspectUntil, 1))
              .build());
      return resource;
    }
  }

  private final List<Sim> runners = new ArrayList<>();
  private final ReplicasPass pass =
      new ReplicasPass(Gathering.withoutExits(), PlannerRows.features(), this);
  private SetMemory memory = Gathering.memory();
  private String revision = "r1";
  private Instant now = Runners.T0.plusSeconds(3600);
  private int made;

  /** When a runner that is made now comes up. */
  private Supplier<Instant> comesUp = () -> now;

  /** What happens at the request to remove a runner, as by {@link #answer}. */
  private Consumer<Sim> asked = runners::remove;

  /** Looks at a plan of removals before it is carried out. */
  private Consumer<RemovalPlan> removalSeen = _ -> {};

  /** One pass of the reconciler; the demand is that of the jobs that run. */
  private void reconcile(int replicas, int max, int busy) {
    Set<EphemeralRunner> labelled = Collections.newSetFromMap(new IdentityHashMap<>());
    runners.forEach(runner -> labelled.add(runner.resource(now)));
    var demand = Runners.demand(Runners.T0, busy, busy, busy, 0);
    var set = SimSet.of(replicas, max, revision, demand);
    readCounts(busy);
    var steps = new Steps();
    var _ = pass.run(set, Gathering.changes(memory, labelled), 0, memory, steps, now);
    steps.end();
  }

  /** The service counts a runner that is ready from the next second on (RN7). */
  private void readCounts(int busy) {
    int idle = (int) warm();
    var counts = new ServiceCounts(now, busy, busy, busy + idle, busy, idle);
    memory.audit().updateAndGet(state -> state.learned(counts));
  }

  @Override
  public void create(EphemeralRunnerSet set, Provisioning wanted, SetMemory of) {
    for (int i = 0; i < wanted.count(); i++) {
      runners.add(new Sim("n" + made++, revision, now, comesUp.get()));
    }
  }

  @Override
  public void deleteFinished(List<RunnerView> finished, SetMemory of) {
    finished.forEach(view -> runners.remove(named(view.name())));
  }

  @Override
  public void remove(RemovalPlan plan, SetMoment moment, SetMemory of) {
    // its requests are not counted: each runner waits by itself
    removalSeen.accept(plan);
    plan.candidates().stream()
        .limit(plan.wanted())
        .forEach(view -> asked.accept(named(view.name())));
  }

  private Sim named(String name) {
    return runners.stream().filter(r -> r.name.equals(name)).findFirst().orElseThrow();
  }

  private boolean isOld(Sim runner) {
    return !runner.revision.equals(revision);
  }

  private void old(int i) {
    var since = Runners.T0.plusSeconds(i);
    runners.add(new Sim("o" + i, "r0", since, since));
  }

  private long warm() {
    return runners.stream().filter(r -> r.isReady(now) && !r.isBusy(now)).count();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void theWarmPoolStandsAndTheRolloutEnds(long seed) {
    var random = new SplittableRandom(seed);
    int warm = 1 + random.nextInt(20);
    int jobs = random.nextInt(6);
    int max = warm + jobs + random.nextInt(8);
    boolean room = max > warm + jobs;
    for (int i = 0; i < warm + jobs; i++) {
      old(i);
      if (i < jobs) {
        runners.getLast().busyUntil = now.plusSeconds(random.nextInt(1, 300));
      }
    }
    int least = warm - (room ? 0 : Math.max(1, warm / 4));
    comesUp = () -> now.plusSeconds(1 + random.nextInt(20));
    var end = now.plusSeconds(600);
    while (now.isBefore(end)) {
      // a busy runner ends with its job, and the job no longer counts
      runners.removeIf(r -> r.busyUntil.isAfter(Instant.EPOCH) && !r.isBusy(now));
      int busy = (int) runners.stream().filter(r -> r.isBusy(now)).count();
      reconcile(warm + busy, max, busy);
      assertThat(warm())
          .as("seed %d at %s: warm of %d", seed, now, warm)
          .isGreaterThanOrEqualTo(least);
      assertThat(runners.size()).as("seed %d at %s: all", seed, now).isLessThanOrEqualTo(max);
      now = now.plusSeconds(1);
    }
    assertThat(runners).as("seed %d: nothing older is left", seed).noneMatch(this::isOld);
    assertThat(warm()).as("seed %d", seed).isEqualTo(warm);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void aRevisionThatDoesNotComeUpCostsAtMostOneStep(long seed) {
    var random = new SplittableRandom(seed);
    int warm = 1 + random.nextInt(20);
    int max = warm + random.nextInt(4);
    boolean crashes = random.nextBoolean(); // else its pods wait for their image for ever
    for (int i = 0; i < warm; i++) {
      old(i);
    }
    comesUp = () -> crashes ? now.plusSeconds(1) : Instant.MAX;
    int least = warm - (crashes && max > warm ? 0 : Math.max(1, warm / 4));
    var end = now.plusSeconds(1200);
    while (now.isBefore(end)) {
      for (var runner : runners) {
        // it starts, and its container ends two seconds later
        if (crashes && !isOld(runner) && !now.isBefore(runner.readyAt.plusSeconds(2))) {
          runner.failedAt = now;
        }
      }
      reconcile(warm, max, 0);
      long old = runners.stream().filter(this::isOld).count();
      assertThat(old).as("seed %d at %s: of %d", seed, now, warm).isGreaterThanOrEqualTo(least);
      now = now.plusSeconds(1);
    }
  }

  /** maxRunners leaves room, and the cluster does not: an old one has to go for each new one. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void aClusterOfFewerPlacesThanMaxRunnersEndsTheRolloutToo(long seed) {
    var random = new SplittableRandom(seed);
    int warm = 1 + random.nextInt(12);
    int places = warm + random.nextInt(2);
    for (int i = 0; i < warm; i++) {
      old(i);
    }
    int least = warm - Math.max(1, warm / 4);
    comesUp = () -> Instant.MAX;
    var end = now.plusSeconds(3600);
    while (now.isBefore(end) && runners.stream().anyMatch(r -> isOld(r) || !r.isReady(now))) {
      // those that have a place come up: the scheduler takes them in their order
      runners.stream()
          .limit(places)
          .filter(r -> r.readyAt.equals(Instant.MAX))
          .forEach(r -> r.readyAt = now.plusSeconds(1 + random.nextInt(20)));
      reconcile(warm, 100, 0);
      assertThat(warm()).as("seed %d at %s: of %d", seed, now, warm).isGreaterThanOrEqualTo(least);
      now = now.plusSeconds(1);
    }
    assertThat(runners).as("seed %d: nothing older is left", seed).noneMatch(this::isOld);
    assertThat(warm()).as("seed %d", seed).isEqualTo(warm);
  }

  /** Jobs take idle runners, removals are refused or fail, and the template changes once more. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void jobsRefusalsErrorsRestartsAndAnotherRevisionHoldUpNothingForEver(long seed) {
    var random = new SplittableRandom(seed);
    int warm = 1 + random.nextInt(12);
    int max = warm + random.nextInt(12);
    for (int i = 0; i < warm; i++) {
      old(i);
    }
    int step = Math.max(1, warm / 4);
    var another = now.plusSeconds(random.nextInt(60));
    var calm = now.plusSeconds(120);
    comesUp = () -> now.plusSeconds(1 + random.nextInt(20));
    asked = runner -> answer(runner, now.isBefore(calm) ? random.nextInt(4) : 3);
    removalSeen =
        plan -> {
          if (plan.reason() == RemovalReason.REVISION) {
            assertThat(plan.candidates()).as("seed %d at %s", seed, now).hasSizeBetween(1, step);
          }
        };
    var end = now.plusSeconds(1500);
    for (; now.isBefore(end) && !isOver(calm, warm); now = now.plusSeconds(1)) {
      runners.removeIf(r -> r.busyUntil.isAfter(Instant.EPOCH) && !r.isBusy(now));
      if (now.equals(another)) {
        revision = "r2";
      }
      if (random.nextInt(20) == 0) {
        memory = Gathering.memory(); // a restart forgets what failed
      }
      var idle = runners.stream().filter(r -> r.isReady(now) && !r.isBusy(now)).toList();
      int busy = runners.size() - (int) runners.stream().filter(r -> !r.isBusy(now)).count();
      if (now.isBefore(calm) && !idle.isEmpty() && busy < max - warm && random.nextInt(4) == 0) {
        idle.get(random.nextInt(idle.size())).busyUntil = now.plusSeconds(random.nextInt(1, 60));
        busy++;
      }
      reconcile(warm + busy, max, busy);
      // a job that comes meanwhile raises the target under replacements that are made already
      assertThat(runners.size())
          .as("seed %d at %s: all", seed, now)
          .isLessThanOrEqualTo(max + step);
    }
    assertThat(runners).as("seed %d: nothing older is left", seed).noneMatch(this::isOld);
    assertThat(warm()).as("seed %d", seed).isEqualTo(warm);
  }

  private boolean isOver(Instant calm, int warm) {
    return now.isAfter(calm) && runners.stream().noneMatch(this::isOld) && warm() == warm;
  }

  /** What the service says to a removal; a job that it knows of may not have been heard of yet. */
  private void answer(Sim runner, int answer) {
    var removals = memory.removals();
    var uid = runner.resource.getMetadata().getUid();
    var retryAt = removals.of(uid, null).retryAt();
    assertThat(runner.isBusy(now)).as("I1: %s has a job", runner.name).isFalse();
    assertThat(now).as("%s is asked too soon", runner.name).isAfterOrEqualTo(runner.suspectUntil);
    assertThat(now)
        .as("%s is asked too soon", runner.name)
        .isAfterOrEqualTo(retryAt == null ? Instant.EPOCH : retryAt);
    switch (answer) {
      case 0 -> runner.suspectUntil = now.plusSeconds(300);
      case 1 -> removals.failed(uid, now);
      default -> runners.remove(runner);
    }
  }
}
