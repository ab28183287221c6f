package dev.runnerset.e2e.deletion;

import static org.assertj.core.api.SoftAssertions.assertSoftly;

import dev.runnerset.demo.cluster.Cluster;
import dev.runnerset.demo.programs.Program;
import dev.runnerset.demo.progress.Progress;
import dev.runnerset.demo.world.World;
import dev.runnerset.e2e.Play;
import dev.runnerset.e2e.SeparateSet;
import dev.runnerset.e2e.deletion.Deletion.Meanwhile;
import dev.runnerset.e2e.deletion.Deletion.Trait;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Sets, and parts of them, are deleted: first while both programs run, then while a program is
 * killed.
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

  private DeletionsScript(World world, Progress progress) {
    this.world = world;
    this.progress = progress;
  }

  /** Plays these in a world of their own. */
  static void play(Cluster cluster, Path folder, List<Deletion> deletions) throws IOException {
    Play.run(
        cluster,
        Play.SETTING,
        folder,
        (world, progress) -> new DeletionsScript(world, progress).run(deletions));
  }

  private void run(List<Deletion> deletions) {
    world.begin(1, 4);
    var faults = SeparateSet.faultsOf(world);
    try (var seen = new Sightings(world.kube(), clock)) {
      var runs = new ArrayList<DeletionRun>();
      for (var deletion : deletions) {
        var set = new SeparateSet(deletion.id(), world, faults, clock);
        sets.add(set);
        runs.add(new DeletionRun(deletion, set, seen, progress, clock));
      }
      var whileKilled = only(runs, d -> d.meanwhile().isOfPrograms());
      whileBothRun(only(runs, d -> !d.meanwhile().isOfPrograms()), whileKilled);
      KILLED.forEach(meanwhile -> whileKilled(meanwhile, whileKilled));
      world.submit(2, JOB);
      world.awaitJobsDone(PATIENCE);
      assertSoftly(softly -> runs.forEach(run -> run.check(softly)));
    } finally {
      sets.forEach(SeparateSet::close);
    }
  }

  private static List<DeletionRun> only(List<DeletionRun> runs, Predicate<Deletion> which) {
    return runs.stream().filter(run -> which.test(run.deletion())).toList();
  }

  /**
   * Deletions while both programs run. The jobs end when each deletion has reported what it waits
   * for: those whose time is counted from there one after the other, with nothing else under way.
   *
   * @param next what is to be prepared while the last ones come to their end
   */
  private void whileBothRun(List<DeletionRun> runs, List<DeletionRun> next) {
    progress.step(runs.size() + " deletions, each on a set of its own");
    together(
        runs,
        run -> {
          run.prepare();
          run.delete();
          run.awaitWords(Instant.EPOCH);
          if (!run.deletion().phase().hasJob()) {
            run.finish();
          }
        });
    progress.step("the jobs end");
    only(runs, Deletion::isTimed).forEach(DeletionRun::finish);
    progress.step(next.size() + " sets for deletions while a program is away");
    together(
        Stream.concat(runs.stream(), next.stream()).toList(),
        run -> {
          if (next.contains(run)) {
            run.prepare();
            return;
          }
          if (run.deletion().phase().hasJob() && !run.deletion().isTimed()) {
            run.finish();
          }
          run.clear();
        });
  }

  private void whileKilled(Meanwhile meanwhile, List<DeletionRun> all) {
    var runs = only(all, d -> d.meanwhile() == meanwhile);
    if (runs.isEmpty()) {
      return;
    }
    progress.step(runs.size() + " deletions with " + meanwhile);
    var programs =
        switch (meanwhile) {
          case CONTROLLER_KILLED -> List.of(world.controller());
          case LISTENER_KILLED -> List.of(world.listener());
          default -> List.of(world.controller(), world.listener());
        };
    programs.forEach(Program::kill);
    together(runs, DeletionRun::delete);
    together(only(runs, d -> d.is(Trait.JOB_ENDS_MEANWHILE)), DeletionRun::endJob);
    programs.forEach(Program::start);
    var since = clock.instant();
    together(
        runs,
        run -> {
          run.awaitWords(since);
          run.finish();
          run.clear();
        });
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
