package dev.runnerset.listener.main;

import dev.runnerset.actions.http.AllowedHosts;
import dev.runnerset.actions.http.CallLimits;
import dev.runnerset.actions.http.Timeouts;
import dev.runnerset.actions.http.UserAgent;
import dev.runnerset.base.ProductVersion;
import dev.runnerset.base.metrics.Meters;
import dev.runnerset.connection.ConnectionReader;
import dev.runnerset.connection.HttpServiceConnector;
import dev.runnerset.connection.ServiceConnector;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.LeaseGuard;
import dev.runnerset.listener.config.ListenerSettings;
import dev.runnerset.listener.kube.KubeAccessReader;
import dev.runnerset.listener.kube.KubeSetWriter;
import dev.runnerset.listener.kube.LeaseHolding;
import dev.runnerset.listener.kube.ListenerWatch;
import dev.runnerset.listener.kube.PacedRequests;
import dev.runnerset.listener.metrics.ListenerMeter;
import dev.runnerset.listener.metrics.ListenerSeries;
import dev.runnerset.listener.metrics.MeasuredService;
import dev.runnerset.listener.session.LastingLoop;
import dev.runnerset.listener.session.context.AccessReader;
import dev.runnerset.listener.session.context.DesiredState.StopReason;
import dev.runnerset.listener.session.context.ListenerSnapshot;
import dev.runnerset.listener.session.context.LoopContext;
import dev.runnerset.listener.session.context.SetWriter;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A listener in this process: while it holds the lease, one loop for each listener object of its
 * namespace (SF1). Thread-safe.
 */
