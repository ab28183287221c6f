package dev.runnerset.controller.main;

import dev.runnerset.controller.autoscalinglistener.AutoScalingListenerReconciler;
import dev.runnerset.controller.autoscalingrunnerset.AutoScalingRunnerSetReconciler;
import dev.runnerset.controller.config.ControllerSettings;
import dev.runnerset.controller.config.FeatureGate;
import dev.runnerset.controller.connection.RunnerConnections;
import dev.runnerset.controller.connection.SecretConnections;
import dev.runnerset.controller.connection.ServiceConnector;
import dev.runnerset.controller.ephemeralrunner.EphemeralRunnerReconciler;
import dev.runnerset.controller.ephemeralrunner.RunnerExits;
import dev.runnerset.controller.ephemeralrunner.start.NewRunners;
import dev.runnerset.controller.ephemeralrunnerset.EphemeralRunnerSetReconciler;
import dev.runnerset.controller.ephemeralrunnerset.InformerCaches;
import dev.runnerset.controller.events.KubeEvents;
import dev.runnerset.controller.gc.AgeCollection;
import dev.runnerset.controller.gc.RunnerGc;
import dev.runnerset.controller.metrics.Meters;
import dev.runnerset.controller.removal.ServiceRunnerRemover;
import dev.runnerset.controller.retention.LimitCleanupReconciler;
import dev.runnerset.controller.retention.TtlCleanupReconciler;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.LeaseGuard;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.ConfigurationServiceOverrider;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfiguration;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfigurationBuilder;
import java.time.Clock;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The controller in this process: leads when it holds the lease, and then keeps all sets. Every
 * cache is filled before the first look at an object, since the lease is asked for only then.
 */
public final class ControllerProgram implements AutoCloseable {
  private static final Duration CACHE_SYNC = Duration.ofSeconds(30);
  private static final int EVENT_ID_DIGITS = 10;

  private final Operator operator;
  private final KubernetesClient client;
  private final SecretConnections connections;
  private final ExecutorService threads;
  private final LeaderLease lease;
  private final Meters meters;
  private final WhileLeading leading;
  private final AtomicBoolean closing;

  private ControllerProgram(
      Operator operator,
      KubernetesClient client,
      SecretConnections connections,
      ExecutorService threads,
      LeaderLease lease,
      Meters meters,
      WhileLeading leading,
      AtomicBoolean closing) {
    this.operator = operator;
    this.client = client;
    this.connections = connections;
    this.threads = threads;
    this.lease = lease;
    this.meters = meters;
    this.leading = leading;
    this.closing = closing;
  }

  /**
   * Starts it, and returns when its caches are filled; it may lead later. What it writes ends with
   * its lease.
   *
   * @param unguarded stays the caller's
   * @param connectors makes the connector of connections that ask before each call that changes
   *     something at the service
   * @param stopped told why, when it can no longer work: its lease or a cache is lost; it must be
   *     closed then. Called on a thread of its own working: must not block
   */
  public static ControllerProgram start(
      ControllerSettings settings,
      KubernetesClient unguarded,
      Function<BooleanSupplier, ServiceConnector> connectors,
      Clock clock,
      RandomGenerator random,
      Consumer<String> stopped) {
    var closing = new AtomicBoolean();
    Consumer<String> lost =
        why -> {
          if (!closing.get()) {
            stopped.accept(why);
          }
        };
    var guard = guard(settings, clock);
    var client = guard.guarded(unguarded);
    var kube = new KubeApi(client);
    var connections = new SecretConnections(kube, connectors.apply(guard::holds), clock);
    var threads = Executors.newVirtualThreadPerTaskExecutor();
    var meters = new Meters();
    var leading = new WhileLeading();
    var operator =
        new Operator(configuration -> configure(configuration, settings, client, leading, lost));
    register(operator, settings, client, connections, threads, meters, leading, clock, random);
    var program =
        new ControllerProgram(
            operator,
            client,
            connections,
            threads,
            new LeaderLease(kube, settings),
            meters,
            leading,
            closing);
    try {
      operator.start();
    } catch (RuntimeException e) {
      program.close();
      throw e;
    }
    return program;
  }

  /** A leader that was paused sends no write after it wakes, and removes no runner (WR8). */
  static LeaseGuard guard(ControllerSettings settings, Clock clock) {
    return new LeaseGuard(
        settings.controllerNamespace(),
        ControllerSettings.LEASE,
        settings.identity(),
        settings.lease().lasts(),
        clock,
        System::nanoTime);
  }

