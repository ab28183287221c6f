package dev.runnerset.controller.sweep;

import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.base.Backoff;
import dev.runnerset.base.Parallel;
import dev.runnerset.connection.InvalidConnectionException;
import dev.runnerset.controller.connection.RunnerConnections;
import dev.runnerset.controller.connection.ServiceConnections;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.gc.SetKey;
import dev.runnerset.controller.metrics.Meters;
import dev.runnerset.controller.rounds.LeaderWork;
import dev.runnerset.controller.rounds.Rounds;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.kube.KubeApi;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sweep in both directions (RN20): what stands here without its registration, and there without
 * its resource. It runs on the leader, by the period, over caches and memories; only a set that
 * {@link SweepPlanner} doubts costs requests, and a sweep makes few of them.
 */
public final class LeftOverSweep implements LeaderWork {
  private static final Logger LOG = LoggerFactory.getLogger(LeftOverSweep.class);

  /** So many sets cost requests in one sweep: after a restart all of them are to be read. */
  private static final int MOST_SETS = 20;

  /** One set that waits for its service holds up no other. */
  private static final int AT_ONCE = 8;

  /** Sets that changed together are read at different times. */
  private static final Duration JITTER = Duration.ofMinutes(5);

  private final SetsToSweep sets;
  private final Ports ports;
  private final Timing timing;
  private final RegistrationSweep registrations;
  private final UnregisteredRunnerSweep runners;
  private final PodSweep pods;
  private final Map<String, Known> knownByUid = new ConcurrentHashMap<>();
  private final Rounds rounds;

  /**
   * What the sweep acts with.
   *
   * @param listening whether our own listener holds the session of that set
   */
  public record Ports(
      ServiceConnections connections,
      KubeApi kube,
      Events events,
      Meters meters,
      ExecutorService threads,
      Predicate<SetKey> listening) {}

  /**
   * When it acts.
   *
   * @param period between two sweeps
   * @param random for the jitter
   */
  public record Timing(Periodic periodic, Duration period, Clock clock, RandomGenerator random) {}

  /**
   * What is known of a set.
   *
   * @param version of the credentials that it was learned with
   */
  private record Known(SweepState state, long version) {}

  /** The sweep; it does nothing before this process leads. */
  public LeftOverSweep(
      SetsToSweep sets, Supplier<Stream<Pod>> cachedPods, Ports ports, Timing timing) {
    this.sets = sets;
    this.ports = ports;
    this.timing = timing;
    this.rounds = new Rounds(timing.periodic());
    var clock = timing.clock();
    var objects = new LeftOverObjects(ports.kube());
    var events = new LeftOverEvents(ports.events(), ports.meters());
    var lists = new RunnerLists(ports.connections(), clock);
    this.registrations = new RegistrationSweep(sets, cachedPods, lists, objects, events, clock);
    this.runners = new UnregisteredRunnerSweep(sets, ports.connections(), events, clock);
    this.pods = new PodSweep(sets, cachedPods, objects, events, clock);
  }

  @Override
  public void lead() {
    rounds.begin(timing.period(), timing.period(), this::trySweep);
  }

  @Override
  public void close() {
    rounds.close();
  }

  private void trySweep() {
    try {
      sweepSets();
      pods.sweep();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void sweepSets() throws InterruptedException {
    var all = sets.all();
    var uids = new HashSet<String>();
    all.forEach(set -> uids.add(set.getMetadata().getUid()));
    knownByUid.keySet().retainAll(uids);
    registrations.retain(uids);
    var tasks = new ArrayList<Callable<Object>>();
    for (var set : all) {
      if (tasks.size() < MOST_SETS) {
        sets.facts(set).ifPresent(facts -> decide(set, facts, tasks));
      }
    }
    for (var result : Parallel.runOrCancel(ports.threads(), AT_ONCE, tasks)) {
      if (result instanceof Parallel.Result.Failed<Object>(var cause)
          && !(cause instanceof InterruptedException)) {
        LOG.atError().setCause(cause).log("the sweep of a set failed; the next one comes");
      }
    }
  }

  private void decide(EphemeralRunnerSet set, SweepFacts facts, List<Callable<Object>> tasks) {
    var uid = set.getMetadata().getUid();
    long version = ports.connections().version(RunnerConnections.keyOf(set));
    var known = knownByUid.get(uid);
    var before = known == null || known.version() != version ? SweepState.NEW : known.state();
    var state =
        before.jitterFor().equals(facts.changedAt())
            ? before
            : before.withJitter(Backoff.jittered(JITTER, 1, timing.random()), facts.changedAt());
    var decision = SweepPlanner.decide(facts, state, timing.clock().instant());
    knownByUid.put(uid, new Known(decision.state(), version));
    if (decision.step() != SweepPlanner.Step.NOTHING) {
      tasks.add(() -> {
        var after = carriedOut(set, facts, decision);
        knownByUid.put(uid, new Known(after, version));
        return uid;
      });
    }
  }

  private SweepState carriedOut(
      EphemeralRunnerSet set, SweepFacts facts, SweepPlanner.Decision decision) {
    return switch (decision.step()) {
      case NOTHING -> decision.state();
      case READ_COUNTS -> {
        readCounts(set);
        yield decision.state();
      }
      case LOOK_FOR_REGISTRATIONS ->
          // INVARIANT (I5): whoever has the session may be another cluster, with runners of its own
          ports.listening().test(SetKey.of(set))
              ? registrations.sweep(set, facts.excess(), decision.state())
              : decision.state();
      case LOOK_FOR_RUNNERS -> runners.sweep(set, facts.deficit(), decision.state());
    };
  }

  private void readCounts(EphemeralRunnerSet set) {
    // the counts are of some moment after the request was sent
    var askedAt = timing.clock().instant();
    try {
      ports
          .connections()
          .toCleanUp(RunnerConnections.keyOf(set))
          .scaleSet(new ScaleSetId(set.getSpec().runnerScaleSetId()))
          .map(found -> found.statistics())
          .ifPresent(statistics -> sets.counted(set, statistics, askedAt));
    } catch (ServiceException | InvalidConnectionException | KubernetesClientException e) {
      LOG.atDebug()
          .addKeyValue("namespace", set.getMetadata().getNamespace())
          .addKeyValue("set", set.getMetadata().getName())
          .addKeyValue("error", e.getMessage())
          .log("the service's counts could not be read; a later sweep reads them");
    }
  }
}
