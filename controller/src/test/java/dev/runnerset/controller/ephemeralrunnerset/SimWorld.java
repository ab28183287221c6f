package dev.runnerset.controller.ephemeralrunnerset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.ephemeralrunner.RunnerExits;
import dev.runnerset.controller.gc.CollectionLedger;
import dev.runnerset.controller.metrics.Meters;
import dev.runnerset.controller.removal.FakeService;
import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.Runners;
import dev.runnerset.controller.removal.ServiceRunnerRemover;
import dev.runnerset.controller.scaling.DesiredRunners;
import dev.runnerset.controller.scaling.ScalingInput;
import dev.runnerset.crds.Demand;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.RunnerMode;
import dev.runnerset.testsupport.CallerThread;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** One set, its runners and its service, as a function of a seed; safety is checked on the way. */
final class SimWorld implements ReplicasPass.Actions, SetCaches {
  private static final Duration ENOUGH = Duration.ofHours(6);
  private static final int MAX = 30;

  private record Event(Instant at, long order, Runnable what) {}

  private final long seed;
  private final boolean clean;
  private final SplittableRandom random;
  private final SplittableRandom nodeClocks; // no fault: the clocks of nodes always differ
  private final Instant deafFrom;
  private final Instant deafUntil;
  private final FakeService service = new FakeService();
  private final PriorityQueue<Event> queue =
      new PriorityQueue<>(Comparator.comparing(Event::at).thenComparing(Event::order));
  private final Set<Instant> requeues = new HashSet<>();
  private final List<SimRunner> runners = new ArrayList<>();
  private final Map<Long, List<Instant>> refusalsById = new HashMap<>();
  private final List<Instant> refusalsInARow = new ArrayList<>();
  private final int min;
  private final boolean quiet;
  private final RunnerExits exits = new RunnerExits();
  private final RunnerGathering gathering =
      new RunnerGathering(exits, new CollectionLedger(), Duration.ofSeconds(10));
  private final ReplicasPass pass = new ReplicasPass(gathering, this);
  private SetMemory memory = new SetMemory();
  private ServiceRunnerRemover remover = service.remover();
  private Instant now = Runners.T0;
  private Instant delivered = Runners.T0;
  private @Nullable Demand heard;
  private @Nullable Demand weighed;
  private long order;
  private long messageId;
  private int seenRequests;
  private int made;
  private int jobs;
  private int waiting;
  private int refused;
  private int removed;
  private int hung;
  private int lost;
  private boolean removalEnded;

  SimWorld(long seed, boolean clean) {
    this.seed = seed;
    this.clean = clean;
    this.random = new SplittableRandom(seed);
    this.nodeClocks = new SplittableRandom(~seed);
    boolean deaf = !clean && nodeClocks.nextInt(3) == 0;
    this.deafFrom = deaf ? Runners.T0.plusSeconds(nodeClocks.nextInt(90)) : Instant.MAX;
    this.deafUntil = deaf ? deafFrom.plusSeconds(nodeClocks.nextInt(10, 300)) : Instant.MAX;
    this.min = random.nextInt(4);
    this.quiet = !clean && seed % 3 == 0;
  }

  int made() {
    return made;
  }

  int jobs() {
    return jobs;
  }

  int min() {
    return min;
  }

  int refused() {
    return refused;
  }

  int removed() {
    return removed;
  }

  /** Runners whose container did not end after their job. */
  int hung() {
    return hung;
  }

  /** Idle runners that were lost with their pods. */
  int lost() {
    return lost;
  }

  long requests() {
    return service.count("DELETE");
  }

  private String seed() {
    return "seed " + seed + (clean ? " (nothing lost)" : "") + " at " + now;
  }