  // no side effects but on its argument: the framework calls it twice
  private static void configure(
      ConfigurationServiceOverrider configuration,
      ControllerSettings settings,
      KubernetesClient client,
      WhileLeading leading,
      Consumer<String> lost) {
    configuration
        .withKubernetesClient(client)
        .withCloseClientOnStop(false)
        .withResourceCloner(new RecordCloner(client.getKubernetesSerialization()))
        .withUseSSAToPatchPrimaryResource(false)
        .withSSABasedCreateUpdateMatchForDependentResources(false)
        .withConcurrentReconciliationThreads(threads(settings))
        .withReconciliationTerminationTimeout(settings.lease().termination())
        .withCacheSyncTimeout(CACHE_SYNC)
        .withInformerStoppedHandler((informer, failure) -> {
          if (failure != null) {
            lost.accept(
                "the cache of "
                    + informer.getApiTypeClass().getSimpleName()
                    + " is lost: "
                    + failure.getMessage());
          }
        })
        .withLeaderElectionConfiguration(leaderElection(settings, leading, lost));
  }

  /** One service may hold as many as --runner-concurrency: half of them more are for the others. */
  private static int threads(ControllerSettings settings) {
    return settings.concurrency() + Math.max(1, settings.concurrency() / 2);
  }

  private static LeaderElectionConfiguration leaderElection(
      ControllerSettings settings, WhileLeading leading, Consumer<String> lost) {
    return LeaderElectionConfigurationBuilder.aLeaderElectionConfiguration(ControllerSettings.LEASE)
        .withLeaseNamespace(settings.controllerNamespace())
        .withIdentity(settings.identity())
        .withLeaseDuration(settings.lease().lasts())
        .withRenewDeadline(settings.lease().renewWithin())
        .withRetryPeriod(settings.lease().retryEvery())
        .withExitOnStopLeading(false)
        .withLeaderCallbacks(
            new LeaderCallbacks(
                leading::begin,
                () -> {
                  leading.close();
                  lost.accept("the lease is lost");
                },
                leader -> {}))
        .build();
  }

  private static void register(
      Operator operator,
      ControllerSettings settings,
      KubernetesClient client,
      SecretConnections connections,
      ExecutorService threads,
      Meters meters,
      WhileLeading leading,
      Clock clock,
      RandomGenerator random) {
    var kube = new KubeApi(client);
    var ages = AgeCollection.of(settings.gates(), settings.ageCollection());
    var events = new KubeEvents(kube, clock, ids(random));
    var exits = new RunnerExits();
    var newRunners = new NewRunners();
    var caches = new InformerCaches();
    var ofRunners = RunnerConnections.of(connections, caches::set);
    var remover = new ServiceRunnerRemover(ofRunners, kube, clock);
    var replicas =
        new EphemeralRunnerSetReconciler(
            kube,
            caches,
            remover,
            exits,
            newRunners,
            threads,
            meters,
            ages.ledger(),
            clock,
            random,
            settings.protectionWindow(),
            settings.embeddedStatus());
    var runner =
        new EphemeralRunnerReconciler(
            kube,
            client.getKubernetesSerialization(),
            ofRunners,
            remover,
            exits,
            newRunners,
            caches::set,
            replicas,
            events,
            clock);
    var runnerSet =
        new AutoScalingRunnerSetReconciler(
            settings, client, connections, events, ages, meters, clock);
    connections.onRefusalChanged(runnerSet::connectionChanged);
    operator.register(runnerSet, watching(settings.namespaces()));
    operator.register(replicas, watching(settings.namespaces()));
    operator.register(runner, watching(settings.namespaces()));
    var limits = new LimitCleanupReconciler(kube, events, meters, clock);
    operator.register(limits, watching(settings.namespaces()));
    operator.register(
        new TtlCleanupReconciler(kube, limits, events, meters, clock),
        TtlCleanupReconciler.slim(watching(settings.namespaces())));
    operator.register(
        new AutoScalingListenerReconciler(clock), watching(Set.of(settings.listenerNamespace())));
    if (settings.gates().isOn(FeatureGate.RUNNER_MAXIMUM_GC_AGE)) {
      leading.runs(periodic -> new RunnerGc(ages, runnerSet, replicas.swept(), periodic, clock));
    }
  }

  private static <T extends io.fabric8.kubernetes.api.model.HasMetadata>
      Consumer<ControllerConfigurationOverrider<T>> watching(Set<String> namespaces) {
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

  /** Whether it runs and its caches follow the server. */
  public boolean isHealthy() {
    return operator.getRuntimeInfo().isStarted()
        && operator.getRuntimeInfo().allEventSourcesAreHealthy();
  }

  /** What it counted, in the text format of Prometheus. */
  public String metrics() {
    return meters.exposition();
  }

  /**
   * Ends it in order: what is under way may end, for a few seconds; then the lease is given back.
   */
  @Override
  public void close() {
    if (closing.compareAndSet(false, true)) {
      leading.close();
      operator.stop();
      threads.shutdownNow();
      lease.giveBack();
      connections.close();
      client.close();
    }
  }
}
