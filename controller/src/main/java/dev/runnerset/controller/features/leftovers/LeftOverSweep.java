package dev.runnerset.controller.features.leftovers;

import dev.runnerset.base.Backoff;
import dev.runnerset.base.Parallel;
import dev.runnerset.base.metrics.Meters;
import dev.runnerset.controller.audit.AuditState;
import dev.runnerset.controller.audit.AuditedSets;
import dev.runnerset.controller.audit.Compared;
import dev.runnerset.controller.audit.Doubt;
import dev.runnerset.controller.audit.RegistrationAudit;
import dev.runnerset.controller.connection.RunnerConnections;
import dev.runnerset.controller.connection.ServiceConnections;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.kube.KubeApi;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sweep in both directions (RN20): what stands here without its registration, and there without
 * its resource. It runs on the leader, by the period, over caches and memories; only a set that
 * {@link RegistrationAudit} doubts costs requests, and a sweep makes few of them.
 */
public final class LeftOverSweep {
  private static final Logger LOG = LoggerFactory.getLogger(LeftOverSweep.class);

  /** At most this many sets are queried in one sweep; after a restart all of them need it. */
  private static final int MOST_SETS = 20;

  /** One set that waits for its service holds up no other. */
  private static final int AT_ONCE = 8;

  private final AuditedSets sets;
  private final Ports ports;
  private final Clock clock;
  private final RandomGenerator random;
  private final LeftOverSearch search;
  private final PodSweep pods;
  private int next; // the set with which a sweep begins

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
   * The sweep.
   *
   * @param random for the jitter
   */
  public LeftOverSweep(
      AuditedSets sets,
      Supplier<Stream<Pod>> cachedPods,
      Ports ports,
      Clock clock,
      RandomGenerator random) {
    this.sets = sets;
    this.ports = ports;
    this.clock = clock;
    this.random = random;
    var leftOvers = new LeftOvers(sets, ports.kube(), ports.events(), ports.meters());
    var lists = new RunnerLists(ports.connections(), clock);
    this.search =
        new LeftOverSearch(sets, cachedPods, ports.connections(), lists, leftOvers, clock);
    this.pods = new PodSweep(sets, cachedPods, leftOvers, clock);
  }

  /** One sweep. Blocks for its requests. */
  public void sweep() {
    try {
      sweepSets();
      pods.sweep();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void sweepSets() throws InterruptedException {
    var tasks = new ArrayList<Callable<Object>>();
    var all = sets.all();
    int first = next; // those that found no place come first
    for (int i = 0; i < all.size() && tasks.size() < MOST_SETS; i++) {
      next = (first + i + 1) % all.size();
      task(all.get((first + i) % all.size())).map(Executors::callable).ifPresent(tasks::add);
    }
    for (var result : Parallel.runOrCancel(ports.threads(), AT_ONCE, tasks)) {
      if (result instanceof Parallel.Result.Failed<Object>(var cause)
          && !(cause instanceof InterruptedException)) {
        LOG.atError().setCause(cause).log("the sweep of a set failed; the next one comes");
      }
    }
  }

  /** What a set needs, and why. */
  private record Comparison(RegistrationAudit.Step step, Compared compared, Doubt doubt) {}

  /** What has to be done about a set; empty for nothing. */
  private Optional<Runnable> task(EphemeralRunnerSet set) {
    if (sets.memory(set).get().seen().isUnknown()) {
      return Optional.empty(); // no pass has seen it yet
    }
    var found = compare(set);
    return switch (found.step()) {
      case NOTHING -> Optional.empty();
      case READ_COUNTS ->
          Optional.of(() -> {
            sets.readCounts(set);
            // at once: the runners of a set that works change before the next sweep
            search(set, compare(set));
          });
      case LIST_REGISTRATIONS, ASK_ABOUT_RUNNERS -> Optional.of(() -> search(set, found));
    };
  }

  private Comparison compare(EphemeralRunnerSet set) {
    var memory = sets.memory(set);
    var known = memory.get();
    var counts = known.counts(set);
    var compared =
        Compared.of(
            counts,
            sets.runners(set),
            known,
            Backoff.jittered(LeftOverTimes.JITTER, 1, random),
            ports.connections().version(RunnerConnections.keyOf(set)));
    var decision = RegistrationAudit.compare(counts, compared, known, clock.instant());
    var doubt = decision.state().doubt();
    learn(memory, doubt);
    // INVARIANT (I5): another cluster may hold the session, with runners of its own
    boolean waits =
        decision.step() == RegistrationAudit.Step.LIST_REGISTRATIONS
            && !ports.listening().test(SetKey.of(set));
    return new Comparison(
        waits ? RegistrationAudit.Step.NOTHING : decision.step(), compared, doubt);
  }

  private void search(EphemeralRunnerSet set, Comparison found) {
    var memory = sets.memory(set);
    switch (found.step()) {
      case LIST_REGISTRATIONS ->
          learn(memory, search.registrations(set, found.compared().excess(), found.doubt()));
      case ASK_ABOUT_RUNNERS ->
          learn(memory, search.runners(set, found.compared().deficit(), found.doubt()));
      case NOTHING, READ_COUNTS -> {}
    }
  }

  /** Nobody but the sweep changes the doubt. */
  private static void learn(AtomicReference<AuditState> memory, Doubt doubt) {
    memory.updateAndGet(state -> state.with(doubt));
  }
}
