package dev.runnerset.controller.ephemeralrunner.start;

import dev.runnerset.crds.EphemeralRunner;
import java.util.LinkedHashSet;
import java.util.SequencedSet;

/**
 * The names of runners that this process is making: nobody else can have begun to start them, so
 * their start needs no reads. The name is noted before the POST, since the first look at the runner
 * may come before the answer; names are random and never used twice. A look takes the note away: a
 * runner that this process has forgotten, or that somebody made anew under the name, is not new.
 * After a restart or a change of the leader there are no notes. Holds the last {@link #LIMIT}; what
 * is dropped costs reads, and nothing else. Thread-safe.
 */
public final class NewRunners {
  public static final int LIMIT = 10_000;

  private record Key(String namespace, String name) {
    static Key of(EphemeralRunner runner) {
      return new Key(runner.getMetadata().getNamespace(), runner.getMetadata().getName());
    }
  }

  private final SequencedSet<Key> making = new LinkedHashSet<>(); // guarded by this

  /** To be called before the request that makes the runner. */
  public synchronized void making(EphemeralRunner runner) {
    making.add(Key.of(runner));
    if (making.size() > LIMIT) {
      making.removeFirst();
    }
  }

  /** Whether this process made the runner and looks at it for the first time. */
  public synchronized boolean take(EphemeralRunner runner) {
    return making.remove(Key.of(runner));
  }
}
