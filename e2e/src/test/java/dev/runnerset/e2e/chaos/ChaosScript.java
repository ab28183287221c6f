package dev.runnerset.e2e.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.config.ControllerSettings;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.demo.cluster.Cluster;
import dev.runnerset.demo.cluster.RealCluster;
import dev.runnerset.demo.figures.Measure;
import dev.runnerset.demo.progress.DemoException;
import dev.runnerset.demo.progress.Progress;
import dev.runnerset.demo.progress.Times;
import dev.runnerset.demo.world.Setting;
import dev.runnerset.demo.world.World;
import dev.runnerset.e2e.Play;
import dev.runnerset.e2e.SeparateSet;
import dev.runnerset.testcluster.TestCluster;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.assertj.core.api.SoftAssertions;
import org.jspecify.annotations.Nullable;

/**
 * Jobs come all the time while one fault after the other hits the programs, the API server and the
 * way to the service. Those that hit one set come first, all at a time; then those that hit all
 * sets, one after the other, in an order that follows from the seed.
 */
final class ChaosScript {
  private static final Duration INTERVAL = Duration.ofMillis(250);
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int RUNNERS = 40;
  private static final int RUNNERS_OF_OTHERS = 24;
  private static final Duration EVERY = Duration.ofSeconds(1);
  private static final Duration EVERY_OF_OTHERS = Duration.ofSeconds(5);
  private static final int LONGEST_JOB_MS = 8_000;
  private static final int SHORTEST_JOB_MS = 1_000;
  private static final int ANSWER_MS = 3_000;

  /**
   * Seconds after the last fault: a job takes 8 s at most, and its runner some seconds to start.
   */
  private static final double JOBS_DONE = 40;

  private static final double NOTHING_LEFT = 60;

  /** Longer than a full machine keeps a renewal waiting. */
  private static final String[] LEASE = {
    "--lease-duration=12s", "--renew-deadline=8s", "--retry-period=1s"
  };

  private final World world;
  private final ChaosOptions options;
  private final Progress progress;
  private final Clock clock = Clock.systemUTC();

  /** The orders of faults; what the clock decides draws from others. */
  private final SplittableRandom orders;

  private final SplittableRandom lengths;
  private final SplittableRandom moments;
  private final Caretaker programs;
  private final KubernetesClient eyes;
  private final Map<ChaosFault, ChaosSet> setByFault = new LinkedHashMap<>();
  private final List<ChaosSet> sets = new ArrayList<>();
  private final Map<ChaosSet, Instant> nextJob = new LinkedHashMap<>();
  private Supplier<List<String>> leftovers = List::of;

