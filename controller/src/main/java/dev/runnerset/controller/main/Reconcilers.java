package dev.runnerset.controller.main;

import dev.runnerset.base.Detail;
import dev.runnerset.controller.audit.CountsReader;
import dev.runnerset.controller.autoscalinglistener.AutoScalingListenerReconciler;
import dev.runnerset.controller.autoscalinglistener.HolderWatch;
import dev.runnerset.controller.autoscalingrunnerset.AutoScalingRunnerSetReconciler;
import dev.runnerset.controller.autoscalingrunnerset.Clocks;
import dev.runnerset.controller.autoscalingrunnerset.Demands;
import dev.runnerset.controller.autoscalingrunnerset.ListenersWithoutSet;
import dev.runnerset.controller.autoscalingrunnerset.RunnerSetPass;
import dev.runnerset.controller.autoscalingrunnerset.children.ChildWriter;
import dev.runnerset.controller.autoscalingrunnerset.status.RunnerSetConditions;
import dev.runnerset.controller.caches.RunnerCache;
import dev.runnerset.controller.caches.SharedCache;
import dev.runnerset.controller.config.ControllerSettings;
import dev.runnerset.controller.config.FeatureGate;
import dev.runnerset.controller.connection.RunnerConnections;
import dev.runnerset.controller.connection.SecretConnections;
import dev.runnerset.controller.connection.ServiceCalls;
import dev.runnerset.controller.ephemeralrunner.EphemeralRunnerReconciler;
import dev.runnerset.controller.ephemeralrunner.RunnerExits;
import dev.runnerset.controller.ephemeralrunner.RunnerPass;
import dev.runnerset.controller.ephemeralrunner.RunnerPassEnvironment;
import dev.runnerset.controller.ephemeralrunner.RunnerVerdicts;
import dev.runnerset.controller.ephemeralrunner.SharedWithSets;
import dev.runnerset.controller.ephemeralrunner.start.NewRunners;
import dev.runnerset.controller.ephemeralrunner.start.RunnerObjects;
import dev.runnerset.controller.ephemeralrunnerset.EphemeralRunnerSetPass;
import dev.runnerset.controller.ephemeralrunnerset.EphemeralRunnerSetReconciler;
import dev.runnerset.controller.ephemeralrunnerset.RemovalRequests;
import dev.runnerset.controller.ephemeralrunnerset.SharedCaches;
import dev.runnerset.controller.events.EventTimes;
import dev.runnerset.controller.events.EventWriter;
import dev.runnerset.controller.events.KubeEvents;
import dev.runnerset.controller.features.Features;
import dev.runnerset.controller.features.evidence.BlackBox;
import dev.runnerset.controller.features.idleage.AgeCollection;
import dev.runnerset.controller.features.idleage.AgeFeature;
import dev.runnerset.controller.features.idleage.AgeReport;
import dev.runnerset.controller.features.idleage.IdleAge;
import dev.runnerset.controller.features.idleage.RunnerGc;
import dev.runnerset.controller.features.jobpods.HookObjects;
import dev.runnerset.controller.features.jobpods.JobPods;
import dev.runnerset.controller.features.leftovers.LeftOverSweep;
import dev.runnerset.controller.features.places.CapacityFeature;
import dev.runnerset.controller.features.places.HeldSets;
import dev.runnerset.controller.features.places.OwnRunners;
import dev.runnerset.controller.features.places.PlacementGathering;
import dev.runnerset.controller.features.places.PodEvents;
import dev.runnerset.controller.features.places.QuotaWatch;
import dev.runnerset.controller.features.references.ReferenceLists;
import dev.runnerset.controller.features.rerun.RerunBook;
import dev.runnerset.controller.features.rerun.RerunReports;
import dev.runnerset.controller.features.rerun.RerunRounds;
import dev.runnerset.controller.features.retention.CleanupController;
import dev.runnerset.controller.features.runnerversion.RunnerVersionFeature;
import dev.runnerset.controller.features.shield.LeavingNodes;
import dev.runnerset.controller.features.shield.NodeWatch;
import dev.runnerset.controller.features.shield.ShieldFeature;
import dev.runnerset.controller.features.shield.ShieldReader;
import dev.runnerset.controller.features.shield.Shields;
import dev.runnerset.controller.features.upgrade.InstalledKinds;
import dev.runnerset.controller.hooks.RunnersReports;
import dev.runnerset.controller.hooks.SweptSets;
import dev.runnerset.controller.managerrole.ManagerBindings;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.metrics.DeletedFor;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.controller.passes.PassPace;
import dev.runnerset.controller.removal.ServiceRunnerRemover;
import dev.runnerset.controller.rounds.Followed;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** The reconcilers of the controller, each made after those that it needs. */
final class Reconcilers {
  private static final int EVENT_ID_DIGITS = 10;

