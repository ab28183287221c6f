package dev.runnerset.controller.connection;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.InterceptedService;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.connection.ConnectionKey;
import dev.runnerset.connection.ConnectionReader;
import dev.runnerset.connection.ConnectionSettings;
import dev.runnerset.connection.InvalidConnectionException;
import dev.runnerset.connection.ServiceConnector;
import dev.runnerset.controller.managerrole.MissingRole;
import dev.runnerset.crds.condition.AccessReason;
import dev.runnerset.kube.Denial;
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
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@link ServiceConnections} that follow their secrets: what a key names is read when it is first
 * asked for, again while it is missing or unusable, and by each {@link #readAgain}. Thread-safe.
 * The lock is never held across a request: two callers may read the same secret at once, and the
 * first to come back wins.
 */
public final class SecretConnections implements ServiceConnections, AutoCloseable {
  /** How long a connection is kept that no set names and nobody asks for any more. */
  static final Duration UNNAMED_KEPT = Duration.ofMinutes(15);

  /** How long a finding is kept before the secret is read again: hundreds of runners may ask. */
  static final Duration FINDING_STANDS = Duration.ofSeconds(1);

  /** How long a call on a replaced connection may still take, with its retries. */
  static final Duration IN_USE = Duration.ofMinutes(3);

  static final int MAX_CONNECTIONS = 1000;
  private static final Logger LOG = LoggerFactory.getLogger(SecretConnections.class);

  private final KubeApi kube;
  private final ConnectionReader reader;
  private final ServiceConnector connector;
  private final ServiceTurns turns;
  private final Clock clock;
  private final Map<ConnectionKey, Entry> entryByKey = new HashMap<>(); // guarded by this
  private final Map<ConnectionKey, Finding> findingByKey = new HashMap<>(); // guarded by this
  private final Map<ConnectionKey, Long> versionByKey = new HashMap<>(); // guarded by this
  private final Deque<Retired> retired = new ArrayDeque<>(); // guarded by this

  private volatile Consumer<ConnectionKey> changed = key -> {};

  /** What is wrong with what a key names. A connection made before is kept for the clean-up. */
  private record Finding(AccessReason reason, String message, Instant at) {
    boolean isOf(InvalidConnectionException e) {
      return reason == e.reason() && message.equals(e.getMessage());
    }
  }

  private record Retired(ActionsService service, Instant at) {}

  /** One connection; its fields are guarded by the cache's lock. */
  private static final class Entry {
    final ConnectionSettings settings;
    final ActionsService service;
    Instant usedAt;
    final RefusalBook runners = new RefusalBook();

    Entry(ConnectionSettings settings, ActionsService service, Instant usedAt) {
      this.settings = settings;
      this.service = service;
      this.usedAt = usedAt;
    }
  }

  /** Makes no connection yet. */
  public SecretConnections(
      KubeApi kube, ServiceConnector connector, ServiceTurns turns, Clock clock) {
    this.kube = kube;
    this.reader = new ConnectionReader(kube);
    this.connector = connector;
    this.turns = turns;
    this.clock = clock;
  }

  /**
   * Sets who is told when {@link #refusal} or {@link #version} of a key changes. Called on the
   * thread of a call; must not block.
   */
  public void onChange(Consumer<ConnectionKey> listener) {
    changed = listener;
  }

  @Override
  public synchronized @Nullable ServiceError refusal(ConnectionKey key, ScaleSetId id) {
    var entry = entryByKey.get(key);
    return entry == null ? null : entry.runners.standing(id, clock.instant());
  }

  @Override
  public synchronized long version(ConnectionKey key) {
    return versionByKey.getOrDefault(key, 0L);
  }

  @Override
  public ActionsService to(ConnectionKey key) {
    var known = lastRead(key);
    return known == null ? read(key) : known;
  }

  /** What was read last, or throws what was wrong with it; null if it must be read. */
  private synchronized @Nullable ActionsService lastRead(ConnectionKey key) {
    var finding = findingByKey.get(key);
    if (finding == null) {
      return known(key);
    }
    if (clock.instant().isBefore(finding.at().plus(FINDING_STANDS))) {
      throw new InvalidConnectionException(finding.reason(), finding.message());
    }
    return null;
  }

  @Override
  public ActionsService toCleanUp(ConnectionKey key) {
    try {
      return to(key);
    } catch (InvalidConnectionException e) {
      var known = known(key);
      if (known == null) {
        throw e;
      }
      return known;
    }
  }

  /** The connection that was made last, whatever the cluster has now; null if none was. */
  private synchronized @Nullable ActionsService known(ConnectionKey key) {
    var entry = entryByKey.get(key);
    if (entry == null) {
      return null;
    }
    entry.usedAt = clock.instant();
    return entry.service;
  }

  /**
   * Reads again what each key names that was read before; forgets connections that none of those
   * keys names and nobody asks for. Blocks for the reads, one after another.
   */
  public void readAgain(Set<ConnectionKey> named) {
    for (var key : kept(named)) {
      try {
        var _ = read(key);
      } catch (RuntimeException e) { // of this key only: the others are read all the same
        LOG.atDebug().addKeyValue("why", e.getMessage()).log("a connection cannot be made now");
      }
    }
  }

  private synchronized Set<ConnectionKey> kept(Set<ConnectionKey> named) {
    forgetUnnamed(named);
    return Stream.of(entryByKey, findingByKey)
        .flatMap(known -> known.keySet().stream())
        .collect(Collectors.toSet());
  }

  private void forgetUnnamed(Set<ConnectionKey> named) {
    var now = clock.instant();
    closeRetired(now);
    findingByKey.keySet().retainAll(named);
    versionByKey.keySet().removeIf(key -> !named.contains(key) && !entryByKey.containsKey(key));
    var unused =
        entryByKey.entrySet().stream()
            .filter(entry -> !named.contains(entry.getKey()))
            .filter(entry -> !now.isBefore(entry.getValue().usedAt.plus(UNNAMED_KEPT)))
            .map(Map.Entry::getKey)
            .toList();
    unused.forEach(key -> retire(entryByKey.remove(key), now));
    turns.keepOnly(
        entryByKey.values().stream()
            .map(entry -> ServiceTurns.Host.of(entry.settings))
            .collect(Collectors.toSet()));
  }

  private ActionsService read(ConnectionKey key) {
    long before = version(key);
    try {
      return install(key, reader.read(key));
    } catch (InvalidConnectionException e) {
      found(key, e);
      throw e;
    } catch (KubernetesClientException e) {
      var missing = roleMissing(e);
      if (missing.isPresent()) {
        found(key, missing.get());
        throw missing.get();
      }
      var known = usable(key);
      if (known == null) {
        throw e;
      }
      return known; // the API server does not answer: go on with what was read last
    } finally {
      if (before > 0 && version(key) != before) {
        changed.accept(key);
      }
    }
  }

  /** What no role allows is told as a missing secret would be: no runner can start meanwhile. */
  private Optional<InvalidConnectionException> roleMissing(KubernetesClientException e) {
    var words = Denial.words(e);
    return MissingRole.advice(kube, words)
        .map(advice ->
            new InvalidConnectionException(
                AccessReason.ROLE_MISSING,
                "The controller may not read what the set names: " + advice + ". " + words));
  }

  private synchronized @Nullable ActionsService usable(ConnectionKey key) {
    var entry = entryByKey.get(key);
    return entry == null || findingByKey.containsKey(key) ? null : entry.service;
  }

  private synchronized void found(ConnectionKey key, InvalidConnectionException found) {
    if (findingByKey.size() >= MAX_CONNECTIONS) {
      findingByKey.keySet().removeIf(other -> other.namespace().equals(key.namespace()));
    }
    var finding = new Finding(found.reason(), String.valueOf(found.getMessage()), clock.instant());
    var before = findingByKey.put(key, finding);
    if (before == null || !before.isOf(found)) {
      versionByKey.merge(key, 1L, Long::sum);
    }
  }

  private synchronized ActionsService install(ConnectionKey key, ConnectionSettings settings) {
    var now = clock.instant();
    var old = entryByKey.get(key);
    boolean same = old != null && old.settings.equals(settings);
    if (findingByKey.remove(key) != null || !same) {
      versionByKey.merge(key, 1L, Long::sum);
    }
    if (old != null && same) {
      return old.service;
    }
    var service =
        InterceptedService.of(connector.connect(settings), new Observation(key, settings));
    var made = new Entry(settings, service, old == null ? now : old.usedAt);
    if (old == null && entryByKey.size() >= MAX_CONNECTIONS) {
      dropLongestUnused(key.namespace(), now);
    }
    retire(entryByKey.put(key, made), now);
    LOG.atInfo()
        .addKeyValue("namespace", key.namespace())
        .addKeyValue("secret", key.secretName())
        .addKeyValue("url", key.githubConfigUrl())
        .log(old == null ? "connected to the service" : "connected anew: the credentials changed");
    return made.service;
  }

  /**
   * Gives each call its turn, and notes which runners the service refuses to a connection, while
   * that connection is its key's. While it registers none, few registrations are sent.
   */
  private final class Observation implements InterceptedService.Interceptor {
    private final ConnectionKey key;
    private final ConnectionSettings settings;

    Observation(ConnectionKey key, ConnectionSettings settings) {
      this.key = key;
      this.settings = settings;
    }

    @Override
    public @Nullable Object call(
        String method, ScaleSetId scaleSet, Supplier<@Nullable Object> call) {
      boolean registers = method.equals("generateJitConfig");
      boolean ofRunner = registers || method.equals("removeRunner");
      var heldBack = registers ? heldBack(scaleSet) : null;
      if (heldBack != null) {
        throw heldBack;
      }
      try {
        var answer = turns.call(key.namespace(), ServiceTurns.Host.of(settings), call);
        if (ofRunner) {
          note(scaleSet, (book, now) -> book.allowed(scaleSet));
        }
        return answer;
      } catch (ServiceException e) {
        boolean ours = e.error() instanceof ServiceError.Cancelled;
        boolean ofThisRunner = e.error() instanceof ServiceError.Conflict;
        if (ofRunner && !ours && !ofThisRunner) {
          note(scaleSet, (book, now) -> book.refused(scaleSet, e.error(), now));
        }
        throw e;
      }
    }

    private @Nullable ServiceException heldBack(ScaleSetId id) {
      synchronized (SecretConnections.this) {
        var entry = present();
        return entry == null ? null : entry.runners.heldBack(id, clock.instant());
      }
    }

    private void note(ScaleSetId id, BiConsumer<RefusalBook, Instant> change) {
      if (isChangedBy(id, change)) {
        changed.accept(key);
      }
    }

    private boolean isChangedBy(ScaleSetId id, BiConsumer<RefusalBook, Instant> change) {
      synchronized (SecretConnections.this) {
        var entry = present();
        if (entry == null) {
          return false;
        }
        var now = clock.instant();
        var before = entry.runners.standing(id, now);
        change.accept(entry.runners, now);
        return before != entry.runners.standing(id, now);
      }
    }

    private @Nullable Entry present() {
      var entry = entryByKey.get(key);
      return entry != null && entry.settings.equals(settings) ? entry : null;
    }
  }

  /** Of that namespace: those of others do not go for its connections. */
  private void dropLongestUnused(String namespace, Instant now) {
    entryByKey.entrySet().stream()
        .filter(entry -> entry.getKey().namespace().equals(namespace))
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