  private ChaosScript(World world, ChaosOptions options, Progress progress) {
    this.world = world;
    this.options = options;
    this.progress = progress;
    var root = new SplittableRandom(options.seed());
    orders = root.split();
    lengths = root.split();
    moments = root.split();
    programs = new Caretaker(List.of(world.controller(), world.listener()), world.kube(), clock);
    // a look is over soon, whether the API server answers or not
    eyes =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder(world.cluster().admin())
                    .withRequestRetryBackoffLimit(0)
                    .withRequestTimeout(ANSWER_MS)
                    .withConnectionTimeout(ANSWER_MS)
                    .build())
            .build();
  }

  /** Plays it in a world of its own, with a proxy before the API server. */
  static void play(Cluster cluster, Path folder, ChaosOptions options) throws IOException {
    var lease = Setting.USUAL.withLease(LEASE);
    Play.run(
        new ProxiedCluster(cluster, folder),
        lease,
        folder,
        (world, progress) -> new ChaosScript(world, options, progress).run());
  }

  private void run() {
    try {
      chaos();
    } catch (DemoException e) {
      throw new DemoException("seed " + options.seed() + ": " + e.getMessage());
    } finally {
      programs.close();
      setByFault.values().forEach(s -> s.set().close());
      setByFault.values().forEach(ChaosSet::close);
      eyes.close();
    }
  }

  private void chaos() {
    var all = ChaosFaults.all();
    var here = place(null);
    var leftOut = all.stream().filter(f -> !here.has(f.needs())).map(ChaosFault::id).toList();
    var faults = all.stream().filter(f -> here.has(f.needs())).filter(this::isWanted).toList();
    progress.step(
        "seed %d, %d faults, left out here: %s".formatted(options.seed(), faults.size(), leftOut));
    assertThat(faults).as("faults that come").isNotEmpty();
    if (here.controlPlane() != null) {
      assertThat(leftOut)
          .as("what a real control plane makes superfluous")
          .containsExactly("api-refused");
    }
    begin(faults);
    var found = new ArrayList<Found>();
    for (int round = 0; round < options.rounds(); round++) {
      found.addAll(ofOneSet(faults));
      found.addAll(ofAllSets(faults));
    }
    var last = clock.instant();
    progress.step("no more faults, and no more jobs");
    await("every job is done", () -> undone() == 0, () -> undone() + " are not done");
    double done = seconds(last);
    var lost = sets.stream().mapToInt(s -> s.service().jobCounts().lost()).sum();
    progress.step("deleting the sets");
    setByFault.values().forEach(s -> s.set().deleteSet());
    world.deleteSet();
    await("nothing is left", () -> left().isEmpty(), () -> left().toString());
    double clear = seconds(last);
    progress.step(
        "jobs done %.1f s after the last fault, nothing left after %.1f s".formatted(done, clear));
    found.forEach(row -> System.out.println(row.row()));
    var softly = new SoftAssertions();
    softly
        .assertThat(found)
        .as("seed %d: what was tried", options.seed())
        .hasSize(expected(faults));
    found.forEach(row -> row.check(softly));
    softly.assertThat(lost).as("jobs lost of any set").isZero();
    softly.assertThat(killedAtNode()).as("pods gone before their jobs").isZero();
    softly.assertThat(done).as("seconds until jobs were done").isLessThanOrEqualTo(JOBS_DONE);
    softly.assertThat(clear).as("seconds until nothing was left").isLessThanOrEqualTo(NOTHING_LEFT);
    softly.assertAll();
  }

  /** Each fault in each round, and the set to which nothing is done. */
  private int expected(List<ChaosFault> faults) {
    return options.rounds() * (faults.size() + 1);
  }

  private void begin(List<ChaosFault> faults) {
    var others = new LinkedHashMap<ChaosFault, SeparateSet>();
    for (var fault : faults) {
      if (fault.hits() == ChaosFault.Hits.ONE_SET) {
        var set = new SeparateSet(fault.id(), world, Map.of(), clock);
        others.put(fault, set);
        set.prepare();
      }
    }
    world.prepare();
    var namespaces = new HashSet<String>();
    namespaces.add(World.NAMESPACE);
    namespaces.add(ControllerSettings.LISTENER_NAMESPACE);
    others.values().forEach(set -> namespaces.add(set.namespace()));
    var before = new ChaosLeftovers(eyes, namespaces);
    leftovers = () -> before.of(sets);
    world.begin(1, RUNNERS);
    sets.add(ChaosSet.ofWorld(world));
    others.forEach((fault, set) -> {
      var chaos = ChaosSet.of(set);
      set.make("", "", RUNNERS_OF_OTHERS);
      setByFault.put(fault, chaos);
      sets.add(chaos);
    });
    sets.forEach(s -> nextJob.put(s, clock.instant()));
    world.await(
        "every set is well",
        PATIENCE,
        () -> {
          var said = read();
          return sets.stream().map(s -> said.get(s.name())).allMatch(w -> w != null && w.well());
        },
        () -> read().toString());
  }

  private ChaosPlace place(@Nullable ChaosSet target) {
    var proxied = world.cluster() instanceof ProxiedCluster p ? p : null;
    TestCluster server =
        proxied != null && proxied.behind() instanceof RealCluster r ? r.server() : null;
    return new ChaosPlace(
        world, programs, proxied == null ? null : proxied.proxy(), server, target, moments.split());
  }

  private boolean isWanted(ChaosFault fault) {
    return options.only().isEmpty() || options.only().contains(fault.id());
  }

  /** Each on a set of its own. */
  private List<Found> ofOneSet(List<ChaosFault> faults) {
    var runs = new ArrayList<ChaosRun>();
    for (var fault : faults) {
      var set = setByFault.get(fault);
      if (set != null) {
        runs.add(new ChaosRun(fault, place(set), List.of(set), progress));
      }
    }
    runs.add(
        new ChaosRun(ChaosFaults.NOTHING_AT_ALL, place(null), List.of(sets.getFirst()), progress));
    play(runs);
    return runs.stream().map(ChaosRun::found).toList();
  }

  private List<Found> ofAllSets(List<ChaosFault> faults) {
    var ordered =
        new ArrayList<>(faults.stream().filter(f -> f.hits() == ChaosFault.Hits.ALL_SETS).toList());
    Collections.shuffle(ordered, new Random(orders.nextLong()));
    progress.step("seed " + options.seed() + ": " + ordered.stream().map(ChaosFault::id).toList());
    var found = new ArrayList<Found>();
    for (var fault : ordered) {
      var run = new ChaosRun(fault, place(null), sets, progress);
      play(List.of(run));
      found.add(run.found());
    }
    return found;
  }

  private void play(List<ChaosRun> runs) {
    runs.forEach(run -> run.begin(clock.instant()));
    while (!runs.stream().allMatch(ChaosRun::isOver)) {
      jobs();
      observe(runs);
      world.pass(INTERVAL);
    }
  }

  private void observe(List<ChaosRun> runs) {
    programs.restartEnded();
    var said = read();
    var now = clock.instant();
    for (var set : sets) {
      set.truth().observe(now, Optional.ofNullable(said.get(set.name())), set.facts());
    }
    runs.forEach(run -> run.observe(said, now));
  }

  private void jobs() {
    var now = clock.instant();
    for (var set : sets) {
      if (!now.isBefore(nextJob.getOrDefault(set, now))) {
        set.job(Duration.ofMillis(lengths.nextInt(SHORTEST_JOB_MS, LONGEST_JOB_MS)));
        nextJob.put(set, now.plus(set.own() == null ? EVERY : EVERY_OF_OTHERS));
      }
    }
  }

  /** What the sets say, by name; nothing while the API server does not answer. */
  private Map<String, Truth.Said> read() {
    try {
      var all = new HashMap<String, Truth.Said>();
      for (var set :
          eyes.resources(AutoScalingRunnerSet.class).inAnyNamespace().list().getItems()) {
        ChaosSet.said(set).ifPresent(words -> all.put(set.getMetadata().getName(), words));
      }
      return all;
    } catch (KubernetesClientException e) {
      return Map.of();
    }
  }

  private void await(String what, BooleanSupplier done, Supplier<String> otherwise) {
    world.await(
        what,
        PATIENCE,
        () -> {
          programs.restartEnded();
          return done.getAsBoolean();
        },
        otherwise);
  }

  private double seconds(Instant since) {
    return Times.seconds(Duration.between(since, clock.instant()));
  }

  private int undone() {
    return sets.stream()
        .map(s -> s.service().jobCounts())
        .mapToInt(j -> j.submitted() - j.completed())
        .sum();
  }

  /** Jobs whose pod was gone before they ended, as the node saw it. */
  private int killedAtNode() {
    var podByName = Measure.podByName(world);
    return (int)
        sets.stream()
            .flatMap(s -> s.service().jobs().stream())
            .filter(j -> j.started() != null)
            .filter(j -> Measure.isKilled(j, podByName.get(j.runnerName())))
            .count();
  }

  /** What is still there of the sets. */
  private List<String> left() {
    try {
      return leftovers.get();
    } catch (KubernetesClientException e) {
      return List.of(String.valueOf(e.getMessage()));
    }
  }
}
