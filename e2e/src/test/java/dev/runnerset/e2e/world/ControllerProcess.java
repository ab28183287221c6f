package dev.runnerset.e2e.world;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.connection.ConnectionKey;
import dev.runnerset.controller.audit.CountsReader;
import dev.runnerset.controller.autoscalinglistener.AutoScalingListenerReconciler;
import dev.runnerset.controller.autoscalinglistener.HolderLeases;
import dev.runnerset.controller.autoscalingrunnerset.Clocks;
import dev.runnerset.controller.autoscalingrunnerset.Demands;
import dev.runnerset.controller.autoscalingrunnerset.ListenersWithoutSet;
import dev.runnerset.controller.autoscalingrunnerset.RunnerSetPass;
import dev.runnerset.controller.autoscalingrunnerset.children.ChildWriter;
import dev.runnerset.controller.autoscalingrunnerset.planning.ObservedRunnerSet;
import dev.runnerset.controller.autoscalingrunnerset.status.RunnerSetConditions;
import dev.runnerset.controller.caches.SharedCache;
import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.config.ControllerSettings;
import dev.runnerset.controller.config.LeavingTaints;
import dev.runnerset.controller.connection.RunnerConnections;
import dev.runnerset.controller.connection.ServiceCalls;
import dev.runnerset.controller.connection.ServiceConnections;
import dev.runnerset.controller.ephemeralrunner.RunnerCaches;
import dev.runnerset.controller.ephemeralrunner.RunnerExits;
import dev.runnerset.controller.ephemeralrunner.RunnerPass;
import dev.runnerset.controller.ephemeralrunner.RunnerPassEnvironment;
import dev.runnerset.controller.ephemeralrunner.RunnerVerdicts;
import dev.runnerset.controller.ephemeralrunner.SharedWithSets;
import dev.runnerset.controller.ephemeralrunner.lifecycle.PodView;
import dev.runnerset.controller.ephemeralrunner.start.NewRunners;
import dev.runnerset.controller.ephemeralrunner.start.RunnerObjects;
import dev.runnerset.controller.ephemeralrunnerset.EphemeralRunnerSetPass;
import dev.runnerset.controller.ephemeralrunnerset.KnownRunners;
import dev.runnerset.controller.ephemeralrunnerset.RemovalRequests;
import dev.runnerset.controller.ephemeralrunnerset.SetMemories;
import dev.runnerset.controller.features.Features;
import dev.runnerset.controller.features.capacity.Quota;
import dev.runnerset.controller.features.evidence.BlackBox;
import dev.runnerset.controller.features.idleage.AgeCollection;
import dev.runnerset.controller.features.idleage.AgeFeature;
import dev.runnerset.controller.features.idleage.AgeReport;
import dev.runnerset.controller.features.idleage.IdleAge;
import dev.runnerset.controller.features.leftovers.LeftOverSweep;
import dev.runnerset.controller.features.places.CapacityFeature;
import dev.runnerset.controller.features.places.HeldSets;
import dev.runnerset.controller.features.places.OwnRunners;
import dev.runnerset.controller.features.places.PlacementGathering;
import dev.runnerset.controller.features.places.PodEvents;
import dev.runnerset.controller.features.references.ReferenceLists;
import dev.runnerset.controller.features.rerun.RerunBook;
import dev.runnerset.controller.features.rerun.RerunReports;
import dev.runnerset.controller.features.rerun.RerunRounds;
import dev.runnerset.controller.features.runnerversion.RunnerVersionFeature;
import dev.runnerset.controller.features.shield.LeavingNodes;
import dev.runnerset.controller.features.shield.ShieldFeature;
import dev.runnerset.controller.features.shield.ShieldReader;
import dev.runnerset.controller.features.shield.Shields;
import dev.runnerset.controller.features.upgrade.InstalledKinds;
import dev.runnerset.controller.hooks.RunnersReports;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.controller.removal.ServiceRunnerRemover;
import dev.runnerset.controller.rounds.Followed;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.Labels;
import dev.runnerset.testsupport.CallerThread;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * One life of the controller: its real passes, over played caches. What the framework does is
 * played here, and no more than it promises: one pass over an object at a time, an event wakes, the
 * last pass says when to look again, a pass that failed is tried again with backoff.
 */
final class ControllerProcess extends LivingProcess {
  private static final long LONGEST_PAUSE = 300_000;

  private record Key(Class<? extends HasMetadata> kind, String name) {}

