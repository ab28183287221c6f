package dev.runnerset.controller.hooks;

import dev.runnerset.controller.removal.NodeFate;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The nodes that runners are to leave (SD10). Thread-safe. */
@FunctionalInterface
public interface NodesToLeave {
  /**
   * What is to become of the node of a runner.
   *
   * @param node null while the node is not known
   * @param created when the runner was made
   */
  NodeFate of(@Nullable String node, Instant created);

  /** Another number after each change of an answer. */
  default long version() {
    return 0;
  }
}