  /** So that a set tells of a secret that is gone, and follows a new one, within half a minute. */
  private static final Duration CONNECTIONS_READ_EVERY = Duration.ofSeconds(10);

  /** So that a set tells within half a minute that its kinds were upgraded. */
  private static final Duration KINDS_COMPARED_EVERY = Duration.ofSeconds(10);

  /** For each of the two cleanup controllers: 20 a second, as much as an ordinary client sends. */
  @Detail private static final Duration BETWEEN_DELETIONS = Duration.ofMillis(50);

  private final ControllerSettings settings;
  private final SecretConnections connections;
  private final EphemeralRunnerSetPass.Environment environment;
  private final Clocks clocks;
  private final AgeCollection ages;
  private final IdleAge idleAge;
  private final LeavingNodes nodes;
  private final QuotaWatch quotas;
  private final CapacityFeature capacity;
  private final HeldSets heldSets;
  private final Features features;
  private final EphemeralRunnerSetReconciler ephemeralRunnerSets;
  private final EphemeralRunnerReconciler ephemeralRunners;
  private final AutoScalingRunnerSetReconciler runnerSets;
  private final AutoScalingListenerReconciler listeners;
  private final SharedCache<AutoScalingListener> listenerObjects =
      new SharedCache<>("autoscalinglisteners");
  private final RerunRounds reruns;
  private final HookObjects hookObjects;
  private final JobPods jobPods;
  private final CleanupController.Cached cached;
  private final CleanupController.Ports cleanup;
  private final KubeEvents events;

