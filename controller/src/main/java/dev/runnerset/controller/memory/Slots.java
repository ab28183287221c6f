package dev.runnerset.controller.memory;

import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/** What features remember of one object: an immutable value for each slot. Thread-safe. */
public final class Slots {
  private final Map<Slot<?>, Object> values = new HashMap<>(); // guarded by this

  /**
   * The place of one value; each instance is a place of its own.
   *
   * @param <T> immutable
   */
  public static final class Slot<T> {
    private final T first;

    /** A place that holds {@code first} until it is changed. */
    public Slot(T first) {
      this.first = first;
    }
  }

  /** The value of that slot. */
  @SuppressWarnings("unchecked") // only a T is stored for a Slot<T>
  public synchronized <T> T get(Slot<T> slot) {
    return (T) values.getOrDefault(slot, slot.first);
  }

  /** Changes the value of that slot; returns the new one. */
  public synchronized <T> T change(Slot<T> slot, UnaryOperator<T> change) {
    var value = change.apply(get(slot));
    values.put(slot, value);
    return value;
  }
}
