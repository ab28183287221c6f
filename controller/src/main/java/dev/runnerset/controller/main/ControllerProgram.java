package dev.runnerset.controller.main;

import dev.runnerset.actions.http.AllowedHosts;
import dev.runnerset.actions.http.CallLimits;
import dev.runnerset.actions.http.RetryRules;
import dev.runnerset.actions.http.UserAgent;
import dev.runnerset.base.Detail;
import dev.runnerset.base.metrics.Meters;
import dev.runnerset.connection.HttpServiceConnector;
import dev.runnerset.connection.ServiceConnector;
import dev.runnerset.controller.autoscalingrunnerset.Clocks;
import dev.runnerset.controller.config.ControllerSettings;
import dev.runnerset.controller.connection.CountedService;
import dev.runnerset.controller.connection.PassThreads;
import dev.runnerset.controller.connection.SecretConnections;
import dev.runnerset.controller.connection.ServiceTurns;
import dev.runnerset.controller.ephemeralrunnerset.EphemeralRunnerSetPass;
import dev.runnerset.controller.events.EventWriter;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.metrics.PassMetrics;
import dev.runnerset.controller.rounds.Followed;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.LeaseGuard;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.ConfigurationServiceOverrider;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfiguration;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfigurationBuilder;
import io.javaoperatorsdk.operator.api.monitoring.AggregatedMetrics;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The controller in this process: it reconciles while it holds the lease of the leader. Every cache
 * is filled before the first reconciliation, since the lease is requested only then.
 */
