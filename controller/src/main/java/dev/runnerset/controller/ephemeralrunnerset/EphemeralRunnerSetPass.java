package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.base.metrics.Meters;
import dev.runnerset.controller.audit.AuditedSets;
import dev.runnerset.controller.audit.CountsReader;
import dev.runnerset.controller.audit.RegistrationAudit;
import dev.runnerset.controller.audit.RegistrationCondition;
import dev.runnerset.controller.audit.StrandCondition;
import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.connection.ServiceConnections;
import dev.runnerset.controller.ephemeralrunner.RunnerExits;
import dev.runnerset.controller.ephemeralrunner.RunnerVerdicts;
import dev.runnerset.controller.ephemeralrunner.lifecycle.StartDeadlines;
import dev.runnerset.controller.ephemeralrunner.start.NewRunners;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.hooks.ChangedSets;
import dev.runnerset.controller.hooks.RunnersReports;
import dev.runnerset.controller.hooks.SetFeatures;
import dev.runnerset.controller.memory.Slots;
import dev.runnerset.controller.ownership.Ownership;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.controller.passes.Steps;
import dev.runnerset.controller.removal.Group;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.ServiceRunnerRemover;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Resource;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * One pass over one EphemeralRunnerSet: {@link ReplicasPass}, then the status, then the counts of
 * the service. Knows nothing of the framework.
 */
public final class EphemeralRunnerSetPass {
  /** How many runners one pass adopts: each costs a request. */
  private static final int MOST_ADOPTED = 20;

  private static final Group ORPHANS =
      Group.of(r -> !r.terminating() && !Ownership.isControlled(r.resource()));

  private final KubeApi kube;
  private final Clock clock;
  private final RunnerGathering gathering;
  private final StatusStep statusStep;
  private final ReplicasActions actions;
  private final ReplicasPass pass;
  private final RunnerSeries series;
  private final CountsReader countsReader;
  private final ExecutorService threads;
  private final RunnerVerdicts verdicts;
  private final Consumer<SetKey> emptied;
  private final SetMemories memories;
  private final ServiceRunnerRemover remover;

  /**
   * What a reconciler acts with.
   *
   * @param threads one thread for each request, as virtual ones
   */
  public record Environment(
      KubeApi kube, ExecutorService threads, Meters meters, Clock clock, RandomGenerator random) {}

  /**
   * What the reconcilers of runners and sets and the sweeps tell each other in this process.
   *
   * @param remover of registrations; all reconcilers share one (SD8)
   * @param exits ends of containers
   * @param newRunners the runners that this process makes
   * @param connections to the service
   * @param verdicts what the passes here judge of runners
   * @param emptied wakes a runner set: one that wants no runner and has just lost its last one, and
   *     of each runner that goes after its EphemeralRunnerSet went
   * @param reports to the passes over the runner sets
   * @param events about sets
   */
  public record Shared(
      ServiceRunnerRemover remover,
      RunnerExits exits,
      NewRunners newRunners,
      ServiceConnections connections,
      RunnerVerdicts verdicts,
      Consumer<SetKey> emptied,
      RunnersReports reports,
      Events events) {}

  /**
   * Passes over all sets.
   *
   * @param memories of caches that are opened before the first pass
   * @param protectionWindow how long a runner that just became idle is spared (SD2)
   * @param features what they bring
   * @param trigger makes another pass over a set, since work beside a pass has ended
   */
  public EphemeralRunnerSetPass(
      Environment environment,
      SetMemories memories,
      Shared shared,
      Duration protectionWindow,
      SetFeatures features,
      Consumer<SetKey> trigger) {
    this.memories = memories;
    this.remover = shared.remover();
    this.kube = environment.kube();
    this.clock = environment.clock();
    this.gathering = new RunnerGathering(shared.exits(), features.nodesToLeave(), protectionWindow);
    this.statusStep =
        new StatusStep(environment.kube(), features, shared.reports(), shared.emptied());
    this.actions =
        new ReplicasActions(environment, shared, memories, features.removalRules(), trigger);
    this.pass = new ReplicasPass(gathering, features, actions);
    this.series = new RunnerSeries(environment.meters(), clock.instant());
    this.verdicts = shared.verdicts();
    this.emptied = shared.emptied();
    this.threads = environment.threads();
    this.countsReader = new CountsReader(shared.connections(), clock);
  }

