package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerExit;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.memory.Slots.Slot;
import dev.runnerset.crds.EphemeralRunner;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Exits of runners that no status says, by uid. The runner reconciler fills it again after a
 * restart, when it sees every runner and its pod; until then a runner that ended counts as live,
 * which is the safe side. Thread-safe.
 */
public final class RunnerExits {
  private static final Slot<RunnerExit> EXIT = new Slot<>();

  private final Memories memories;
  private final Consumer<EphemeralRunner> changed;

  /** No exits yet; {@code changed} hears of each new one, and must not block. */
  public RunnerExits(Memories memories, Consumer<EphemeralRunner> changed) {
    this.memories = memories;
    this.changed = changed;
  }

  /** Remembers an exit; true if it was not known as such. */
  public boolean record(EphemeralRunner runner, RunnerExit exit) {
    boolean isNew = !exit.equals(memories.of(runner).put(EXIT, exit));
    if (isNew) {
      changed.accept(runner);
    }
    return isNew;
  }

  /** The exit of the runner, if it is known. */
  public Optional<RunnerExit> of(String uid) {
    return Optional.ofNullable(memories.of(uid).find(EXIT));
  }
}
