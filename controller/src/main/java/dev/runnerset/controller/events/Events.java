package dev.runnerset.controller.events;

import io.fabric8.kubernetes.api.model.HasMetadata;

/** Tells people what went wrong with an object. */
@FunctionalInterface
public interface Events {
  /**
   * Writes a Warning event, or counts it on the one of the same object and reason. Never throws:
   * what cannot be written is logged. Blocks for at most one request; safe for concurrent use.
   *
   * @param reason a stable word
   * @param message for people; nothing secret; cut at 1000 characters
   */
  void warn(HasMetadata about, String reason, String message);
}