  /**
   * One pass; blocks for requests.
   *
   * @param cache takes the answers to our writes
   * @return when the next pass is due without an event
   * @throws RuntimeException the first failure of a step, after the other steps were taken
   */
  public RequeueTime run(EphemeralRunnerSet set, WriteCache cache) {
    var now = clock.instant();
    var steps = new Steps();
    var memory = memories.memory(set);
    var requeue =
        steps.requeue(() -> {
          long delivered =
              memories.known().delivered(set.getMetadata().getNamespace()); // before the runners
          var done = pass.run(set, memories.takeChanged(set), delivered, memory, steps, now);
          follow(set, done, memory, cache, steps);
          return done.moment().now().next();
        });
    steps.end();
    return requeue;
  }

  /** The steps after {@link ReplicasPass}, on what it saw. */
  private void follow(
      EphemeralRunnerSet set,
      ReplicasPass.Result done,
      SetMemory memory,
      WriteCache cache,
      Steps steps) {
    boolean empty = done.moment().runners().size() == 0;
    steps.take(() -> adopt(done.moment()));
    steps.take(() -> series.update(done.moment()));
    steps.take(() -> statusStep.write(done, memory, cache));
    steps.take(() -> {
      if (memory.losesItsLast(empty) && done.moment().replicas() == 0) {
        emptied.accept(SetKey.of(set)); // its deletion may wait for that
      }
    });
    steps.take(() -> watchRegistration(set, done, memory));
  }

  /** Puts the owner reference back onto runners of the set that have lost it. */
  private void adopt(SetMoment moment) {
    var set = moment.set();
    var uid = Ownership.setUid(set);
    if (uid.isPresent() && !set.isMarkedForDeletion()) {
      moment
          .in(ORPHANS)
          .limit(MOST_ADOPTED)
          .forEach(runner -> adopt(runner.resource(), set, uid.get()));
    }
  }

  private void adopt(EphemeralRunner runner, EphemeralRunnerSet set, String uid) {
    var at = Resource.of(runner);
    Ownership.repair(runner, set, uid) // if it has changed, that event brings us back
        .ifPresent(body -> kube.mergeIfThere(EphemeralRunner.class, at, body));
  }

  /**
   * Has the service's counts read while runners are not known to be registered or jobs wait beside
   * idle ones, and the runners ended that do not register in time (RN7, RN16, RN19).
   */
  private void watchRegistration(
      EphemeralRunnerSet set, ReplicasPass.Result done, SetMemory memory) {
    var moment = done.moment();
    var now = moment.now().instant();
    var deadline = StartDeadlines.of(set.getSpec().deadlines()).registration();
    var audit = memory.audit().get();
    var missing = RegistrationCondition.missing(audit.seen(), done.counts(), now);
    verdicts.judgeOverdue(
        SetKey.of(set),
        RegistrationCondition.overdue(missing, deadline, now).map(RunnerView::resource).toList());
    var decision = RegistrationAudit.answerQuestions(done.counts(), audit, now);
    if (decision.step() == RegistrationAudit.Step.READ_COUNTS) {
      countsReader.read(set, memory.audit(), threads, () -> actions.trigger(set));
    }
    moment.now().note(decision.requeue());
    RegistrationCondition.noteChanges(audit.seen(), deadline, moment.now());
    moment.now().note(StrandCondition.changes(audit.strand(), now));
  }

  /** The sets for the sweep for left-overs, without those that belong to another controller. */
  public AuditedSets toSweep(Predicate<SetKey> anothers) {
    return new CachedSets(gathering, actions, memories, remover, countsReader, clock, anothers);
  }

  /** As {@link ChangedSets} says. */
  public void change(SetKey key, BiConsumer<EphemeralRunnerSet, Slots> change) {
    memories
        .known()
        .set(key.namespace(), key.name())
        .ifPresent(set -> {
          change.accept(set, memories.memory(set).slots());
          actions.trigger(set);
        });
  }
}
