package dev.runnerset.controller.connection;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.connection.ConnectionKey;
import dev.runnerset.connection.ConnectionReader;
import dev.runnerset.connection.ConnectionSettings;
import dev.runnerset.connection.InvalidConnectionException;
import dev.runnerset.connection.ServiceConnector;
import dev.runnerset.crds.condition.AccessReason;
import dev.runnerset.kube.KubeApi;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@link ServiceConnections} that follow their secrets. Thread-safe. The lock is never held across
 * a request: two callers may read the same secret at once, and the first to come back wins.
 */
public final class SecretConnections implements ServiceConnections, AutoCloseable {
  static final Duration REREAD_AFTER = Duration.ofMinutes(5);

  /** How often at most a refusal by the service leads to another reading. */
  static final Duration REREAD_AT_MOST_EVERY = Duration.ofSeconds(30);

  /** How long a finding is kept before the secret is read again: hundreds of runners may ask. */
  static final Duration FINDING_STANDS = Duration.ofSeconds(1);

  /** How long a call on a replaced connection may still take, with its retries. */
  static final Duration IN_USE = Duration.ofMinutes(3);

  static final int MAX_CONNECTIONS = 1000;
  private static final Logger LOG = LoggerFactory.getLogger(SecretConnections.class);

  private final ConnectionReader reader;
  private final ServiceConnector connector;
  private final Clock clock;
  private final Map<ConnectionKey, Entry> entryByKey = new HashMap<>(); // guarded by this
  private final Map<ConnectionKey, Finding> findingByKey = new HashMap<>(); // guarded by this
  private final Deque<Retired> retired = new ArrayDeque<>(); // guarded by this

  private volatile Consumer<ConnectionKey> refusalChanged = key -> {};

  private record Finding(AccessReason reason, String message, Instant at) {}

  private record Retired(ActionsService service, Instant at) {}

  /** One connection; its fields are guarded by the cache's lock. */
  private static final class Entry {
    final ConnectionSettings settings;
    final ActionsService service;
    Instant readAt;
    Instant usedAt;
    boolean refused;
    RunnerRefusals runners = RunnerRefusals.NONE;

    Entry(ConnectionSettings settings, ActionsService service, Instant now) {
      this.settings = settings;
      this.service = service;
      this.readAt = now;
      this.usedAt = now;
    }

    boolean isFresh(Instant now) {
      var age = Duration.between(readAt, now);
      return age.compareTo(refused ? REREAD_AT_MOST_EVERY : REREAD_AFTER) < 0;
    }
  }

  /** Makes no connection yet. */
  public SecretConnections(KubeApi kube, ServiceConnector connector, Clock clock) {
    this.reader = new ConnectionReader(kube);
    this.connector = connector;
    this.clock = clock;
  }

  /**
   * Sets who is told when {@link #refusal} of a key changes. Called on the thread of a call; must
   * not block.
   */
  public void onRefusalChanged(Consumer<ConnectionKey> listener) {
    refusalChanged = listener;
  }

  @Override
  public synchronized @Nullable ServiceError refusal(ConnectionKey key) {
    var entry = entryByKey.get(key);
    return entry == null ? null : entry.runners.standing(clock.instant());
  }

  @Override
  public ActionsService to(ConnectionKey key) {
    var known = fresh(key);
    if (known != null) {
      return known;
    }
    ConnectionSettings settings;
    try {
      settings = reader.read(key);
    } catch (InvalidConnectionException e) {
      forget(key, e);
      throw e;
    } catch (KubernetesClientException e) {
      var old = postponed(key);
      if (old != null) {
        return old; // the API server does not answer: go on with what was read last
      }
      throw e;
    }
    boolean wasRefused = refusal(key) != null;
    var service = install(key, settings);
    if (wasRefused && refusal(key) == null) {
      refusalChanged.accept(key); // other credentials: nobody has refused them yet
    }
    return service;
  }

  private synchronized @Nullable ActionsService fresh(ConnectionKey key) {
    var now = clock.instant();
    closeRetired(now);
    var finding = findingByKey.get(key);
    if (finding != null) {
      if (now.isBefore(finding.at().plus(FINDING_STANDS))) {
        throw new InvalidConnectionException(finding.reason(), finding.message());
      }
      findingByKey.remove(key);
    }
    var entry = entryByKey.get(key);
    if (entry == null || !entry.isFresh(now)) {
      return null;
    }
    entry.usedAt = now;
    return entry.service;
  }

