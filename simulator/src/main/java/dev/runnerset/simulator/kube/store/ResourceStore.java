package dev.runnerset.simulator.kube.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.simulator.kube.kind.ResourceType;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All objects of one resource, by {@code namespace/name}. Reads take no lock; a write is a read, a
 * decision and a {@link #put} under {@link #locked}. No I/O happens under the lock.
 */
public final class ResourceStore {

  /**
   * Called for every change, in order, under the lock of the store: must be quick and lock no
   * other.
   */
  interface Observer {
    void changed(
        ResourceType type, String key, @Nullable StoredObject before, @Nullable StoredObject after);
  }

  public record Snapshot(List<StoredObject> objects, long revision) {}

  private final ConcurrentNavigableMap<String, StoredObject> byKey = new ConcurrentSkipListMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final AtomicLong revisions;
  private final EventLog log;
  private final Observer observer;

  ResourceStore(AtomicLong revisions, long since, Observer observer) {
    this.revisions = revisions;
    this.log = new EventLog(since);
    this.observer = observer;
  }

  public static String key(String namespace, String name) {
    return namespace + "/" + name;
  }

  public EventLog log() {
    return log;
  }

  public @Nullable StoredObject find(String key) {
    return byKey.get(key);
  }

  public <T> T locked(Supplier<T> work) {
    lock.lock();
    try {
      return work.get();
    } finally {
      lock.unlock();
    }
  }

  /** Stores a new version, to be called under the lock. {@code json} must not be changed later. */
  public StoredObject put(ResourceType type, String key, ObjectNode json) {
    long revision = revisions.incrementAndGet();
    json.withObjectProperty("metadata").put("resourceVersion", Long.toString(revision));
    StoredObject after = new StoredObject(json, revision);
    StoredObject before = byKey.put(key, after);
    publish(type, key, revision, before, after);
    return after;
  }

  /** Removes the object for good, to be called under the lock. */
  public StoredObject remove(ResourceType type, String key, ObjectNode last) {
    long revision = revisions.incrementAndGet();
    last.withObjectProperty("metadata").put("resourceVersion", Long.toString(revision));
    StoredObject before = new StoredObject(last, revision);
    byKey.remove(key);
    publish(type, key, revision, before, null);
    return before;
  }

  private void publish(
      ResourceType type,
      String key,
      long revision,
      @Nullable StoredObject before,
      @Nullable StoredObject after) {
    log.append(new Change(revision, before, after));
    observer.changed(type, key, before, after);
  }

  /**
   * What there is, with the resourceVersion from which a watch goes on; all namespaces if empty.
   */
  public Snapshot snapshot(String namespace) {
    return locked(() -> new Snapshot(List.copyOf(in(namespace)), revisions.get()));
  }

  public boolean isEmpty(String namespace) {
    return in(namespace).isEmpty();
  }

  int size() {
    return byKey.size();
  }

  /** What there is now, without a lock: objects may come and go meanwhile. */
  public Collection<StoredObject> objects(String namespace) {
    return in(namespace);
  }

  private Collection<StoredObject> in(String namespace) {
    // '0' is the character after '/'
    return namespace.isEmpty()
        ? byKey.values()
        : byKey.subMap(namespace + "/", namespace + "0").values();
  }
}
