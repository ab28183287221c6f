package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerExit;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.crds.EphemeralRunner;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Exits of runners that no status says, by uid. The runner reconciler fills it again after a
 * restart, when it sees every runner and its pod; until then a runner that ended counts as live,
 * which is the safe side. Thread-safe.
 */
public final class RunnerExits {
  private final Map<String, RunnerExit> exitByUid;
  private final Consumer<EphemeralRunner> changed;

  /** No exits yet; {@code changed} hears of each new one, and must not block. */
  public RunnerExits(Memories memories, Consumer<EphemeralRunner> changed) {
    exitByUid = memories.byUid();
    this.changed = changed;
  }

  /** Remembers an exit; true if it was not known as such. */
  public boolean record(EphemeralRunner runner, RunnerExit exit) {
    boolean isNew = !exit.equals(exitByUid.put(runner.getMetadata().getUid(), exit));
    if (isNew) {
      changed.accept(runner);
    }
    return isNew;
  }

  /** The exit of the runner, if it is known. */
  public Optional<RunnerExit> of(String uid) {
    return Optional.ofNullable(exitByUid.get(uid));
  }
}
