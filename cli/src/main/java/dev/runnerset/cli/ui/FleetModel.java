package dev.runnerset.cli.ui;

import dev.runnerset.cli.view.RunnerView;
import dev.runnerset.cli.view.SetView;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What is known of a fleet, and what of it has changed since a reader looked last. Readers keep a
 * version, and the model keeps the version at which each thing changed: no reader has a queue, and
 * a slow one gets the state as it is then. Thread-safe; it sends and reads nothing.
 */
public final class FleetModel {
  private final Shelf<SetState> sets = new Shelf<>();
  private final Shelf<Row> runners = new Shelf<>();
  private long version = 1;
  private Notes notes = Notes.NONE;
  private boolean isClosed;

  private record SetState(SetView view, SetDetail detail) {}

  /**
   * A set on the page.
   *
   * @param key {@code NAMESPACE/NAME}
   * @param version changes with the set, also where the view stays
   * @param tone the class of its colour
   * @param rank how much it hurts; 0 hurts most
   */
  public record Card(String key, long version, SetView set, String tone, int rank) {}

  /**
   * A runner on the page.
   *
   * @param key {@code NAMESPACE/NAME}
   * @param set the key of its set
   * @param state its word
   * @param tone the class of its colour
   */
  public record Row(String key, String set, String state, String tone, RunnerView runner) {}

  /**
   * What a person must know beside the sets.
   *
   * @param banner why what is shown may be old; empty if it is live
   * @param gaps what cannot be shown, and the right that is missing
   */
  public record Notes(String banner, List<String> gaps) {
    /** Nothing. */
    public static final Notes NONE = new Notes("", List.of());
  }

  /**
   * What a reader lacks.
   *
   * @param isWhole whether it is everything, and the reader forgets what it has
   * @param gone keys of sets that are gone
   * @param goneRunners keys of runners that are gone
   */
  public record Change(
      boolean isWhole,
      long version,
      List<Card> sets,
      List<String> gone,
      List<Row> runners,
      List<String> goneRunners,
      Notes notes) {}

  /** A set is there, or has changed. */
  public synchronized void put(SetView view, SetDetail detail) {
    changed(sets.put(view.name().toString(), new SetState(view, detail), version + 1));
  }

  /** A runner is there, or has changed. */
  public synchronized void put(RunnerView view) {
    var key = key(view.set().namespace(), view.name());
    var state = view.state();
    var row = new Row(key, view.set().toString(), state.word(), state.tone(), view);
    changed(runners.put(key, row, version + 1));
  }

  /** A set is gone. */
  public synchronized void removeSet(String namespace, String name) {
    changed(sets.remove(key(namespace, name), version + 1));
  }

  /** A runner is gone. */
  public synchronized void removeRunner(String namespace, String name) {
    changed(runners.remove(key(namespace, name), version + 1));
  }

  /** What a person must know now. */
  public synchronized void note(Notes now) {
    boolean isNew = !now.equals(notes);
    notes = now;
    changed(isNew);
  }

  /** Everything that changed after that version; all there is for 0 and for a version too old. */
  public synchronized Change since(long seen, Predicate<Row> wanted) {
    boolean isWhole = seen <= Math.max(sets.oldestKnown(), runners.oldestKnown());
    long from = isWhole ? 0 : seen;
    return new Change(
        isWhole,
        version,
        sets.changed(from).map(e -> card(e.getKey(), e.getValue())).toList(),
        isWhole ? List.of() : sets.gone(from),
        runners.changed(from).map(e -> e.getValue().value()).filter(wanted).toList(),
        isWhole ? List.of() : runners.gone(from),
        notes);
  }

  private static Card card(String key, Shelf.Kept<SetState> kept) {
    var view = kept.value().view();
    var level = view.health().level();
    return new Card(key, kept.version(), view, level.tone(), level.ordinal());
  }

  /** What the page of one set shows beside its card; empty if there is no such set. */
  public synchronized Optional<SetDetail> detail(String namespace, String name) {
    return sets.find(key(namespace, name)).map(SetState::detail);
  }

  /** The version now. */
  public synchronized long version() {
    return version;
  }

  /** Waits until there is something after that version, until the end, or so long at most. */
  public synchronized void await(long seen, Duration atMost) throws InterruptedException {
    long deadline = System.nanoTime() + atMost.toNanos();
    while (version <= seen && !isClosed) {
      long left = (deadline - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        return;
      }
      wait(left);
    }
  }

  /** Lets readers go. */
  public synchronized void close() {
    isClosed = true;
    notifyAll();
  }

  /** Whether readers are to go. */
  public synchronized boolean isClosed() {
    return isClosed;
  }

  private void changed(boolean isChanged) {
    if (isChanged) {
      version++;
      notifyAll();
    }
  }

  private static String key(String namespace, String name) {
    return namespace + "/" + name;
  }
}
