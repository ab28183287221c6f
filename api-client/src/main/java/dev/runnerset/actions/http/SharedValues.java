package dev.runnerset.actions.http;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Values that equal keys share, each made for its first user and freed after its last. Thread-safe.
 */
final class SharedValues<K extends Object, V extends Object> {
  private final Function<K, V> maker;
  private final Consumer<V> end;
  private final Map<K, Entry<V>> entryByKey = new HashMap<>(); // guarded by this

  private static final class Entry<V extends Object> {
    final V value;
    int users;

    Entry(V value) {
      this.value = value;
    }
  }

  /** The right to use a value until it is given back. */
  record Lease<V extends Object>(V value, Runnable giveBack) {}

  SharedValues(Function<K, V> maker, Consumer<V> end) {
    this.maker = maker;
    this.end = end;
  }

  /** The value of that key; giving it back twice counts once. */
  synchronized Lease<V> lease(K key) {
    var entry = entryByKey.get(key);
    if (entry == null) {
      entry = new Entry<>(maker.apply(key));
      entryByKey.put(key, entry);
    }
    entry.users++;
    var given = new AtomicBoolean();
    return new Lease<>(
        entry.value,
        () -> {
          if (given.compareAndSet(false, true)) {
            giveBack(key);
          }
        });
  }

  private synchronized void giveBack(K key) {
    var entry = entryByKey.get(key);
    if (entry != null && --entry.users == 0) {
      entryByKey.remove(key);
      end.accept(entry.value);
    }
  }
}
