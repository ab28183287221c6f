package dev.runnerset.controller.ephemeralrunner.start;

import dev.runnerset.crds.EphemeralRunner;
import java.util.LinkedHashSet;
import java.util.SequencedSet;

/**
 * The names of runners that this process is making. Nobody else can have begun their start, so it
 * needs no reads. The name is noted before the POST, since the first reconciliation may come before
 * the answer; names are random and never used twice. The first reconciliation takes the note away:
 * a runner that this process has forgotten, or that somebody created again under the name, is not
 * new. A process that starts, or becomes leader, has no notes. Holds the last {@link #LIMIT} names;
 * a dropped name costs reads and nothing else. Thread-safe.
 */
public final class NewRunners {
  public static final int LIMIT = 10_000;

  private record Key(String namespace, String name) {
    static Key of(EphemeralRunner runner) {
      return new Key(runner.getMetadata().getNamespace(), runner.getMetadata().getName());
    }
  }

  private final SequencedSet<Key> making = new LinkedHashSet<>(); // guarded by this

  /** Call this before the request that makes the runner. */
  public synchronized void making(EphemeralRunner runner) {
    making.add(Key.of(runner));
    if (making.size() > LIMIT) {
      making.removeFirst();
    }
  }

  /** Whether this process made the runner and reconciles it for the first time. */
  public synchronized boolean take(EphemeralRunner runner) {
    return making.remove(Key.of(runner));
  }
}
