package dev.runnerset.demo;

import dev.runnerset.demo.Deletion.Meanwhile;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/**
 * Sets, and parts of them, are deleted: first all at a time while both programs run, then while a
 * program is killed.
 */
final class DeletionsScript {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration JOB = Duration.ofSeconds(1);

  private static final List<Meanwhile> KILLED =
      List.of(Meanwhile.CONTROLLER_KILLED, Meanwhile.LISTENER_KILLED, Meanwhile.BOTH_KILLED);

  private final World world;
  private final Progress progress;
  private final Clock clock = Clock.systemUTC();
  private final List<SeparateSet> sets = new ArrayList<>();

  DeletionsScript(World world, Progress progress) {
    this.world = world;
    this.progress = progress;
  }

  Findings.Deletions run(List<Deletion> deletions) {
    var begin = clock.instant();
    world.begin(1, 4);
    int pace = pace(Duration.between(begin, clock.instant()));
    var faults = SeparateSet.faultsOf(world);
    try (var seen = new Sightings(world.kube(), clock)) {
      var runs = new ArrayList<DeletionRun>();
      for (var deletion : deletions) {
        var set = new SeparateSet(deletion.id(), world, faults, clock);
        sets.add(set);
        runs.add(new DeletionRun(deletion, set, seen, progress, pace, clock));
      }
      whileBothRun(runs);
      KILLED.forEach(meanwhile -> whileKilled(meanwhile, runs));
      world.submit(2, JOB);
      world.awaitJobsDone(PATIENCE);
      var found = new ArrayList<Findings.Deleted>();
      runs.forEach(run -> found.add(run.found()));
      return new Findings.Deletions(found);
    } finally {
      sets.forEach(SeparateSet::close);
    }
  }

  /** On two cores of its own the set is ready after 6 s. */
  private static int pace(Duration begin) {
    return Math.clamp(begin.toSeconds() / 8, 1, 4);
  }

  private void whileBothRun(List<DeletionRun> all) {
    var now = all.stream().filter(r -> !r.deletion().meanwhile().isOfPrograms()).toList();
    whileBothRun(
        now.stream().filter(r -> !r.deletion().phase().hasJob()).toList(), "without a job");
    whileBothRun(now.stream().filter(r -> r.deletion().phase().hasJob()).toList(), "with a job");
  }

  private void whileBothRun(List<DeletionRun> runs, String which) {
    progress.step(runs.size() + " deletions " + which + ", each on a set of its own");
    together(
        runs,
        run -> {
          run.prepare();
          run.delete();
          run.finish(Instant.EPOCH);
        });
  }

  private void whileKilled(Meanwhile meanwhile, List<DeletionRun> all) {
    var runs = all.stream().filter(r -> r.deletion().meanwhile() == meanwhile).toList();
    if (runs.isEmpty()) {
      return;
    }
    progress.step(runs.size() + " deletions with " + meanwhile);
    together(runs, DeletionRun::prepare);
    var programs =
        switch (meanwhile) {
          case CONTROLLER_KILLED -> List.of(world.controller());
          case LISTENER_KILLED -> List.of(world.listener());
          default -> List.of(world.controller(), world.listener());
        };
    programs.forEach(Program::kill);
    together(runs, DeletionRun::delete);
    world.settle(PATIENCE, () -> runs.stream().allMatch(r -> !r.isShort() || r.set().isDone()));
    programs.forEach(Program::start);
    var since = clock.instant();
    together(runs, run -> run.finish(since));
  }

  private static void together(List<DeletionRun> runs, Consumer<DeletionRun> step) {
    try (var all = Executors.newVirtualThreadPerTaskExecutor()) {
      runs.stream()
          .map(run -> CompletableFuture.runAsync(() -> step.accept(run), all))
          .toList()
          .forEach(CompletableFuture::join);
    }
  }
}
