package dev.runnerset.cli.ui;

import dev.runnerset.cli.cluster.Cluster;
import dev.runnerset.cli.cluster.Selection;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Follows the objects of one kind; what may not be read is a gap, and is asked for rarely. */
final class KindWatch<T extends HasMetadata> implements AutoCloseable {
  /** How many objects an answer has: templates of pods may be long. */
  private static final long PAGE = 100;

  private static final Duration REFUSED_PAUSE = Duration.ofMinutes(1);

  private final Cluster cluster;
  private final Class<T> kind;
  private final Selection selection;
  private final Clock clock;
  private final Consumer<T> seen;
  private final BiConsumer<String, String> gone;
  private final Map<String, String> unread = new ConcurrentHashMap<>();
  private volatile SharedIndexInformer<T> informer;
  private volatile @Nullable KubernetesClientException failure;
  private volatile @Nullable String gap;
  private volatile @Nullable Instant refusedAt;

  /**
   * Begins to follow.
   *
   * @param seen gets each object that is new or has changed
   * @param gone gets namespace and name of each one that is gone
   */
  KindWatch(
      Cluster cluster,
      Class<T> kind,
      Selection selection,
      Clock clock,
      Consumer<T> seen,
      BiConsumer<String, String> gone) {
    this.cluster = cluster;
    this.kind = kind;
    this.selection = selection;
    this.clock = clock;
    this.seen = seen;
    this.gone = gone;
    cluster.client().getKubernetesSerialization().registerKubernetesResource(kind);
    informer = start();
  }

  private SharedIndexInformer<T> start() {
    var next =
        cluster
            .selected(kind, selection)
            .withLimit(PAGE)
            .runnableInformer(0)
            .itemStore(new SlimStore<>(kind))
            .exceptionHandler((isStarted, thrown) -> failed(thrown));
    next.addEventHandler(new Changes());
    var _ = next.start();
    return next;
  }

  /** Whether the informer is to try again by itself: not where a role is missing. */
  private boolean failed(Throwable thrown) {
    var found = client(thrown);
    if (found.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
      failure = found;
      return true;
    }
    gap = cluster.gap(found, kind, selection).sentence();
    refusedAt = clock.instant();
    return false;
  }

  private static KubernetesClientException client(Throwable thrown) {
    for (var each = thrown; each != null; each = each.getCause()) {
      if (each instanceof KubernetesClientException found) {
        return found;
      }
    }
    return new KubernetesClientException(String.valueOf(thrown.getMessage()), thrown);
  }

  /** Asks again for what was refused, once a minute: somebody may have given the right. */
  void restart() {
    var refused = refusedAt;
    if (refused != null
        && Duration.between(refused, clock.instant()).compareTo(REFUSED_PAUSE) > 0) {
      refusedAt = null;
      informer.stop();
      informer = start();
    }
  }

  /** Whether the objects were read and are followed. */
  boolean isFollowing() {
    boolean is = informer.hasSynced() && informer.isWatching();
    if (is) {
      failure = null;
      gap = null;
    }
    return is;
  }

  /** Whether the objects were read, or may not be. */
  boolean isDecided() {
    return gap != null || isFollowing();
  }

  /** Why the last request failed; empty while all is well, and for a gap. */
  Optional<KubernetesClientException> failure() {
    return gap == null ? Optional.ofNullable(failure) : Optional.empty();
  }

  /** The right that is missing, in a sentence. */
  Optional<String> gap() {
    return Optional.ofNullable(gap);
  }

  /** Objects that could not be understood, in a sentence. */
  Optional<String> unread() {
    return unread.entrySet().stream()
        .findFirst()
        .map(one -> "%s cannot be read: %s".formatted(one.getKey(), one.getValue()));
  }

  @Override
  public void close() {
    informer.stop();
  }

  private final class Changes implements ResourceEventHandler<T> {
    @Override
    public void onAdd(T object) {
      var name = object.getMetadata().getNamespace() + "/" + object.getMetadata().getName();
      try {
        seen.accept(object);
        unread.remove(name);
      } catch (RuntimeException e) { // a field that nobody expects: the others are shown
        unread.put(name, String.valueOf(e.getMessage()));
      }
    }

    @Override
    public void onUpdate(T before, T now) {
      onAdd(now);
    }

    @Override
    public void onDelete(T object, boolean finalStateUnknown) {
      gone.accept(object.getMetadata().getNamespace(), object.getMetadata().getName());
    }
  }
}
