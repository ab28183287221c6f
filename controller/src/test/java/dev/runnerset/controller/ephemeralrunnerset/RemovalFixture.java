package dev.runnerset.controller.ephemeralrunnerset;

import static dev.runnerset.controller.removal.Runners.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.base.metrics.Meters;
import dev.runnerset.controller.audit.ServiceCounts;
import dev.runnerset.controller.config.LeavingTaints;
import dev.runnerset.controller.ephemeralrunner.RunnerExits;
import dev.runnerset.controller.ephemeralrunner.RunnerVerdicts;
import dev.runnerset.controller.ephemeralrunner.start.NewRunners;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.features.idleage.IdleAge;
import dev.runnerset.controller.features.shield.LeavingNodes;
import dev.runnerset.controller.hooks.RunnersReports;
import dev.runnerset.controller.hooks.SetFeatures;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.controller.passes.Steps;
import dev.runnerset.controller.removal.FakeService;
import dev.runnerset.crds.Demand;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.RunnerJob;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.testsupport.CallerThread;
import dev.runnerset.testsupport.Exposition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One set whose removals a test steps through: runner {@code rN} has the id N, and requests wait
 * until {@link #answerOne} lets one go.
 */
abstract class RemovalFixture implements KnownRunners {
  static final SetKey KEY = new SetKey("ns", "linux");
  static final String NODE = "node-1";

  final FakeService service = new FakeService();
  final SetMemories caches = new SetMemories(this);
  final SetMemory memory = caches.memory(set());
  final Meters meters = Meter.series();
  final LeavingNodes cordons = new LeavingNodes(LeavingTaints.DEFAULT);
  final Map<String, EphemeralRunner> runnerByName = new LinkedHashMap<>();
  final Deque<Runnable> requests = new ArrayDeque<>();
  final List<String> noted = new ArrayList<>();
  final List<String> warned = new ArrayList<>();
  final Events events =
      new Events() {
        @Override
        public void warn(HasMetadata about, Reason reason, String message) {
          warned.add(reason.word() + ": " + message);
        }

        @Override
        public void note(HasMetadata about, Reason reason, String subject, String message) {
          noted.add(about.getMetadata().getName() + " " + reason.word() + ": " + message);
        }
      };
  final IdleAge idleAge = new IdleAge(meters, events);
  final SetFeatures features = PlannerRows.features(idleAge, cordons);
  final ReplicasActions actions =
      new ReplicasActions(
          new EphemeralRunnerSetPass.Environment(
              new FakeKube().api(), new Waiting(), meters, service.clock, new Random(1)),
          new EphemeralRunnerSetPass.Shared(
              service.remover(new RemovalRequests(meters)),
              new RunnerExits(new Memories(), runner -> {}),
              new NewRunners(),
              runner -> {
                throw new AssertionError("the remover has its own");
              },
              new RunnerVerdicts(new Memories(), runner -> {}),
              key -> {},
              new RunnersReports(),
              events),
          caches,
          features.removalRules(),
          set -> triggered = true);
  final ReplicasPass pass =
      new ReplicasPass(
          new RunnerGathering(
              new RunnerExits(new Memories(), runner -> {}), cordons, Duration.ofSeconds(10)),
          features,
          actions);
  int replicas;
  long message = 1;
  String revision = "r";
  boolean triggered;

  /** Threads whose tasks wait. */
  private final class Waiting extends CallerThread {
    @Override
    public void execute(Runnable task) {
      requests.add(task);
    }
  }

  EphemeralRunnerSet set() {
    // without an instant: no count of the service bounds a choice
    var demand = new Demand(1, message, null, 0, 0, null, null, null, null, null, null);
    var set = SimSet.of(replicas, 100, revision, demand);
    set.setSpec(set.getSpec().toBuilder().creationHeld(true).build());
    set.setMetadata(
        new ObjectMetaBuilder(set.getMetadata())
            .addToAnnotations(Labels.SET_UID, "uid-of-runner-set")
            .build());
    return set;
  }

  @Override
  public Optional<EphemeralRunnerSet> set(String namespace, String name) {
    return Optional.of(set());
  }

  @Override
  public Stream<EphemeralRunner> labelled(SetKey of) {
    return runnerByName.values().stream();
  }

  @Override
  public Set<String> takeChanged(SetKey set) {
    return runnerByName.keySet();
  }

  @Override
  public Optional<EphemeralRunner> runner(String namespace, String name) {
    return Optional.ofNullable(runnerByName.get(name));
  }

  @Override
  public void remember(EphemeralRunner made) {
    throw new IllegalStateException("nothing is made");
  }

  @Override
  public Stream<EphemeralRunnerSet> sets() {
    return Stream.of(set());
  }

  @Override
  public long delivered(String namespace) {
    return 0;
  }

  EphemeralRunner runner(int id) {
    var runner = FakeService.runner("r" + id, id);
    runner.getMetadata().setCreationTimestamp(T0.minusSeconds(7200).toString());
    runner.getMetadata().setOwnerReferences(List.of(SimSet.OWNER));
    runner.setStatus(status(id, RunnerPhase.RUNNING, null, null));
    runnerByName.put("r" + id, runner);
    return runner;
  }

  /** Idle since {@code id} seconds after {@link #T0}, so that r1 has been idle longest. */
  static EphemeralRunnerStatus status(
      long id, RunnerPhase phase, @Nullable Long request, @Nullable Long completedIn) {
    return EphemeralRunnerStatus.builder()
        .phase(phase)
        .runnerId(id)
        .requestId(request)
        .jobId(request == null ? null : "job")
        .job(
            completedIn == null
                ? null
                : new RunnerJob(null, null, null, null, null, null, completedIn))
        .idleSince(T0.minusSeconds(7200 - id))
        .nodeName(NODE)
        .build();
  }

  /** So many idle runners; so many of them are too many, and have been for long enough. */
  void surplus(int runners, int tooMany) {
    for (int id = 1; id <= runners; id++) {
      runner(id);
    }
    replicas = runners - tooMany;
    reconcile();
    pass(1);
  }

  void pass(int seconds) {
    service.clock.set(service.clock.instant().plusSeconds(seconds));
    reconcile();
  }

  void reconcile() {
    var now = service.clock.instant();
    int all = runnerByName.size();
    var allAreOnline = new ServiceCounts(now, 0, 0, all, 0, all); // RN7
    memory.audit().updateAndGet(state -> state.learned(allAreOnline));
    var steps = new Steps();
    var _ =
        pass.run(
            set(),
            Gathering.changes(memory, runnerByName.values()),
            0,
            memory,
            steps,
            service.clock.instant());
    steps.end();
  }

  void answerOne() {
    requests.remove().run();
    assertThat(triggered).as("each answer triggers a reconcile").isTrue();
    triggered = false;
    reconcile();
  }

  void answerAll() {
    while (!requests.isEmpty()) {
      assertThat(requests).as("under way").hasSizeLessThanOrEqualTo(2);
      answerOne();
    }
  }

  long asked() {
    return service.count("DELETE");
  }

  double removed(String reason) {
    return Exposition.of(meters::snapshots)
        .value("runnerset_runners_garbage_collected_total", "ns", "linux", reason);
  }

  double requests(String result) {
    return Exposition.of(meters::snapshots)
        .value("runnerset_scale_down_requests_total", "ns", "linux", result);
  }

  void haveJobs(int from, int to) {
    for (long id = from; id <= to; id++) {
      service.withJob.add(id);
    }
  }

  void fail(int from, int to) {
    for (long id = from; id <= to; id++) {
      service.failing.add(id);
    }
  }
}