  /** What is due for one object. */
  private static final class Due {
    boolean woken;
    long timer;
    int failures;
  }

  private final Map<Key, Due> dues = new HashMap<>();

  /** The names of runners that changed since the last pass over their set, by that. */
  private final Map<String, Set<String>> touched = new HashMap<>();

  // the framework has caches for each reconciler
  private final Cache ofRunners;
  private final Cache ofSets;
  private final Cache ofRunnerSets;
  private final Cache ofListeners;
  private final PlayedKube kube;
  private final RunnerPass runners;
  private final EphemeralRunnerSetPass sets;
  private final RunnerSetPass runnerSets;
  private final AutoScalingListenerReconciler listeners;
  private final Memories remembered = new Memories();
  private final RunnerVerdicts verdicts = new RunnerVerdicts(remembered, runner -> {});
  private final Demands demands;
  private final Node.Cordons cordons;
  private final Map<String, List<Quota>> quotas = new HashMap<>(); // as this process has them
  private Room.Hearer hearer;
  private boolean busy;

  ControllerProcess(World world, String name) {
    super(world, name);
    kube = world.bugs.kube(world, this);
    ofRunners =
        new Cache(world, this, List.of(EphemeralRunner.class, Pod.class), this::newOfRunners);
    ofSets =
        new Cache(
            world, this, List.of(EphemeralRunnerSet.class, EphemeralRunner.class), this::newOfSets);
    ofRunnerSets =
        new Cache(
            world,
            this,
            List.of(
                AutoScalingRunnerSet.class,
                EphemeralRunnerSet.class,
                AutoScalingListener.class,
                Role.class,
                RoleBinding.class,
                PodDisruptionBudget.class),
            (before, after) -> wake(AutoScalingRunnerSet.class, setName(before, after), 0));
    ofListeners =
        new Cache(
            world,
            this,
            List.of(AutoScalingListener.class),
            (before, after) -> {
              wake(AutoScalingListener.class, name(before, after), 0);
              wake(EphemeralRunnerSet.class, setName(before, after), 0);
            });
    var clock = world.time;
    var meters = Meter.series();
    var settings = ControllerSettings.of(name);
    var ages = new AgeCollection(settings.gates(), settings.ageCollection());
    var client = world.bugs.service(new ServiceClient(world, this));
    ServiceConnections connections =
        new ServiceConnections() {
          @Override
          public ActionsService to(ConnectionKey key) {
            return client;
          }
        };
    var exits = new RunnerExits(remembered, this::touch);
    var newRunners = new NewRunners();
    var setMemories = new Memories();
    demands =
        new Demands(
            listener -> Optional.ofNullable(ofListeners.get(AutoScalingListener.class, listener)),
            setMemories);
    var played = new Known();
    var reports = new RunnersReports();
    var known = new SetMemories(played);
    var leaving = new LeavingNodes(LeavingTaints.DEFAULT);
    RunnerConnections runnerConnections = runner -> client;
    var remover =
        new ServiceRunnerRemover(
            runnerConnections, kube, new RemovalRequests(meters), remembered, clock);
    LongSupplier nanoTime = () -> clock.now() * 1_000_000;
    var clocks = Clocks.of(clock, nanoTime);
    var capacity = capacity(played, reports, setMemories);
    var features =
        new Features(
            new Features.Readers(
                new ShieldFeature(
                    new Shields(verdicts, this::listenerReady),
                    leaving,
                    new ShieldReader(kube, settings.places(), clocks.now())),
                new AgeFeature(new IdleAge(meters, world::eventRecorded), new AgeReport(ages)),
                new ReferenceLists(settings.embeddedStatus(), kube::patchesTake),
                new InstalledKinds(kube, setMemories, clocks.now()),
                new RunnerVersionFeature(
                    connections,
                    runner -> Optional.empty(),
                    setMemories,
                    task -> {},
                    set -> {},
                    clock),
                capacity),
            meters,
            clocks);
    var random = new java.util.Random(world.chance.random.nextLong());
    sets =
        new EphemeralRunnerSetPass(
            new EphemeralRunnerSetPass.Environment(kube, new CallerThread(), meters, clock, random),
            known,
            new EphemeralRunnerSetPass.Shared(
                remover,
                exits,
                newRunners,
                connections,
                verdicts,
                key -> wake(AutoScalingRunnerSet.class, key.name(), 0),
                reports,
                world::eventRecorded),
            settings.protectionWindow(),
            features.hooks(),
            set -> wake(EphemeralRunnerSet.class, set.name(), 0));
    var rerunReports = new RerunReports(world.rules.reruns, meters);
    var book =
        new RerunBook(
            kube,
            key -> Optional.ofNullable(ofRunnerSets.get(AutoScalingRunnerSet.class, key.name())),
            rerunReports,
            clock);
    var reruns =
        new RerunRounds(
            () ->
                ofRunnerSets.all(AutoScalingRunnerSet.class).stream().map(world.bugs::seenByReruns),
            connections,
            book,
            rerunReports,
            setMemories,
            new CallerThread(),
            clock);
    var objects = new RunnerObjects.OverKubeApi(kube);
    runners =
        new RunnerPass(
            new RunnerPassEnvironment(
                objects,
                new BlackBox(objects, runner -> List.of(), clock),
                new ServiceCalls(
                    remembered,
                    new CallerThread(),
                    runner -> wake(EphemeralRunner.class, runner.getMetadata().getName(), 0)),
                world::eventRecorded,
                meters,
                clock,
                book),
            runnerConnections,
            world.bugs.remover(remover),
            new SharedWithSets(
                exits,
                newRunners,
                played::set,
                set -> wake(EphemeralRunnerSet.class, set.name(), 0),
                verdicts,
                known,
                remembered));
    runnerSets =
        new RunnerSetPass(
            settings,
            new RunnerSetPass.Environment(
                kube,
                connections,
                new CallerThread(),
                world::eventRecorded,
                meters,
                setMemories,
                reports,
                clocks),
            features.hooks(),
            new HolderLeases(nanoTime),
            new KnownSets());
    runnerSets.onListenerTurn(key -> wake(EphemeralRunnerSet.class, key.name(), 0));
    var places = settings.places();
    listeners =
        new AutoScalingListenerReconciler(
            new SharedCache<>("listeners"),
            new ListenersWithoutSet(
                kube,
                new ChildWriter(kube, places.listenerNamespace(), places.listenerServiceAccount()),
                world::eventRecorded,
                places.watched(),
                key ->
                    Optional.ofNullable(ofRunnerSets.get(AutoScalingRunnerSet.class, key.name()))),
            world::eventRecorded,
            clock);
    ofRunnerSets.all(AutoScalingRunnerSet.class).forEach(this::wakeFirst);
    ofSets.all(EphemeralRunnerSet.class).forEach(this::wakeFirst);
    ofRunners.all(EphemeralRunner.class).forEach(this::wakeFirst);
    ofListeners.all(AutoScalingListener.class).forEach(this::wakeFirst);
    var leftOvers =
        new LeftOverSweep(
            sets.toSweep(key -> false),
            () -> ofRunners.all(Pod.class).stream(),
            new LeftOverSweep.Ports(
                connections,
                kube,
                world::eventRecorded,
                meters,
                new CallerThread(),
                this::isListening),
            clock,
            random);
    var period = settings.leadership().sweepPeriod();
    Followed.rounds(this::every, period, period, leftOvers::sweep).begin();
    Followed.rounds(this::every, RerunRounds.PERIOD, RerunRounds.PERIOD, reruns::round).begin();
    cordons =
        (node, isCordoned) ->
            world.time.in(world.chance.millis(1, 500), () -> hear(leaving, node, isCordoned));
    world.node.hear(cordons);
    if (world.room != null) {
      hearRoom(capacity, new CountsReader(connections, clock), setMemories);
    }
    world.trace.say(name, "starts");
  }