  /**
   * Makes them; none runs yet.
   *
   * @param calls runs calls of the service, each on a thread of its own
   * @param environment what all of them use; its threads must not bound their number
   */
  Reconcilers(
      ControllerSettings settings,
      KubernetesClient client,
      SecretConnections connections,
      Executor calls,
      EphemeralRunnerSetPass.Environment environment,
      EventWriter eventWriter,
      Clocks clocks) {
    this.settings = settings;
    this.environment = environment;
    this.connections = connections;
    this.clocks = clocks;
    nodes = new LeavingNodes(settings.leavingTaints());
    List.of(
            AutoScalingRunnerSet.class,
            EphemeralRunnerSet.class,
            EphemeralRunner.class,
            AutoScalingListener.class)
        .forEach(client.getKubernetesSerialization()::registerKubernetesResource);
    var clock = clocks.now();
    var kube = environment.kube();
    var meters = environment.meters();
    events = new KubeEvents(kube, clock, ids(environment.random()), eventWriter::submit);
    var sets = new SharedCache<EphemeralRunnerSet>("ephemeralrunnersets");
    var ofRunners = new Memories();
    var newRunners = new NewRunners();
    var runners = new RunnerCache();
    runners.follow((runner, gone) -> {
      if (gone) {
        ofRunners.isGone(runner.getMetadata().getUid());
      }
    });
    var verdicts = new RunnerVerdicts(ofRunners, runners::trigger);
    ages = new AgeCollection(settings.gates(), settings.ageCollection());
    idleAge = new IdleAge(meters, events);
    var owners = new SharedCache<AutoScalingRunnerSet>("runnersets");
    var ofSets = new Memories();
    var reports = new RunnersReports();
    var demands =
        new Demands(
            name -> listenerObjects.find(settings.places().listenerNamespace(), name), ofSets);
    quotas = new QuotaWatch(client, settings.places().watched());
    var caches = new SharedCaches(sets, runners, demands::put);
    Consumer<SetKey> wake =
        set -> owners.propagateEvent(new ResourceID(set.name(), set.namespace()));
    capacity =
        new CapacityFeature(
            new CapacityFeature.Ports(
                quotas::of,
                new OwnRunners.Caches(caches::labelled, this::podOf, ofRunners),
                new PlacementGathering(
                    new PodEvents(
                        namespace ->
                            kube.first(Event.class, namespace, PodEvents.SELECTOR, PodEvents.MOST),
                        calls,
                        clock),
                    reports,
                    settings.fixedNodes()),
                key -> owners.find(key.namespace(), key.name()),
                key -> caches.set(key.namespace(), key.name()),
                ofSets,
                wake,
                clock));
    quotas.onChange(capacity::changed);
    heldSets =
        new HeldSets(
            new HeldSets.Ports(
                capacity::held,
                new CountsReader(connections, clock)::read,
                demands::read,
                capacity::waitingChanged),
            ofSets,
            calls,
            clock);
    features =
        new Features(
            new Features.Readers(
                new ShieldFeature(
                    new Shields(
                        verdicts,
                        key ->
                            owners
                                .find(key.namespace(), key.name())
                                .flatMap(RunnerSetConditions::listenerReadyOf)),
                    nodes,
                    new ShieldReader(kube, settings.places(), clock)),
                new AgeFeature(idleAge, new AgeReport(ages)),
                new ReferenceLists(settings.embeddedStatus(), kube::patchesTake),
                new InstalledKinds(kube, ofSets, clock),
                new RunnerVersionFeature(connections, this::podOf, ofSets, calls, wake, clock),
                capacity),
            meters,
            clocks);
    runnerSets =
        new AutoScalingRunnerSetReconciler(
            settings,
            new RunnerSetPass.Environment(
                kube, connections, calls, events, meters, ofSets, reports, clocks),
            features.hooks(),
            owners,
            sets,
            listenerObjects,
            demands);
    connections.onChange(runnerSets::connectionChanged);
    var places = settings.places();
    listeners =
        new AutoScalingListenerReconciler(
            listenerObjects,
            new ListenersWithoutSet(
                kube,
                new ChildWriter(kube, places.listenerNamespace(), places.listenerServiceAccount()),
                events,
                places.watched(),
                runnerSets::set),
            events,
            clock);
    var exits = new RunnerExits(ofRunners, runners::touch);
    cached =
        new CleanupController.Cached(
            runners, runnerSets::sets, runnerSets::set, runnerSets::belongsToAnother);
    Runnable pause =
        () -> LockSupport.parkNanos(BETWEEN_DELETIONS.toNanos()); // an interrupt ends it
    cleanup = new CleanupController.Ports(kube, events, meters, clock, pause);
    var runnerConnections = RunnerConnections.of(connections, caches::set, clock);
    var remover =
        new ServiceRunnerRemover(
            runnerConnections, kube, new RemovalRequests(meters), ofRunners, clock);
    ephemeralRunnerSets =
        new EphemeralRunnerSetReconciler(
            environment,
            caches,
            new EphemeralRunnerSetPass.Shared(
                remover,
                exits,
                newRunners,
                connections,
                verdicts,
                runnerSets::wake,
                reports,
                events),
            settings.protectionWindow(),
            features.hooks(),
            runnerSets::belongsToAnother);
    listenerObjects.follow(
        (listener, gone) -> Demands.setOf(listener).ifPresent(ephemeralRunnerSets::trigger));
    runnerSets.onListenerTurn(ephemeralRunnerSets::trigger);
    var rerunReports = new RerunReports(events, meters);
    var book = new RerunBook(kube, runnerSets::set, rerunReports, clock);
    reruns =
        new RerunRounds(runnerSets::ownSets, connections, book, rerunReports, ofSets, calls, clock);
    hookObjects = new HookObjects(client, places.watched());
    jobPods =
        new JobPods(
            hookObjects,
            new JobPods.Cached(runners, runnerSets::set, runnerSets::belongsToAnother),
            new JobPods.Ports(kube, events, meters, clock));
    var objects = new RunnerObjects.OverKubeApi(kube);
    ephemeralRunners =
        new EphemeralRunnerReconciler(
            new RunnerPass(
                new RunnerPassEnvironment(
                    objects,
                    new BlackBox(objects, jobPods::endsOf, clock),
                    new ServiceCalls(
                        ofRunners, calls, runner -> runners.trigger((EphemeralRunner) runner)),
                    events,
                    meters,
                    clock,
                    book),
                runnerConnections,
                remover,
                new SharedWithSets(
                    exits,
                    newRunners,
                    caches::set,
                    ephemeralRunnerSets::trigger,
                    verdicts,
                    ephemeralRunnerSets.gate(),
                    ofRunners)),
            kube,
            events,
            runners,
            clock,
            runnerSets::belongsToAnother);
  }

  private Optional<Pod> podOf(EphemeralRunner runner) {
    return ephemeralRunners.podNamed(runner);
  }

  /** Registers them with the operator, which runs them once this process leads. */
  void register(Operator operator) {
    var watched = settings.places().watched();
    operator.register(runnerSets, watching(watched));
    Consumer<ControllerConfigurationOverrider<EphemeralRunnerSet>> paced =
        configuration -> configuration.withRateLimiter(new PassPace(clocks.nanoTime()));
    operator.register(ephemeralRunnerSets, paced.andThen(watching(watched)));
    operator.register(ephemeralRunners, watching(watched));
    operator.register(listeners, watching(Set.of(settings.places().listenerNamespace())));
  }