public final class ControllerProgram implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ControllerProgram.class);

  /** How long the first list of a cache may take. */
  @Detail private static final Duration CACHE_SYNC = Duration.ofSeconds(30);

  private final AtomicBoolean closing = new AtomicBoolean();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();
  private final Meters meters = Meter.series();
  private final EventWriter eventWriter = new EventWriter();
  private final KubernetesClient client;
  private final PassThreads passes;
  private final Duration termination;
  private final SecretConnections connections;
  private final LeaderLease lease;
  private final Operator operator;
  private final Runnable compareKinds;
  private final Followed beforeCaches;
  private final List<Followed> withCaches;
  private final List<Followed> whileLeading;
  private final Runnable writeEvents;

  private ControllerProgram(
      ControllerSettings settings,
      KubernetesClient unguarded,
      Function<BooleanSupplier, ServiceConnector> connectors,
      Clocks clocks,
      RandomGenerator random,
      Consumer<String> stopped) {
    var clock = clocks.now();
    Consumer<String> lost =
        why -> {
          if (!closing.get()) {
            stopped.accept(why);
          }
        };
    meters.ofProcess().gauge(Meter.LEADER, 0);
    var identity = settings.leadership().identity();
    var guard = guard(settings, clock);
    client = guard.guarded(unguarded);
    var kube = new KubeApi(client, clocks.nanoTime());
    passes = new PassThreads(threads(settings));
    termination = settings.leadership().times().termination();
    connections =
        new SecretConnections(
            kube,
            CountedService.counted(connectors.apply(guard::holds), meters),
            new ServiceTurns(clock),
            clock);
    lease = new LeaderLease(kube, settings);
    var reconcilers =
        new Reconcilers(
            settings,
            client,
            connections,
            calls,
            new EphemeralRunnerSetPass.Environment(kube, threads, meters, clock, random),
            eventWriter,
            clocks);
    operator =
        new Operator(configuration -> {
          configure(configuration, settings, client, leaderCallbacks(identity, lost), lost);
          configuration
              .withExecutorService(passes.executor())
              .withMetrics(
                  new AggregatedMetrics(
                      List.of(
                          new PassMetrics(meters, clocks.nanoTime(), clocks.passes()),
                          clocks.passes())));
        });
    reconcilers.register(operator);
    compareKinds = reconcilers::compareKinds;
    beforeCaches = reconcilers.beforeCaches();
    withCaches = reconcilers.withCaches(client);
    whileLeading = reconcilers.whileLeading();
    writeEvents = reconcilers::writeEvents;
  }

  /**
   * Starts the controller, and returns when its caches are filled; it may become the leader later.
   * Its writes end with its lease.
   *
   * @param unguarded the client; the caller closes it
   * @param connectors makes the connector of connections that ask before each call that changes
   *     something at the service
   * @param stopped gets why the controller can no longer work: its lease or a cache is lost. The
   *     caller must close the controller then. Called on a thread of the controller: must not block
   */
  public static ControllerProgram start(
      ControllerSettings settings,
      KubernetesClient unguarded,
      Function<BooleanSupplier, ServiceConnector> connectors,
      Clocks clocks,
      RandomGenerator random,
      Consumer<String> stopped) {
    var program = new ControllerProgram(settings, unguarded, connectors, clocks, random, stopped);
    try {
      program.compareKinds.run();
      program.beforeCaches.begin();
      program.operator.start();
      program.withCaches.forEach(Followed::begin);
    } catch (RuntimeException e) {
      program.close();
      throw e;
    }
    return program;
  }

  /**
   * Connections as the controller uses them: each call is sent once, since the reconciler comes
   * back by itself.
   *
   * @param version what the service's operators see of us
   * @param hosts which the installation lists
   * @param callsAtOnce how many calls of one service may be under way
   * @param maySend asked before each call that changes something at the service
   */
  public static ServiceConnector connector(
      String version, AllowedHosts hosts, int callsAtOnce, BooleanSupplier maySend, Clock clock) {
    return HttpServiceConnector.of(
        UserAgent.of(version, "controller"),
        settings ->
            settings
                .withAllowedHosts(hosts)
                .withRetry(RetryRules.ONCE)
                .withLimits(CallLimits.atMost(callsAtOnce))
                .withMaySend(maySend),
        clock);
  }

  /** A leader that was paused sends no write after it wakes, and removes no runner (WR8). */
  static LeaseGuard guard(ControllerSettings settings, Clock clock) {
    return new LeaseGuard(
        settings.places().controllerNamespace(),
        ControllerSettings.LEASE,
        settings.leadership().identity(),
        settings.leadership().times().lasts(),
        clock,
        System::nanoTime);
  }

  // must change its argument only: the framework calls it twice
  private static void configure(
      ConfigurationServiceOverrider configuration,
      ControllerSettings settings,
      KubernetesClient client,
      LeaderCallbacks callbacks,
      Consumer<String> lost) {
    configuration
        .withKubernetesClient(client)
        .withCloseClientOnStop(false)
        .withResourceCloner(new RecordCloner(client.getKubernetesSerialization()))
        .withUseSSAToPatchPrimaryResource(false)
        // else an older event, still on its way, hides the answer to a write from the next pass;
        // the passes that begin with the answer to a POST rest on it, too
        .withParseResourceVersions(true)
        .withSSABasedCreateUpdateMatchForDependentResources(false)
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
        .withLeaderElectionConfiguration(leaderElection(settings, callbacks));
  }

  private LeaderCallbacks leaderCallbacks(String identity, Consumer<String> lost) {
    return new LeaderCallbacks(
        () -> {
          LOG.atInfo().addKeyValue("identity", identity).log("this process leads");
          meters.ofProcess().gauge(Meter.LEADER, 1);
          CountedService.begin(meters);
          whileLeading.forEach(Followed::begin);
        },
        () -> {
          LOG.atInfo().addKeyValue("identity", identity).log("this process no longer leads");
          meters.ofProcess().gauge(Meter.LEADER, 0);
          whileLeading.forEach(Followed::close);
          lost.accept("the lease is lost");
        },
        leader -> {
          if (!identity.equals(leader)) {
            LOG.atInfo().addKeyValue("leader", leader).log("another process leads");
          }
        });
  }

  /** One service may have --runner-concurrency calls at once; half as many more do the rest. */
  private static int threads(ControllerSettings settings) {
    return settings.concurrency() + Math.max(1, settings.concurrency() / 2);
  }

  private static LeaderElectionConfiguration leaderElection(
      ControllerSettings settings, LeaderCallbacks callbacks) {
    return LeaderElectionConfigurationBuilder.aLeaderElectionConfiguration(ControllerSettings.LEASE)
        .withLeaseNamespace(settings.places().controllerNamespace())
        .withIdentity(settings.leadership().identity())
        .withLeaseDuration(settings.leadership().times().lasts())
        .withRenewDeadline(settings.leadership().times().renewWithin())
        .withRetryPeriod(settings.leadership().times().retryEvery())
        .withExitOnStopLeading(false)
        .withLeaderCallbacks(callbacks)
        .build();
  }

  /** Whether it has started and its caches follow the API server. */
  public boolean isHealthy() {
    return operator.getRuntimeInfo().isStarted()
        && operator.getRuntimeInfo().allEventSourcesAreHealthy();
  }

  /** Its series as they are now. */
  public MetricSnapshots metrics() {
    return meters.snapshots();
  }

  /** Ends work under way, which may take a few seconds; then gives the lease back. */
  @Override
  public void close() {
    if (closing.compareAndSet(false, true)) {
      whileLeading.forEach(Followed::close);
      withCaches.forEach(Followed::close);
      beforeCaches.close();
      PassThreads.end(calls, termination); // their answers are used by the passes
      passes.end(termination); // before the framework empties the caches that passes read
      operator.stop();
      writeEvents.run();
      eventWriter.close();
      threads.shutdownNow();
      lease.giveBack();
      connections.close();
      client.close();
    }
  }
}