public final class ListenerProgram implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ListenerProgram.class);
  private static final Duration SILENCE_MARGIN = ListenerSettings.POLL_MARGIN.plusSeconds(5);
  private static final Duration HASTE = Duration.ofSeconds(2);

  /**
   * Calls to one host but for polls: a thousand sessions that open at once would each hold a
   * handshake, and the last ones would time out. Each loop has its own thread, so it may wait.
   */
  private static final CallLimits LIMITS =
      new CallLimits(
          64,
          Duration.ofSeconds(10),
          Integer.MAX_VALUE,
          Duration.ofSeconds(1),
          Duration.ofSeconds(1));

  private final ListenerSettings settings;
  private final KubernetesClient client;
  private final ServiceConnector connector;
  private final Clock clock;
  private final RandomGenerator random;
  private final SetWriter writer;
  private final AccessReader access;
  private final Meters meters = ListenerMeter.series();
  private final Map<String, ListenerSeries> seriesByUid = new ConcurrentHashMap<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /** For the writes of all loops. It holds no idle thread, so nobody shuts it down. */
  private final ExecutorService writes = Executors.newVirtualThreadPerTaskExecutor();

  private final LeaseGuard guard;
  private final LeaseHolding lease;
  private final Loops loops;
  private final ListenerWatch watch;
  private final LoopsWatch loopsWatch;

  private ListenerProgram(
      ListenerSettings settings,
      KubernetesClient unguarded,
      Function<BooleanSupplier, ServiceConnector> connectors,
      Clock clock,
      RandomGenerator random) {
    this.settings = settings;
    this.clock = clock;
    this.random = random;
    meters.ofProcess().gauge(ListenerMeter.LEADER, 0);
    this.guard =
        new LeaseGuard(
            settings.namespace(),
            settings.lease().name(),
            settings.identity(),
            settings.lease().lasts(),
            clock,
            System::nanoTime);
    this.client = guard.guarded(unguarded);
    this.connector = connectors.apply(guard::holds);
    var kube = new KubeApi(client);
    var requests = new PacedRequests();
    writer = requests.of(SetWriter.class, new KubeSetWriter(kube));
    access = requests.of(AccessReader.class, new KubeAccessReader(new ConnectionReader(kube)));
    loops = new Loops(this::loop);
    lease =
        new LeaseHolding(
            client,
            guard,
            new LeaseLock(settings.namespace(), settings.lease().name(), settings.identity()),
            settings.lease(),
            new LeaseHolding.Changes(this::gained, this::lost),
            threads);
    watch = new ListenerWatch(client, settings.namespace(), loops::seen, this::gone);
    loopsWatch = new LoopsWatch(loops, this::stuck, System::nanoTime);
  }

  /**
   * Starts to compete for the lease and, once it is held, to listen. Returns at once.
   *
   * @param client stays the caller's, to be closed after this
   * @param connectors makes the connector of connections that ask before each call that changes
   *     something at the service
   * @param random for the jitter of waiting times
   */
  public static ListenerProgram start(
      ListenerSettings settings,
      KubernetesClient client,
      Function<BooleanSupplier, ServiceConnector> connectors,
      Clock clock,
      RandomGenerator random) {
    var program = new ListenerProgram(settings, client, connectors, clock, random);
    program.lease.start();
    LOG.atInfo()
        .addKeyValue("namespace", settings.namespace())
        .addKeyValue("identity", settings.identity())
        .log("listener started");
    return program;
  }

  /**
   * Connections as the listener uses them: a poll may be silent for as long as the service holds it
   * open, and a little longer.
   *
   * @param poll how long the service holds a poll open
   * @param hosts which the installation lists
   * @param maySend asked before each call that changes something at the service
   */
  public static ServiceConnector connector(
      Duration poll, AllowedHosts hosts, BooleanSupplier maySend, Clock clock) {
    var timeouts =
        new Timeouts(
            Timeouts.DEFAULT.connect(),
            Timeouts.DEFAULT.call(),
            Timeouts.DEFAULT.whole(),
            poll.plus(SILENCE_MARGIN),
            poll.plus(SILENCE_MARGIN));
    return HttpServiceConnector.of(
        UserAgent.of(ProductVersion.text(), "listener"),
        settings ->
            settings
                .withTimeouts(timeouts)
                .withLimits(LIMITS)
                .withAllowedHosts(hosts)
                .withMaySend(maySend),
        clock);
  }

  /** Whether this process holds the lease for certain. */
  public boolean holdsLease() {
    return guard.holds();
  }

  private void gained() {
    LOG.atInfo().addKeyValue("identity", settings.identity()).log("this process holds the lease");
    meters.ofProcess().gauge(ListenerMeter.LEADER, 1);
    loops.begin();
  }

  private void lost() {
    LOG.atInfo()
        .addKeyValue("identity", settings.identity())
        .log("this process no longer holds the lease");
    meters.ofProcess().gauge(ListenerMeter.LEADER, 0);
    loops.end(StopReason.LEASE_LOST);
    List.copyOf(seriesByUid.keySet()).forEach(this::forget);
  }

  private void gone(String uid) {
    loops.gone(uid);
    forget(uid);
  }

  private void forget(String uid) {
    var series = seriesByUid.remove(uid);
    if (series != null) {
      series.end();
    }
  }

  private void stuck(ListenerSnapshot listener) {
    seriesOf(listener).counted(ListenerMeter.LOOPS_RESTARTED, "stuck");
  }

  private ListenerSeries seriesOf(ListenerSnapshot listener) {
    var target = listener.spec().runnerSet();
    return seriesByUid.computeIfAbsent(
        listener.uid(),
        _ -> new ListenerSeries(meters, target.namespace(), target.name(), settings.usage()));
  }

  /** Its series as they are now. */
  public MetricSnapshots metrics() {
    return meters.snapshots();
  }

  /** Whether the listener objects are watched: then this process works, or would if it led. */
  public boolean isReady() {
    return watch.isFollowing();
  }

  /** Whether its loops are looked after, and hang at most now and then. */
  public boolean isHealthy() {
    return loopsWatch.isHealthy();
  }

  private LoopInbox loop(ListenerSnapshot listener, boolean insteadOfStuck, Runnable ended) {
    var inbox = new LoopInbox(clock, System::nanoTime, listener);
    var series = seriesOf(listener);
    ServiceConnector measured =
        settings -> MeasuredService.of(connector.connect(settings), series, System::nanoTime);
    var context =
        new LoopContext(
            new LoopContext.Cluster(writer, guard::renewedAt, writes),
            new LoopContext.Service(access, measured),
            inbox,
            new ThreadPolls(inbox::answered),
            random,
            settings,
            series);
    inbox.runs(
        Thread.ofVirtual()
            .name("set-" + listener.name())
            .start(() -> {
              try {
                new LastingLoop(context, listener, insteadOfStuck).run();
              } finally {
                ended.run();
              }
            }));
    return inbox;
  }

  /**
   * Ends in order: finishes the messages in hand, closes the sessions, releases the lease. Takes at
   * most the grace of the settings and a few seconds.
   */
  @Override
  public void close() {
    watch.close();
    loopsWatch.close();
    loops.end(StopReason.SHUTDOWN);
    if (!loops.awaitEnd(settings.grace())) {
      loops.interrupt();
      var _ = loops.awaitEnd(HASTE);
    }
    lease.release(HASTE);
    threads.shutdown();
    client.close();
    LOG.atInfo().addKeyValue("identity", settings.identity()).log("listener ended");
  }

  /**
   * Ends as a killed process does, for rehearsals: closes no session, writes nothing, and leaves
   * the lease to run out.
   */
  public void abandon() {
    watch.close();
    loopsWatch.close();
    loops.end(StopReason.LEASE_LOST);
    loops.interrupt();
    lease.abandon();
    threads.shutdownNow();
    client.close();
  }
}
