package dev.runnerset.simulator.kube.store;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One change of one object, as watches see it. {@code after} is null when the object is gone. */
public final class Change {
  private final long revision;
  private final @Nullable StoredObject before;
  private final @Nullable StoredObject after;
  private @Nullable StoredObject tombstone; // made once, when a watch first needs it

  Change(long revision, @Nullable StoredObject before, @Nullable StoredObject after) {
    this.revision = revision;
    this.before = before;
    this.after = after;
  }

  public record Event(String type, StoredObject object) {}

  long revision() {
    return revision;
  }

  /** What a watch with that selector shows; null if it shows nothing. */
  public @Nullable Event seenThrough(Predicate<StoredObject> selector) {
    boolean was = before != null && selector.test(before);
    if (after != null && selector.test(after)) {
      return new Event(was ? "MODIFIED" : "ADDED", after);
    }
    return was ? new Event("DELETED", tombstone()) : null;
  }

  private StoredObject tombstone() {
    StoredObject made = tombstone;
    if (made == null) {
      made = java.util.Objects.requireNonNull(before).at(revision);
      tombstone = made;
    }
    return made;
  }
}