  /** What a world of one set has no quotas for. */
  private CapacityFeature capacity(Known played, RunnersReports reports, Memories setMemories) {
    boolean crowded = world.room != null;
    return new CapacityFeature(
        new CapacityFeature.Ports(
            namespace -> Optional.of(quotas.getOrDefault(namespace, List.of())),
            new OwnRunners.Caches(
                played::labelled,
                runner -> crowded ? new OfRunner().podNamed(runner) : Optional.empty(),
                remembered),
            new PlacementGathering(
                new PodEvents(
                    namespace -> crowded ? world.room.events(namespace) : List.of(),
                    new CallerThread(),
                    world.time),
                reports,
                false),
            key ->
                Optional.ofNullable(ofRunnerSets.get(AutoScalingRunnerSet.class, key.name()))
                    .filter(_ -> crowded),
            key -> crowded ? played.set(key.namespace(), key.name()) : Optional.empty(),
            setMemories,
            key -> wake(AutoScalingRunnerSet.class, key.name(), 0),
            world.time));
  }

  private void hearRoom(CapacityFeature capacity, CountsReader counts, Memories setMemories) {
    var held =
        new HeldSets(
            new HeldSets.Ports(
                capacity::held, counts::read, demands::read, capacity::waitingChanged),
            setMemories,
            new CallerThread(),
            world.time);
    Followed.rounds(this::every, CapacityFeature.ROUND, CapacityFeature.ROUND, capacity::round)
        .begin();
    Followed.rounds(
            this::every, CapacityFeature.PLACING, CapacityFeature.PLACING, capacity::placingRound)
        .begin();
    Followed.rounds(this::every, HeldSets.PERIOD, HeldSets.PERIOD, held::round).begin();
    world.room.namespaces().forEach(each -> quotas.put(each, world.room.quotas(each)));
    hearer =
        namespace -> {
          if (isAlive() && world.bugs.hearsOfQuotas()) {
            quotas.put(namespace, world.room.quotas(namespace));
            capacity.changed(namespace);
          }
        };
    world.room.hear(hearer);
  }

