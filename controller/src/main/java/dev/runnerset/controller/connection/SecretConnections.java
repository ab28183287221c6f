package dev.runnerset.controller.connection;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.InterceptedService;
import dev.runnerset.actions.RemoveRunnerResult;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.base.Detail;
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
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
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
  @Detail static final Duration UNNAMED_KEPT = Duration.ofMinutes(15);

  /** How long a finding is kept before the secret is read again: hundreds of runners may ask. */
  @Detail static final Duration FINDING_STANDS = Duration.ofSeconds(1);

  static final int MAX_CONNECTIONS = 1000;
  private static final Logger LOG = LoggerFactory.getLogger(SecretConnections.class);

  private final KubeApi kube;
  private final ConnectionReader reader;
  private final ServiceConnector connector;
  private final ServiceTurns turns;
  private final Clock clock;
  private final Map<ConnectionKey, Known> knownByKey = new HashMap<>(); // guarded by this

  private final Map<Credentials, JitTurns> jitTurns = new HashMap<>(); // guarded by this

  private volatile Consumer<ConnectionKey> changed = key -> {};

  /** What is wrong with what a key names. */
  private record Finding(AccessReason reason, String message, Instant at) {
    boolean isOf(InvalidConnectionException e) {
      return reason == e.reason() && message.equals(e.getMessage());
    }
  }

  private record Connection(
      ConnectionSettings settings, ActionsService service, RefusalBook runners) {}

  /** Whose calls a service counts together: a host that hangs holds up no other one. */
  private record Credentials(String namespace, String secret, String host) {
    static Credentials of(ConnectionKey key, ConnectionSettings settings) {
      var host = ServiceTurns.Host.of(settings).authority();
      return new Credentials(key.namespace(), key.secretName(), host);
    }
  }

  /** What is known of one key; its fields are guarded by the lock of all. */
  private static final class Known {
    /** Changes with the credentials, and with what is wrong with them. */
    long version;

    /** Made last; kept for the clean-up while something is wrong. */
    @Nullable Connection connection;

    @Nullable Finding finding;

    /** They outlast the credentials: which scale sets these reach is a matter of the URL. */
    final ScaleSetDoubts doubts = new ScaleSetDoubts();

    Instant usedAt;

    Known(Instant usedAt) {
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
   * Sets what is called when {@link #refusal} or {@link #version} of a key changes. Called on the
   * thread of a call; must not block.
   */
  public void onChange(Consumer<ConnectionKey> listener) {
    changed = listener;
  }

  @Override
  public synchronized @Nullable ServiceError refusal(ConnectionKey key, ScaleSetId id) {
    var known = knownByKey.get(key);
    return known == null || known.connection == null
        ? null
        : known.connection.runners().standing(id, clock.instant());
  }

  @Override
  public synchronized void doubted(ConnectionKey key, ScaleSetId id, Instant since) {
    doubts(key).ifPresent(doubts -> doubts.doubted(id, since));
  }

  @Override
  public synchronized void proved(ConnectionKey key, ScaleSetId id, Instant askedAt) {
    doubts(key).ifPresent(doubts -> doubts.proved(id, askedAt));
  }

  @Override
  public synchronized boolean isDoubted(ConnectionKey key, ScaleSetId id) {
    return doubts(key).filter(doubts -> doubts.isDoubted(id, clock.instant())).isPresent();
  }

  private Optional<ScaleSetDoubts> doubts(ConnectionKey key) {
    return Optional.ofNullable(knownByKey.get(key)).map(known -> known.doubts);
  }

  @Override
  public Optional<JitWait> jitTurn(ConnectionKey key, ScaleSetId id, String set, String runner) {
    var wait = turn(key, id, set, runner);
    if (wait.isPresent() && isDoubted(key, id)) {
      changed.accept(key); // its set asks for its scale set again
    }
    return wait;
  }

  private synchronized Optional<JitWait> turn(
      ConnectionKey key, ScaleSetId id, String set, String runner) {
    var now = clock.instant();
    var known = knownByKey.get(key);
    if (known == null || known.connection == null) {
      return Optional.empty(); // no service is known that the runner could ask
    }
    var book = known.connection.runners();
    if (known.doubts.isDoubted(id, now)) { // its runner would be somebody else's
      var again = now.plus(ConnectionTimes.PROVED_WITHIN);
      return Optional.of(new JitWait(again, book.ofRegistrations(id, now)));
    }
    var heldBack = book.heldBack(id, now);
    if (heldBack != null) {
      return Optional.of(heldBack);
    }
    var wait = jitTurns(key, known.connection.settings()).ask(set, runner, now);
    if (wait.isEmpty()) {
      book.tried(id, now);
    }
    return wait;
  }

  private JitTurns jitTurns(ConnectionKey key, ConnectionSettings settings) {
    return jitTurns.computeIfAbsent(Credentials.of(key, settings), _ -> new JitTurns());
  }

  @Override
  public synchronized long version(ConnectionKey key) {
    var known = knownByKey.get(key);
    return known == null ? 0 : known.version;
  }

  @Override
  public ActionsService to(ConnectionKey key) {
    var known = lastRead(key);
    return known == null ? read(key) : known;
  }

  /** What was read last, or throws what was wrong with it; null if it must be read. */
  private synchronized @Nullable ActionsService lastRead(ConnectionKey key) {
    var known = knownByKey.get(key);
    var finding = known == null ? null : known.finding;
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
    var known = knownByKey.get(key);
    if (known == null || known.connection == null) {
      return null;
    }
    known.usedAt = clock.instant();
    return known.connection.service();
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
    var now = clock.instant();
    var unnamed = new HashMap<>(knownByKey);
    unnamed.keySet().removeAll(named);
    unnamed.forEach((key, known) -> {
      known.finding = null;
      if (known.connection == null || !now.isBefore(known.usedAt.plus(UNNAMED_KEPT))) {
        drop(key);
      }
    });
    var credentials = new HashSet<Credentials>();
    var hosts = new HashSet<ServiceTurns.Host>();
    knownByKey.forEach((key, known) -> {
      if (known.connection != null) {
        credentials.add(Credentials.of(key, known.connection.settings()));
        hosts.add(ServiceTurns.Host.of(known.connection.settings()));
      }
    });
    jitTurns.keySet().retainAll(credentials);
    turns.keepOnly(hosts);
    return Set.copyOf(knownByKey.keySet());
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
      var known = lastRead(key);
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

  /**
   * What no role allows is reported as a missing secret would be: no runner can start meanwhile.
   */
  private Optional<InvalidConnectionException> roleMissing(KubernetesClientException e) {
    var words = Denial.words(e);
    return MissingRole.advice(kube, words)
        .map(advice ->
            new InvalidConnectionException(
                AccessReason.ROLE_MISSING,
                "The controller may not read what the set names: " + advice + ". " + words));
  }

  private synchronized void found(ConnectionKey key, InvalidConnectionException found) {
    var known = begun(key);
    if (known.finding == null || !known.finding.isOf(found)) {
      known.version++;
    }
    known.finding =
        new Finding(found.reason(), String.valueOf(found.getMessage()), clock.instant());
  }

  private synchronized ActionsService install(ConnectionKey key, ConnectionSettings settings) {
    var known = begun(key);
    var old = known.connection;
    boolean same = old != null && old.settings().equals(settings);
    if (known.finding != null || !same) {
      known.version++;
    }
    known.finding = null;
    if (old != null && same) {
      return old.service();
    }
    var service =
        InterceptedService.of(connector.connect(settings), new Observation(key, settings));
    known.connection = new Connection(settings, service, new RefusalBook());
    if (old != null) {
      old.service().close(); // calls under way end as they would have
    }
    LOG.atInfo()
        .addKeyValue("namespace", key.namespace())
        .addKeyValue("secret", key.secretName())
        .addKeyValue("url", key.githubConfigUrl())
        .log(old == null ? "connected to the service" : "connected again: the credentials changed");
    return service;
  }

  /**
   * What is known of the key, or nothing yet. One that is too many makes one of its namespace go.
   */
  private Known begun(ConnectionKey key) {
    var now = clock.instant();
    if (!knownByKey.containsKey(key) && knownByKey.size() >= MAX_CONNECTIONS) {
      knownByKey.entrySet().stream()
          .filter(entry -> entry.getKey().namespace().equals(key.namespace()))
          .min(Comparator.comparing(entry -> entry.getValue().usedAt))
          .map(Map.Entry::getKey)
          .ifPresent(longestUnused -> drop(longestUnused));
    }
    return knownByKey.computeIfAbsent(key, _ -> new Known(now));
  }

  /**
   * Gives each call its turn, and notes which runners the service refuses to a connection, while
   * that connection is its key's. JIT configs are to have their turn before.
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
      var sent = clock.instant();
      boolean accepted = false;
      ServiceError error = null;
      try {
        var answer = turns.call(key.namespace(), ServiceTurns.Host.of(settings), call);
        accepted = true;
        called(answer instanceof RemoveRunnerResult.Failed(var failure) ? failure : null);
        if (ofRunner) {
          note(scaleSet, (book, now) -> book.allowed(scaleSet));
        }
        return answer;
      } catch (ServiceException e) {
        error = e.error();
        called(error);
        boolean ours = error instanceof ServiceError.Cancelled;
        boolean ofThisRunner = error instanceof ServiceError.Conflict;
        if (ofRunner && !ours && !ofThisRunner) {
          note(scaleSet, (book, now) -> book.refused(scaleSet, e.error(), now));
        }
        if (registers && error instanceof ServiceError.NotFound) {
          doubted(key, scaleSet, clock.instant());
        }
        throw e;
      } finally {
        paced(registers, sent, accepted, error);
      }
    }

    private void called(@Nullable ServiceError failure) {
      synchronized (SecretConnections.this) {
        doubts(key).ifPresent(doubts -> doubts.called(failure, clock.instant()));
      }
    }

    /** A 429 counts, whatever it answers. */
    private void paced(
        boolean registers, Instant sent, boolean accepted, @Nullable ServiceError error) {
      synchronized (SecretConnections.this) {
        var now = clock.instant();
        var jit = jitTurns(key, settings);
        double before = jit.perSecond(now);
        if (registers) {
          jit.ended(sent, now, accepted, error);
        } else {
          jit.limited(now, error);
        }
        if (jit.perSecond(now) < before) {
          LOG.atInfo()
              .addKeyValue("namespace", key.namespace())
              .addKeyValue("secret", key.secretName())
              .addKeyValue("perSecond", jit.perSecond(now))
              .log("the service limits the rate of calls: JIT configs go slower");
        }
      }
    }

    private void note(ScaleSetId id, BiConsumer<RefusalBook, Instant> change) {
      if (isChangedBy(id, change)) {
        changed.accept(key);
      }
    }

    private boolean isChangedBy(ScaleSetId id, BiConsumer<RefusalBook, Instant> change) {
      synchronized (SecretConnections.this) {
        var book = present();
        if (book == null) {
          return false;
        }
        var now = clock.instant();
        var before = book.standing(id, now);
        change.accept(book, now);
        return before != book.standing(id, now);
      }
    }

    private @Nullable RefusalBook present() {
      var known = knownByKey.get(key);
      return known != null
              && known.connection != null
              && known.connection.settings().equals(settings)
          ? known.connection.runners()
          : null;
    }
  }

  private synchronized void drop(ConnectionKey key) {
    var known = knownByKey.remove(key);
    if (known != null && known.connection != null) {
      known.connection.service().close();
    }
  }

  @Override
  public synchronized void close() {
    Set.copyOf(knownByKey.keySet()).forEach(this::drop);
  }
}
