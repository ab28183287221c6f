package dev.runnerset.e2e.stalls;

import static org.assertj.core.api.SoftAssertions.assertSoftly;

import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.demo.progress.DemoException;
import dev.runnerset.demo.progress.Progress;
import dev.runnerset.demo.world.World;
import dev.runnerset.e2e.SeparateSet;
import dev.runnerset.e2e.SetHealth;
import dev.runnerset.simulator.node.PodFault;
import io.fabric8.kubernetes.api.model.Event;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Sets are stalled, each by a cause of its own, and are to tell of it and to go on by themselves.
 */
final class StallsScript {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration INTERVAL = Duration.ofMillis(250);
  private static final Duration JOB = Duration.ofSeconds(1);

  /** More of them at a time keep two cores so busy that events come late. */
  private static final int MOST_AT_ONCE = 30;

  private final World world;
  private final Progress progress;
  private final Clock clock = Clock.systemUTC();
  private final List<SeparateSet> sets = new ArrayList<>();
  private long bystanderProblems;

  StallsScript(World world, Progress progress) {
    this.world = world;
    this.progress = progress;
  }

  /**
   * What was found.
   *
   * @param bystanderProblems problems that a set reported although nothing was done to it
   * @param jobsLeft jobs of the stalled sets that were not done at the end
   * @param setsLeft sets that could not be deleted
   */
  record Found(
      List<StallResult> rows,
      long bystanderProblems,
      long jobsLeft,
      long jobsLost,
      long violations,
      List<String> setsLeft) {
    void check() {
      assertSoftly(softly -> {
        rows.forEach(row -> row.check(softly));
        softly
            .assertThat(bystanderProblems)
            .as("problems of a set that nothing was done to")
            .isZero();
        softly.assertThat(jobsLeft).as("jobs that were not done").isZero();
        softly.assertThat(jobsLost).as("jobs that were lost").isZero();
        softly.assertThat(violations).as("violations at the services").isZero();
        softly.assertThat(setsLeft).as("sets that could not be deleted").isEmpty();
      });
    }
  }

  /** The runs in which these are tried: those that stall one set in waves. */
  Found run(List<Stall> news, List<Stall> warms) {
    try {
      return stalls(news, warms);
    } finally {
      sets.forEach(SeparateSet::close);
    }
  }

  private Found stalls(List<Stall> news, List<Stall> warms) {
    world.begin(1, 4);
    var faults = SeparateSet.faultsOf(world);
    var runs = new ArrayList<StallRun>();
    warms.forEach(s -> runs.add(run(s, true, faults)));
    news.forEach(s -> runs.add(run(s, false, faults)));
    progress.step(warms.size() + " sets run their first jobs");
    warmUp(runs.stream().filter(StallRun::isWarm).toList());
    world.submit(2, JOB);
    var together = runs.stream().filter(r -> !r.stall().is(Stall.Trait.ALONE)).toList();
    int waves = Math.ceilDiv(together.size(), MOST_AT_ONCE);
    for (int wave = 0; wave < waves; wave++) {
      var causes = every(waves, wave, together);
      progress.step(causes.size() + " causes, each on a set of its own");
      play(causes, true);
    }
    world.submit(2, JOB);
    world.awaitJobsDone(PATIENCE);
    for (var run : runs) {
      if (run.stall().is(Stall.Trait.ALONE)) {
        progress.step("a cause that stalls every set: " + run.stall().id());
        play(List.of(run), false);
        awaitWell();
      }
    }
    var found = runs.stream().map(StallRun::found).toList();
    var jobs = sets.stream().map(s -> s.service().control().jobCounts()).toList();
    long undone = jobs.stream().mapToLong(j -> j.submitted() - j.completed()).sum();
    long lost = jobs.stream().mapToLong(j -> j.lost()).sum();
    clear();
    return new Found(found, bystanderProblems, undone, lost, violations(), left());
  }

  /** Each {@code step}th of them, from {@code first} on. */
  static <T> List<T> every(int step, int first, List<T> all) {
    return IntStream.range(0, all.size())
        .filter(i -> i % step == first)
        .mapToObj(all::get)
        .toList();
  }

  private StallRun run(Stall stall, boolean warm, Map<String, PodFault> faults) {
    var set = new SeparateSet(stall.id() + (warm ? "-warm" : "-new"), world, faults, clock);
    sets.add(set);
    set.prepare();
    stall.acts().before().accept(set);
    if (warm) {
      set.make("", stall.pod());
    }
    return new StallRun(stall, set, warm, progress);
  }