  private void touch(EphemeralRunner runner) {
    var labels = runner.getMetadata().getLabels();
    touched
        .computeIfAbsent(labels.getOrDefault(Labels.SET, ""), _ -> new LinkedHashSet<>())
        .add(runner.getMetadata().getName());
  }

  private boolean isListening(SetKey key) {
    return ofListeners.all(AutoScalingListener.class).stream()
        .filter(listener -> isOf(listener, key.name()))
        .anyMatch(listener -> RunnerSetConditions.isConnected(listener, listener.statusOrNone()));
  }

  private boolean isShieldedOtherwise(EphemeralRunner runner) {
    var pod = ofRunners.get(Pod.class, runner.getMetadata().getName());
    var open = verdicts.isOpen(runner);
    return pod instanceof Pod found
        && open != null
        && open == "true".equals(found.getMetadata().getLabels().get(Labels.BUSY));
  }

  private Optional<Condition> listenerReady(SetKey key) {
    return ofRunnerSets.all(AutoScalingRunnerSet.class).stream()
        .filter(set -> set.getMetadata().getName().equals(key.name()))
        .findFirst()
        .flatMap(RunnerSetConditions::listenerReadyOf);
  }

  private void hear(LeavingNodes nodes, String node, boolean cordoned) {
    boolean isHeard = isAlive() && (!cordoned || world.bugs.hearsOfCordons());
    if (isHeard && nodes.seen(node, cordoned, List.of(), world.time.instant())) {
      world.sets.forEach(set -> wake(EphemeralRunnerSet.class, set.name(), 0));
    }
  }

  /** A timer of the process; it ends with it. */
  private AutoCloseable every(Duration delay, Duration period, Runnable task) {
    world.time.in(delay.toMillis(), () -> round(period, task));
    return () -> {};
  }

  private void round(Duration period, Runnable task) {
    if (!isAlive()) {
      return;
    }
    if (busy) { // in the middle of a request of a pass
      world.time.in(1, () -> round(period, task));
      return;
    }
    busy = true;
    try {
      task.run();
    } finally {
      busy = false;
    }
    var _ = every(period, period, task);
  }

  @Override
  void died() {
    world.node.forget(cordons);
    if (hearer != null) {
      world.room.forget(hearer);
    }
    List.of(ofRunners, ofSets, ofRunnerSets, ofListeners).forEach(Cache::close);
    world.controllerDied();
  }

  // --- what wakes

  private void wakeFirst(HasMetadata object) {
    wake(object.getClass(), object.getMetadata().getName(), world.chance.millis(1, 200));
  }

  private static boolean isOf(HasMetadata child, String set) {
    var labels = child.getMetadata().getLabels();
    return labels != null && set.equals(labels.get(Labels.SET));
  }

  /** The set that it is, or is of. */
  private static String setName(HasMetadata before, HasMetadata after) {
    var object = after == null ? before : after;
    var labels = object.getMetadata().getLabels();
    var name = object.getMetadata().getName();
    return labels == null || object instanceof AutoScalingRunnerSet
        ? name
        : labels.getOrDefault(Labels.SET, name);
  }