  private void check(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(seed() + ": " + what);
    }
  }

  private boolean fault(int oneIn) {
    return !clean && random.nextInt(oneIn) == 0;
  }

  private void in(long millis, Runnable what) {
    queue.add(new Event(now.plusMillis(millis), order++, what));
  }

  private long delay(int cleanMillis, int millis) {
    return random.nextInt(clean ? cleanMillis : millis);
  }

  /** Plays the faults to their end, then follows nothing but the requeue times of the plan. */
  void run() {
    in(0, () -> message(null, null));
    int arrivals = 1 + random.nextInt(10);
    for (int i = 0; i < arrivals; i++) {
      in(random.nextInt(90_000), this::jobArrives);
    }
    if (fault(2)) {
      in(random.nextInt(90_000), this::restart);
      in(random.nextInt(400_000), this::restart);
    }
    if (fault(2)) {
      in(random.nextInt(90_000), this::falseAlarm);
    }
    if (fault(3)) {
      in(random.nextInt(400_000), this::losesIdle);
    }
    if (fault(4)) {
      in(random.nextInt(90_000), () -> serviceFails(random.nextInt(600_000)));
    }
    while (!queue.isEmpty() && now.isBefore(Runners.T0.plus(ENOUGH))) {
      var event = queue.poll();
      now = event.at();
      service.clock.set(now);
      event.what().run();
      reconcile();
    }
    assertThat(queue).as(seed() + ": the requeues end").isEmpty();
    long there = runners.stream().filter(r -> r.online && !r.going).count();
    assertThat(there).as("I4 %s: the count converges", seed()).isEqualTo(min);
    assertThat(runners.stream().filter(r -> !r.isFailed()))
        .as("I7 %s: none is left but failed ones, which retention keeps", seed())
        .hasSize(min);
  }

  private void jobArrives() {
    jobs++;
    waiting++;
    message(null, null);
    handOut();
  }

  /** Demand that goes away again without a job: surplus runners. */
  private void falseAlarm() {
    int extra = 1 + random.nextInt(8);
    waiting += extra;
    message(null, null);
    in(
        1 + random.nextInt(20_000),
        () -> {
          waiting = Math.max(0, waiting - extra);
          message(null, null);
        });
    handOut();
  }

  /** An idle runner goes with its node. */
  private void losesIdle() {
    runners.stream()
        .filter(r -> r.online && !r.hasJob && r.exit == null)
        .findFirst()
        .ifPresent(r -> {
          lost++;
          r.exit(now, true);
          service.withJob.remove(r.id);
          message(null, null);
        });
  }

  /** Every removal fails for a while. */
  private void serviceFails(int millis) {
    for (long id = 1; id < 1_000; id++) {
      service.failing.add(id);
    }
    in(millis, service.failing::clear);
  }

  private void restart() {
    memory = new SetMemory();
    remover = service.remover();
    refusalsInARow.clear();
  }

  private void handOut() {
    for (var runner : List.copyOf(runners)) {
      if (waiting > 0 && runner.online && !runner.hasJob) {
        waiting--;
        runner.hasJob = true;
        service.withJob.add(runner.id);
        message(fault(3) ? null : runner, null);
        in(2_000 + random.nextInt(fault(4) ? 900_000 : 60_000), () -> jobEnds(runner));
      }
    }
  }

  private void jobEnds(SimRunner runner) {
    assertThat(runner.online && !runner.going)
        .as("I1 %s: %s keeps its job", seed(), runner)
        .isTrue();
    runner.hasJob = false;
    runner.online = false;
    service.withJob.remove(runner.id);
    boolean hangs = fault(6); // as of a hook after the job; its completion is heard
    message(null, !hangs && fault(4) ? null : runner);
    if (hangs) {
      hung++;
      return;
    }
    in(
        delay(2_000, 5_000),
        () -> {
          runner.exit(now, false);
          // the er reconciler's part: an end of which nothing was heard is judged by then
          var settled = runner.exitAt().plus(RunnerView.SETTLE_WINDOW);
          in(Math.max(0, Duration.between(now, settled).toMillis()), runner::settle);
        });
  }

  /** Messages come in their order; marks are written before demand (DM1). */
  private void message(@Nullable SimRunner started, @Nullable SimRunner completed) {
    long id = ++messageId;
    int busy = (int) runners.stream().filter(r -> r.hasJob).count();
    int idle = (int) runners.stream().filter(r -> r.online && !r.hasJob).count();
    int offline = (int) runners.stream().filter(r -> isOffline(r)).count();
    int assigned = waiting + busy;
    var at = heardAt(now.plusMillis(delay(100, 4_000)));
    delivered = at.isAfter(delivered) ? at : delivered;
    long wait = Duration.between(now, delivered).toMillis();
    if (started != null) {
      cache(started, wait, () -> started.marked = true);
      if (fault(5)) {
        cache(started, wait + 20_000, () -> started.marked = true);
      }
    }
    if (completed != null) {
      cache(completed, wait, () -> completed.complete(id));
    }
    in(
        wait,
        () -> {
          heard = new Demand(1, id, now, assigned, busy, busy + idle + offline, busy, idle);
          var mine = heard;
          in(delay(300, 2_000), () -> weighed = later(weighed, mine));
        });
  }

  /** Registered, and not connected yet. */
  private static boolean isOffline(SimRunner r) {
    return !r.online && !r.going && !r.hasJob && r.exit == null && !r.isCompleted();
  }

  /** While the listener is deaf nothing is heard; afterwards everything is. */
  private Instant heardAt(Instant sent) {
    return sent.isBefore(deafFrom) || sent.isAfter(deafUntil) ? sent : deafUntil;
  }

  private static Demand later(@Nullable Demand a, Demand b) {
    return a != null && a.messageId() > b.messageId() ? a : b;
  }

  /** The cache learns of a runner's changes late, but in their order. */
  private void cache(SimRunner runner, long millis, Runnable change) {
    var at = now.plusMillis(millis + delay(400, 3_000));
    runner.cachedAt = at.isAfter(runner.cachedAt) ? at : runner.cachedAt;
    in(Duration.between(now, runner.cachedAt).toMillis(), change);
  }

  private void make() {
    made++;
    var runner = new SimRunner("r" + made, made, now);
    runner.nodeClockOffset = Duration.ofSeconds(nodeClocks.nextInt(-120, 121));
    runners.add(runner);
    in(
        500 + random.nextInt(3_000),
        () -> {
          if (runner.going) {
            return;
          }
          if (fault(20)) {
            runner.exit(now, true);
            return;
          }
          service.idInSecretByName.put(runner.name, runner.id);
          var since = now.truncatedTo(ChronoUnit.SECONDS); // as the kubelet tells it
          cache(runner, 0, () -> runner.idleSince = since);
          in(clean ? 0 : nodeClocks.nextInt(3_000), () -> comesOnline(runner));
        });
  }

  /** It connects after its container has started; some services tell of that with a job only. */
  private void comesOnline(SimRunner runner) {
    if (runner.going || runner.exit != null) {
      return;
    }
    runner.online = true;
    if (!quiet) {
      message(null, null);
    }
    handOut();
  }

  private int replicas() {
    return DesiredRunners.of(new ScalingInput(weighed, min, MAX, RunnerMode.ACTIVE, false));
  }

  private void reconcile() {
    for (int passes = 0; once(); passes++) {
      check(passes < 40, "passes without a pause");
    }
  }

  /** True when a pass of removals ended, which triggers another pass. */
  private boolean once() {
    removalEnded = false;
    Set<EphemeralRunner> labelled = Collections.newSetFromMap(new IdentityHashMap<>());
    for (var runner : runners) {
      labelled.add(runner.cached());
      if (runner.exit != null) {
        var _ = exits.record(runner.uid(), runner.exit);
      }
    }
    var requeueAt = pass.run(set(), labelled, 0, memory, now).plan().requeue().at();
    if (requeueAt != null && requeues.add(requeueAt)) {
      queue.add(new Event(requeueAt, order++, () -> requeues.remove(requeueAt)));
    }
    return removalEnded;
  }

  private EphemeralRunnerSet set() {
    return SimSet.of(replicas(), weighed == null ? 0 : weighed.messageId(), null, "r", heard);
  }

  @Override
  public void deleteFinished(
      List<RunnerView> finished, Map<String, EphemeralRunner> runnerByUid, SetMemory of) {
    for (var view : finished) {
      of.removals().askedToGo(view.uid());
      delete(named(view.name()));
    }
  }

  @Override
  public void create(EphemeralRunnerSet set, Provisioning wanted, SetMemory of) {
    for (int i = 0; i < wanted.count(); i++) {
      make();
    }
  }

  @Override
  public void startRemoval(EphemeralRunnerSet set, RemovalPlan plan, SetMemory of, long passes) {
    assertThat(of.removals().beginPass(passes)).isTrue();
    var recheck = RemovalRecheck.byTarget(set, plan, gathering, this, service.clock);
    var tally =
        new ScaleDownPass(remover, new CallerThread(), new Meters(), service.clock)
            .walk(plan, recheck, of.removals());
    of.removals().endPass(tally.answered(), tally.refused(), tally.failed(), now);
    int useless = learn();
    assertThat(useless).as("I3 %s: useless requests of a pass", seed()).isLessThanOrEqualTo(2);
    assertThat(tally.removed())
        .as("%s: no more than the surplus", seed())
        .isBetween(0, plan.wanted());
    removalEnded = true;
  }

  @Override
  public Optional<EphemeralRunnerSet> set(String namespace, String name) {
    return Optional.of(set());
  }

  @Override
  public Set<EphemeralRunner> labelled(EphemeralRunnerSet of) {
    throw new IllegalStateException("only sweeps ask for all runners");
  }

  @Override
  public Optional<EphemeralRunner> runner(String namespace, String name) {
    return runners.stream().filter(r -> r.name.equals(name)).map(SimRunner::cached).findFirst();
  }

  @Override
  public void remember(EphemeralRunner made) {
    throw new IllegalStateException("nothing is made in a cluster");
  }

  @Override
  public SetMemory memory(EphemeralRunnerSet of) {
    return memory;
  }

  /** What the service and the cluster were asked for takes its course; counts the useless. */
  private int learn() {
    int useless = 0;
    var news = service.asked.subList(seenRequests, service.asked.size());
    for (var line : List.copyOf(news)) {
      var last = line.substring(line.lastIndexOf(' ') + 1);
      if (line.startsWith("DELETE")) {
        useless += answered(Long.parseLong(last));
      } else if (line.startsWith("kube removal")) {
        var removal = service.writtenByName.get(last);
        var runner = named(last);
        cache(runner, 0, () -> runner.removal = removal);
      } else {
        delete(named(last));
      }
    }
    seenRequests = service.asked.size();
    return useless;
  }

  private int answered(long id) {
    if (service.failing.contains(id)) {
      return 0;
    }
    if (!service.withJob.contains(id)) {
      removed++;
      refusalsInARow.clear();
      runners.stream().filter(r -> r.id == id).forEach(r -> r.online = false);
      return 0;
    }
    refused++;
    refusalsInARow.add(now);
    int size = refusalsInARow.size();
    if (size > 2) {
      var since = Duration.between(refusalsInARow.get(size - 3), now);
      check(since.toSeconds() >= 30, "I3: a third refusal in a row comes after a backoff");
    }
    var times = refusalsById.computeIfAbsent(id, i -> new ArrayList<>());
    times.add(now);
    if (times.size() > 2) {
      assertThat(Duration.between(times.get(times.size() - 3), now))
          .as("I3 %s: at most 2 useless requests for a runner in 10 minutes", seed())
          .isGreaterThan(Duration.ofMinutes(10));
    }
    return 1;
  }

  private void delete(SimRunner runner) {
    check(!runner.hasJob, "I1: a runner is deleted with a job");
    runner.going = true;
    runner.online = false;
    cache(runner, 0, () -> runner.terminating = true);
    cache(runner, 500, () -> runners.remove(runner));
  }

  private SimRunner named(String name) {
    return runners.stream().filter(r -> r.name.equals(name)).findFirst().orElseThrow();
  }
}
