package dev.runnerset.controller.caches;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.ResourceEventAware;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.ManagedInformerEventSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The one cache of a kind in a process. It is that of the kind's own reconciler, since the
 * framework gives each controller a cache of its own and shares none; other reconcilers read it
 * here, follow its events, and put the answers to their writes into it (WR4). Empty until it is
 * opened; filled before the first reconciliation. Thread-safe.
 */
public class SharedCache<T extends HasMetadata> extends SimpleInboundEventSource<T>
    implements ResourceEventAware<T>, WriteCache {
  /** Learns of each event of an object, after the cache shows it. Must not block. */
  @FunctionalInterface
  public interface Follower<T> {
    /**
     * The object came, changed or went; not by a write that a follower put into the cache.
     *
     * @param gone whether it went
     */
    void changed(T object, boolean gone);
  }

  private final List<Follower<? super T>> followers = new CopyOnWriteArrayList<>();

  /** The versions that followers wrote, by uid: the event of one is no news. */
  private final Map<String, String> writtenByUid = new ConcurrentHashMap<>();

  private volatile @Nullable ManagedInformerEventSource<T, ?, ?> source;

  /** A cache that nobody has opened. */
  public SharedCache(String name) {
    super(name);
  }

  /** Opens it; the caller must be the kind's own reconciler, and register it as an event source. */
  public final void open(EventSourceContext<T> context) {
    // the primary cache of a controller is its own event source
    source = (ManagedInformerEventSource<T, ?, ?>) context.getPrimaryCache();
  }

  /** From now on the follower learns of events. */
  public final void follow(Follower<? super T> follower) {
    followers.add(follower);
  }

  /** All objects. */
  public final Stream<T> all() {
    var opened = source;
    return opened == null ? Stream.empty() : opened.list();
  }

  /** The object of that name. */
  public final Optional<T> find(String namespace, String name) {
    var opened = source;
    return opened == null ? Optional.empty() : opened.get(new ResourceID(name, namespace));
  }

  /**
   * Makes the kind's own reconciler run for news that no event carries, or that one carries late.
   */
  public final void trigger(T object) {
    propagateEvent(ResourceID.fromResource(object));
  }

  @Override
  @SuppressWarnings("unchecked") // the cache of a kind takes objects of that kind
  public void created(HasMetadata made) {
    var opened = source;
    if (opened != null) {
      noteWrite(made);
      opened.handleRecentResourceCreate(ResourceID.fromResource(made), (T) made);
    }
  }

  @Override
  @SuppressWarnings("unchecked") // the cache of a kind takes objects of that kind
  public void changed(HasMetadata before, HasMetadata after) {
    var opened = source;
    if (opened != null) {
      noteWrite(after);
      opened.handleRecentResourceUpdate(ResourceID.fromResource(after), (T) after, (T) before);
    }
  }

  private void noteWrite(HasMetadata object) {
    writtenByUid.put(
        object.getMetadata().getUid(),
        Objects.requireNonNullElse(object.getMetadata().getResourceVersion(), ""));
  }

  @Override
  public void onResourceCreated(T object) {
    tell(object);
  }

  @Override
  public void onResourceUpdated(T object, T before) {
    tell(object);
  }

  @Override
  public void onResourceDeleted(T object) {
    writtenByUid.remove(object.getMetadata().getUid());
    followers.forEach(follower -> follower.changed(object, true));
  }

  private void tell(T object) {
    var meta = object.getMetadata();
    if (!writtenByUid.remove(
        meta.getUid(), Objects.requireNonNullElse(meta.getResourceVersion(), ""))) {
      followers.forEach(follower -> follower.changed(object, false));
    }
  }
}
