package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerExit;
import dev.runnerset.controller.memory.Memories;
import java.util.Map;
import java.util.Optional;

/**
 * Exits of runners that no status says, by uid. The runner reconciler fills it again after a
 * restart, when it sees every runner and its pod; until then a runner that ended counts as live,
 * which is the safe side. Thread-safe.
 */
public final class RunnerExits {
  private final Map<String, RunnerExit> exitByUid;

  public RunnerExits(Memories memories) {
    exitByUid = memories.byUid();
  }

  /** Remembers an exit; true if it was not known as such. */
  public boolean record(String uid, RunnerExit exit) {
    return !exit.equals(exitByUid.put(uid, exit));
  }

  /** The exit of the runner, if it is known. */
  public Optional<RunnerExit> of(String uid) {
    return Optional.ofNullable(exitByUid.get(uid));
  }
}
