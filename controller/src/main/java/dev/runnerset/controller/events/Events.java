package dev.runnerset.controller.events;

import dev.runnerset.crds.condition.Reason;
import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * Tells of objects by Kubernetes events. No method throws or waits for a request: an event is
 * written beside the caller, and what cannot be written is logged. Thread-safe.
 */
@FunctionalInterface
public interface Events {
  /**
   * Writes a Warning event, or counts it on the recent event of the same object and reason.
   *
   * @param about the object; {@link SetOfRunner} gives the set of a runner
   * @param reason a stable word
   * @param message for people; nothing secret; cut at 1000 characters
   */
  void warn(HasMetadata about, Reason reason, String message);

  /** The same as a Normal event, for expected changes. Does nothing by default. */
  default void note(HasMetadata about, Reason reason, String message) {
    note(about, reason, "", message);
  }

  /**
   * Warns, for events of one reason that must not be counted as one.
   *
   * @param subject what the event is about beside its object
   */
  default void note(HasMetadata about, Reason reason, String subject, String message) {}
}
