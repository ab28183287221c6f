package dev.runnerset.controller.events;

import dev.runnerset.crds.condition.Reason;
import io.fabric8.kubernetes.api.model.HasMetadata;

/** Tells people what happened to an object. */
@FunctionalInterface
public interface Events {
  /**
   * Writes a Warning event, or counts it on the one of the same object and reason. Never throws:
   * what cannot be written is logged. Blocks for at most one request; safe for concurrent use.
   *
   * @param reason a stable word
   * @param message for people; nothing secret; cut at 1000 characters
   */
  void warn(HasMetadata about, Reason reason, String message);

  /** The same as a Normal event, for what went as it should; nothing where only trouble is told. */
  default void note(HasMetadata about, Reason reason, String message) {}
}