  private <T extends HasMetadata> T childOf(String set, Class<T> kind) {
    return ofRunnerSets.all(kind).stream()
        .filter(child -> isOf(child, set))
        .findFirst()
        .orElse(null);
  }

  private static String name(HasMetadata before, HasMetadata after) {
    return (after == null ? before : after).getMetadata().getName();
  }

  private void newOfRunners(HasMetadata before, HasMetadata after) {
    if (after == null) {
      remembered.isGone(before.getMetadata().getUid());
    }
    if (!(before instanceof Pod old) || !(after instanceof Pod now) || isNews(now, old)) {
      wake(EphemeralRunner.class, name(before, after), 0);
    }
  }

  private void newOfSets(HasMetadata before, HasMetadata after) {
    if ((after == null ? before : after) instanceof EphemeralRunner runner) {
      touch(runner);
      var labels = runner.getMetadata().getLabels();
      if (labels != null && labels.containsKey(Labels.SET)) {
        wake(EphemeralRunnerSet.class, labels.get(Labels.SET), 0);
      }
    } else {
      wake(EphemeralRunnerSet.class, name(before, after), 0);
    }
  }

  private static boolean isNews(Pod now, Pod before) {
    return !PodView.of(now).equals(PodView.of(before));
  }

  private void wake(Class<? extends HasMetadata> kind, String name, long millis) {
    var key = new Key(kind, name);
    var due = dues.computeIfAbsent(key, k -> new Due());
    if (!due.woken) {
      due.woken = true;
      // a thread of the framework is free sooner or later; meanwhile events become one
      var busy =
          kind == AutoScalingRunnerSet.class ? 500 : kind == EphemeralRunnerSet.class ? 60 : 5;
      world.time.in(millis + world.chance.millis(0, busy), () -> look(key, due));
    }
  }

  // --- what a thread of the framework does

  private void look(Key key, Due due) {
    if (!isAlive()) {
      return;
    }
    if (busy) { // in the middle of a request of another pass
      world.time.in(1, () -> look(key, due));
      return;
    }
    due.woken = false;
    busy = true;
    var timer = ++due.timer;
    try {
      var again = pass(key);
      due.failures = 0;
      var wait = again.map(world.time::until).orElse(LONGEST_PAUSE);
      requeueAt(key, due, timer, Math.max(1, Math.min(wait, LONGEST_PAUSE)));
    } catch (Crash e) {
      die();
    } catch (Violation e) {
      throw e;
    } catch (RuntimeException e) {
      world.trace.say(name(), "a pass over " + key.name() + " failed: " + e.getMessage());
      requeueAt(key, due, timer, Math.min(20_000, 1_000L << Math.min(5, due.failures++)));
    } finally {
      busy = false;
    }
  }

  private void requeueAt(Key key, Due due, long timer, long millis) {
    world.time.in(
        millis,
        () -> {
          if (due.timer == timer && !due.woken) {
            look(key, due);
          }
        });
  }

  /** One pass; returns when the next one is due. */
  private Optional<Instant> pass(Key key) {
    var cache =
        key.kind() == EphemeralRunner.class
            ? ofRunners
            : key.kind() == EphemeralRunnerSet.class
                ? ofSets
                : key.kind() == AutoScalingListener.class ? ofListeners : ofRunnerSets;
    var object = cache.get(key.kind(), key.name());
    return switch (object) {
      case null -> Optional.empty();
      case EphemeralRunner runner -> pass(runner);
      case EphemeralRunnerSet set -> {
        var again = sets.run(demands.put(set), ofSets);
        ofSets.all(EphemeralRunner.class).stream()
            .filter(r -> verdicts.isOverdue(r.getMetadata().getUid()) || isShieldedOtherwise(r))
            .forEach(r -> wake(EphemeralRunner.class, r.getMetadata().getName(), 0));
        yield again.toOptional();
      }
      case AutoScalingRunnerSet set -> pass(set);
      case AutoScalingListener listener -> pass(listener);
      default -> throw new IllegalStateException("no pass over " + object.getKind());
    };
  }

  private Optional<Instant> pass(EphemeralRunner runner) {
    boolean held = runner.getMetadata().getFinalizers().contains(Labels.RUNNER_FINALIZER);
    return isDeleted(runner) && !held
        ? Optional.empty()
        : runners.run(runner, new OfRunner()).toOptional();
  }