  /** Compares the kinds of the cluster with ours before the caches have started. */
  void compareKinds() {
    var _ = features.compareWithCluster();
  }

  /** Compares again, and lets the sets report what has changed. */
  private void compareAgain() {
    if (features.compareWithCluster()) {
      runnerSets.sets().forEach(runnerSets::wake);
    }
  }

  /** Hands what is held of events to their writer, at the end. */
  void writeEvents() {
    events.writeAll();
  }

  /** What begins when the caches are filled. */
  List<Followed> withCaches(KubernetesClient client) {
    var places = settings.places();
    var all = new ArrayList<Followed>();
    all.add(
        clocks.every(
            "connections",
            CONNECTIONS_READ_EVERY,
            () -> connections.readAgain(runnerSets.connectionKeys())));
    all.add(clocks.every("kinds", KINDS_COMPARED_EVERY, this::compareAgain));
    all.add(clocks.every("event-counts", EventTimes.CHECKED_EVERY, events::writeDue));
    all.add(
        new HolderWatch(
            client,
            places.listenerNamespace(),
            runnerSets.holders(),
            runnerSets::namedHolders,
            runnerSets::holderChanged));
    all.add(
        new ManagerBindings(
            client,
            places.watched(),
            new ManagerBindings.Users(
                runnerSets::sets, () -> listenerObjects.all().toList(), jobPods::needed),
            runnerSets::wake,
            clocks.now()));
    if (places.watched().isEmpty()) {
      all.add(
          new NodeWatch(
              client, nodes, features.shield(), ephemeralRunnerSets::nodeChanged, clocks.now()));
    }
    return List.copyOf(all);
  }

  /** What begins before the first pass, which may need it. */
  Followed beforeCaches() {
    return quotas;
  }

  /** What runs while this process leads. */
  List<Followed> whileLeading() {
    var leftOvers =
        new LeftOverSweep(
            ephemeralRunnerSets.toSweep(),
            ephemeralRunners::pods,
            new LeftOverSweep.Ports(
                connections,
                environment.kube(),
                events,
                environment.meters(),
                environment.threads(),
                key -> runnerSets.one(key).filter(SweptSets.SweptSet::listening).isPresent()),
            clocks.now(),
            environment.random());
    var all = new ArrayList<Followed>();
    all.add(clocks.every("left-overs", settings.leadership().sweepPeriod(), leftOvers::sweep));
    all.add(clocks.every("reruns", RerunRounds.PERIOD, reruns::round));
    all.add(hookObjects);
    all.add(clocks.every("job-pods", JobPods.PERIOD, jobPods::round));
    all.add(runnerSets.passWatch());
    all.add(clocks.every("capacity", CapacityFeature.ROUND, capacity::round));
    all.add(clocks.every("held-sets", HeldSets.PERIOD, heldSets::round));
    all.add(clocks.every("places", CapacityFeature.PLACING, capacity::placingRound));
    all.add(
        clocks.every(
            "ttl-cleanup",
            CleanupController.PERIOD,
            new CleanupController(DeletedFor.TTL, cached, cleanup)::round));
    all.add(
        clocks.every(
            "limit-cleanup",
            CleanupController.PERIOD,
            new CleanupController(DeletedFor.LIMIT, cached, cleanup)::round));
    if (settings.gates().isOn(FeatureGate.RUNNER_MAXIMUM_GC_AGE)) {
      var gc = new RunnerGc(ages, runnerSets, idleAge, ephemeralRunnerSets);
      all.add(gc.rounds(clocks.timers().apply("runner-gc")));
    }
    return List.copyOf(all);
  }

  private static <T extends HasMetadata> Consumer<ControllerConfigurationOverrider<T>> watching(
      Set<String> namespaces) {
    return configuration -> {
      if (!namespaces.isEmpty()) {
        configuration.settingNamespaces(namespaces);
      }
    };
  }

  /** Short ids of lower-case letters and digits. */
  private static Supplier<String> ids(RandomGenerator random) {
    return () -> {
      var id = new StringBuilder();
      for (int i = 0; i < EVENT_ID_DIGITS; i++) {
        id.append(Character.forDigit(random.nextInt(Character.MAX_RADIX), Character.MAX_RADIX));
      }
      return id.toString();
    };
  }
}
