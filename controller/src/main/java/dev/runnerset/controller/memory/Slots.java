package dev.runnerset.controller.memory;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a process remembers of one object: a value for each slot. It shows the {@link Memories} as
 * they are, and reading leaves nothing in them. Thread-safe; what makes or changes a value runs
 * once, and must neither block nor use the slots.
 */
public final class Slots {
  private final Map<String, Map<Slot<?>, Object>> valuesByUid;
  private final String uid;

  Slots(Map<String, Map<Slot<?>, Object>> valuesByUid, String uid) {
    this.valuesByUid = valuesByUid;
    this.uid = uid;
  }

  /**
   * The place of one value; each instance is a place of its own.
   *
   * @param <T> immutable or thread-safe
   */
  public static final class Slot<T> {
    private final @Nullable T first;

    /** A place that is empty until a value is put there. */
    public Slot() {
      this.first = null;
    }

    /** A place that holds {@code first} until it is changed. */
    public Slot(T first) {
      this.first = first;
    }

    @SuppressWarnings("unchecked") // only a T is stored for a Slot<T>
    private @Nullable T orFirst(@Nullable Object stored) {
      return stored == null ? first : (T) stored;
    }

    private T required(@Nullable Object stored) {
      return Objects.requireNonNull(orFirst(stored));
    }
  }

  /** The value of that slot; null if there is none. */
  public <T> @Nullable T find(Slot<T> slot) {
    var values = valuesByUid.get(uid);
    return slot.orFirst(values == null ? null : values.get(slot));
  }

  /** The value of a slot that has a first one. */
  public <T> T get(Slot<T> slot) {
    return Objects.requireNonNull(find(slot));
  }

  /** Puts a value there; returns the one before, null if there was none. */
  public <T> @Nullable T put(Slot<T> slot, T value) {
    return slot.orFirst(values().put(slot, value));
  }

  /** The value that was put there; if there is none, {@code made} is put there. */
  public <T> T begin(Slot<T> slot, Supplier<T> made) {
    return slot.required(values().computeIfAbsent(slot, _ -> made.get()));
  }

  /** Changes the value of a slot that has a first one; returns the new one. */
  public <T> T change(Slot<T> slot, UnaryOperator<T> change) {
    return slot.required(
        values().compute(slot, (_, stored) -> change.apply(slot.required(stored))));
  }

  /** Forgets what was put there; returns the value before, null if there was none. */
  public <T> @Nullable T clear(Slot<T> slot) {
    var values = valuesByUid.get(uid);
    return slot.orFirst(values == null ? null : values.remove(slot));
  }

  private Map<Slot<?>, Object> values() {
    return valuesByUid.computeIfAbsent(uid, _ -> new ConcurrentHashMap<>());
  }
}