  private Optional<Instant> pass(AutoScalingRunnerSet set) {
    var observed =
        new ObservedRunnerSet(
            set,
            ofRunnerSets.all(AutoScalingRunnerSet.class),
            ofRunnerSets.all(EphemeralRunnerSet.class).stream()
                .filter(ers -> isOwnedBy(ers, set))
                .findFirst()
                .map(demands::put)
                .orElse(null),
            childOf(set.getMetadata().getName(), AutoScalingListener.class),
            childOf(set.getMetadata().getName(), Role.class),
            childOf(set.getMetadata().getName(), RoleBinding.class),
            childOf(set.getMetadata().getName(), PodDisruptionBudget.class));
    var again = runnerSets.run(observed).toOptional();
    if (isDeleted(set) && again.isEmpty()) {
      kube.removeFinalizer(set, Labels.SET_FINALIZER);
    }
    return again;
  }

  private Optional<Instant> pass(AutoScalingListener listener) {
    if (!isDeleted(listener)) {
      return Optional.empty();
    }
    var control = listeners.cleanup(listener, null);
    if (control.isRemoveFinalizer()) {
      kube.removeFinalizer(listener, Labels.SET_FINALIZER);
      return Optional.empty();
    }
    return control.getScheduleDelay().map(delay -> world.time.instant().plusMillis(delay));
  }

  private static boolean isDeleted(HasMetadata object) {
    return object.getMetadata().getDeletionTimestamp() != null;
  }

  private static boolean isOwnedBy(HasMetadata child, HasMetadata owner) {
    return child.getMetadata().getOwnerReferences().stream()
        .anyMatch(ref -> ref.getUid().equals(owner.getMetadata().getUid()));
  }

  private final class OfRunner implements RunnerCaches {
    @Override
    public Optional<Pod> podNamed(EphemeralRunner runner) {
      return Optional.ofNullable(ofRunners.get(Pod.class, runner.getMetadata().getName()))
          .filter(pod -> {
            var labels = pod.getMetadata().getLabels();
            return labels != null && Labels.COMPONENT_RUNNER.equals(labels.get(Labels.COMPONENT));
          });
    }

    @Override
    public WriteCache writes() {
      return ofRunners;
    }

    @Override
    public void removeFinalizer(EphemeralRunner runner) {
      kube.removeFinalizer(runner, Labels.RUNNER_FINALIZER);
    }
  }

  private final class Known implements KnownRunners {
    @Override
    public Stream<EphemeralRunnerSet> sets() {
      return ofSets.all(EphemeralRunnerSet.class).stream().map(demands::put);
    }

    @Override
    public Optional<EphemeralRunnerSet> set(String namespace, String name) {
      return Optional.ofNullable(ofSets.get(EphemeralRunnerSet.class, name)).map(demands::put);
    }

    @Override
    public Stream<EphemeralRunner> labelled(SetKey set) {
      return ofSets.all(EphemeralRunner.class).stream()
          .filter(runner -> {
            var labels = runner.getMetadata().getLabels();
            return labels != null && set.name().equals(labels.get(Labels.SET));
          });
    }

    @Override
    public Set<String> takeChanged(SetKey set) {
      var taken = touched.remove(set.name());
      return taken == null ? Set.of() : taken;
    }

    @Override
    public Optional<EphemeralRunner> runner(String namespace, String name) {
      return Optional.ofNullable(ofSets.get(EphemeralRunner.class, name));
    }

    @Override
    public void remember(EphemeralRunner made) {
      ofSets.created(made);
      ofRunners.created(made);
      touch(made);
      wake(EphemeralRunner.class, made.getMetadata().getName(), 0);
    }

    @Override
    public long delivered(String namespace) {
      return ofSets.version(EphemeralRunner.class);
    }
  }

  private final class KnownSets implements RunnerSetPass.Known {
    @Override
    public Stream<AutoScalingRunnerSet> sets() {
      return ofRunnerSets.all(AutoScalingRunnerSet.class).stream();
    }

    @Override
    public Optional<AutoScalingRunnerSet> set(SetKey key) {
      return Optional.ofNullable(ofRunnerSets.get(AutoScalingRunnerSet.class, key.name()));
    }

    @Override
    public void wake(SetKey key) {
      ControllerProcess.this.wake(AutoScalingRunnerSet.class, key.name(), 0);
    }

    @Override
    public void created(HasMetadata made) {
      ofRunnerSets.created(made);
    }

    @Override
    public void changed(HasMetadata before, HasMetadata after) {
      ofRunnerSets.changed(before, after);
    }
  }
}
