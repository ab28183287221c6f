package dev.runnerset.controller.hooks;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The nodes that runners are to leave (SD10). Thread-safe. */
@FunctionalInterface
public interface NodesToLeave {
  /**
   * Since when a runner is to leave its node; null if it is not.
   *
   * @param node null while the node is not known
   * @param created when the runner was made
   */
  @Nullable Instant since(@Nullable String node, Instant created);

  /** Another number after each change of an answer. */
  default long version() {
    return 0;
  }
}