  private synchronized @Nullable ActionsService postponed(ConnectionKey key) {
    var entry = entryByKey.get(key);
    if (entry == null) {
      return null;
    }
    entry.readAt = clock.instant();
    return entry.service;
  }

  private synchronized void forget(ConnectionKey key, InvalidConnectionException found) {
    var now = clock.instant();
    if (findingByKey.size() >= MAX_CONNECTIONS) {
      findingByKey.clear();
    }
    findingByKey.put(key, new Finding(found.reason(), String.valueOf(found.getMessage()), now));
    retire(entryByKey.remove(key), now);
  }

  private synchronized ActionsService install(ConnectionKey key, ConnectionSettings settings) {
    var now = clock.instant();
    var old = entryByKey.get(key);
    if (old != null && old.settings.equals(settings)) {
      old.readAt = now;
      old.usedAt = now;
      old.refused = false;
      return old.service;
    }
    var service = new ObservedService(connector.connect(settings), new Observation(key, settings));
    var made = new Entry(settings, service, now);
    if (old == null && entryByKey.size() >= MAX_CONNECTIONS) {
      dropLongestUnused(now);
    }
    retire(entryByKey.put(key, made), now);
    LOG.atInfo()
        .addKeyValue("namespace", key.namespace())
        .addKeyValue("secret", key.secretName())
        .addKeyValue("url", key.githubConfigUrl())
        .log(old == null ? "connected to the service" : "connected anew: the credentials changed");
    return made.service;
  }

  /** The service refused the credentials: the secret may have changed. */
  private synchronized void refused(ConnectionKey key, ConnectionSettings settings) {
    var entry = entryByKey.get(key);
    if (entry != null && entry.settings.equals(settings)) {
      entry.refused = true;
    }
  }

  /** Notes what the service refused to a connection, while that connection is its key's. */
  private final class Observation implements ObservedService.Observer {
    private final ConnectionKey key;
    private final ConnectionSettings settings;

    Observation(ConnectionKey key, ConnectionSettings settings) {
      this.key = key;
      this.settings = settings;
    }

    @Override
    public void refused() {
      SecretConnections.this.refused(key, settings);
    }

    @Override
    public void runnerRefused(ServiceError error) {
      note(before -> before.refused(error, clock.instant()));
    }

    @Override
    public void runnerAllowed() {
      note(before -> RunnerRefusals.NONE);
    }

    private void note(UnaryOperator<RunnerRefusals> change) {
      if (isChangedBy(change)) {
        refusalChanged.accept(key);
      }
    }

    private boolean isChangedBy(UnaryOperator<RunnerRefusals> change) {
      synchronized (SecretConnections.this) {
        var entry = entryByKey.get(key);
        if (entry == null || !entry.settings.equals(settings)) {
          return false;
        }
        var now = clock.instant();
        boolean before = entry.runners.standing(now) != null;
        entry.runners = change.apply(entry.runners);
        return before != (entry.runners.standing(now) != null);
      }
    }
  }

  private void dropLongestUnused(Instant now) {
    entryByKey.entrySet().stream()
        .min(Comparator.comparing(entry -> entry.getValue().usedAt))
        .map(Map.Entry::getKey)
        .ifPresent(key -> retire(entryByKey.remove(key), now));
  }

  private void retire(@Nullable Entry entry, Instant now) {
    if (entry != null) {
      retired.addLast(new Retired(entry.service, now));
    }
  }

  private void closeRetired(Instant now) {
    var first = retired.peekFirst();
    while (first != null && first.at().plus(IN_USE).isBefore(now)) {
      retired.removeFirst().service().close();
      first = retired.peekFirst();
    }
  }

  @Override
  public void close() {
    List<ActionsService> all = new ArrayList<>();
    synchronized (this) {
      retired.forEach(old -> all.add(old.service()));
      entryByKey.values().forEach(entry -> all.add(entry.service));
      retired.clear();
      entryByKey.clear();
    }
    all.forEach(ActionsService::close);
  }
}
