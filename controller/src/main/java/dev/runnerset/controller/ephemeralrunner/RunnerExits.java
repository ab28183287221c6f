package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerExit;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Ends of runners that stand in no status, by uid. Rebuilt by the er reconciler after a start,
 * which sees every runner and its pod again; until then a runner that ended counts as live, which
 * is the safe side. Thread-safe.
 */
public final class RunnerExits {
  private final Map<String, RunnerExit> exitByUid = new ConcurrentHashMap<>();

  /** Remembers an end; true when it is news. */
  public boolean record(String uid, RunnerExit exit) {
    return !exit.equals(exitByUid.put(uid, exit));
  }

  /** The end of the runner, if it is known. */
  public Optional<RunnerExit> of(String uid) {
    return Optional.ofNullable(exitByUid.get(uid));
  }

  /** Forgets a runner whose resource is gone. */
  public void forget(String uid) {
    exitByUid.remove(uid);
  }
}