  private void warmUp(List<StallRun> runs) {
    runs.forEach(r -> r.set().jobs(2, JOB));
    awaitWarm(runs);
  }

  private void awaitWarm(List<StallRun> runs) {
    world.await(
        "every set has run its jobs",
        PATIENCE,
        () -> cold(runs).isEmpty(),
        () -> "not yet " + cold(runs));
  }

  /** The next cause meets sets that are well. */
  private void awaitWell() {
    world.settle(Stall.BAR, () -> ill().isEmpty());
    if (!ill().isEmpty()) {
      progress.step("not well: " + ill());
    }
  }

  private List<String> ill() {
    return read().values().stream()
        .filter(s -> !SetHealth.isWell(s.statusOrNone().conditions()))
        .map(s -> s.getMetadata().getName() + " " + problems(s))
        .toList();
  }

  private List<String> cold(List<StallRun> runs) {
    var all = read();
    return runs.stream()
        .filter(r -> {
          var set = all.get(r.set().name());
          return set == null || !r.set().isWarm(set);
        })
        .map(r -> r.set().name() + " " + problems(all.get(r.set().name())))
        .toList();
  }

  private static List<String> problems(@Nullable AutoScalingRunnerSet set) {
    return set == null ? List.of() : SetHealth.problems(set.statusOrNone().conditions());
  }

  /** All sets by their names. */
  private Map<String, AutoScalingRunnerSet> read() {
    var all = new HashMap<String, AutoScalingRunnerSet>();
    world
        .kube()
        .resources(AutoScalingRunnerSet.class)
        .inAnyNamespace()
        .list()
        .getItems()
        .forEach(set -> all.put(set.getMetadata().getName(), set));
    return all;
  }

  private void play(List<StallRun> runs, boolean bystander) {
    try (var all = Executors.newVirtualThreadPerTaskExecutor()) {
      runs.stream()
          .map(run -> CompletableFuture.runAsync(() -> run.cause(clock.instant()), all))
          .toList()
          .forEach(CompletableFuture::join);
    }
    var open = new ArrayList<>(runs);
    while (!open.isEmpty()) {
      world.pass(INTERVAL);
      var all = read();
      var seen = new Seen();
      var now = clock.instant();
      open.forEach(run -> run.observe(all.get(run.set().name()), seen, now));
      open.removeIf(StallRun::isOver);
      var linux = all.get(World.SET);
      if (bystander && !problems(linux).isEmpty()) {
        progress.step("a set that nothing was done to says: " + problems(linux));
        bystanderProblems++;
      }
    }
  }

  /** Read once at most, for all sets. */
  private final class Seen implements StallRun.Traces {
    private @Nullable String page;
    private @Nullable List<Event> events;

    @Override
    public String metrics() {
      var read = page == null ? readPage() : page;
      page = read;
      return read;
    }

    /** Empty if the answer takes too long: the next look reads again. */
    private String readPage() {
      try {
        return world.probe().page("/metrics");
      } catch (DemoException e) {
        return "";
      }
    }

    @Override
    public Stream<Event> events(String namespace) {
      var read = events == null ? read() : events;
      events = read;
      return read.stream().filter(e -> namespace.equals(e.getMetadata().getNamespace()));
    }

    private List<Event> read() {
      return world
          .kube()
          .v1()
          .events()
          .inAnyNamespace()
          .withField("involvedObject.kind", "AutoScalingRunnerSet")
          .list()
          .getItems();
    }
  }

  private long violations() {
    return sets.stream().mapToLong(s -> s.service().control().violations().size()).sum();
  }

  private List<String> left() {
    var all = read();
    return sets.stream()
        .map(SeparateSet::name)
        .filter(all::containsKey)
        .map(name -> name + " " + problems(all.get(name)))
        .toList();
  }

  /** The sets go, and their namespaces with them. */
  private void clear() {
    progress.step("deleting the sets that were stalled");
    sets.forEach(SeparateSet::deleteSet);
    world.settle(PATIENCE, () -> left().isEmpty());
    if (!left().isEmpty()) {
      progress.step("NOT deleted after " + PATIENCE.toSeconds() + " s: " + left());
    }
    sets.forEach(SeparateSet::deleteNamespace);
  }
}
