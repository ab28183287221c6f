package dev.runnerset.controller.events;

import dev.runnerset.crds.condition.Reason;
import io.fabric8.kubernetes.api.model.HasMetadata;

/** Writes Kubernetes events about objects. */
@FunctionalInterface
public interface Events {
  /**
   * Writes a Warning event, or counts it on the recent event of the same object and reason. Never
   * throws: a failure is logged. Blocks for at most one request. Thread-safe.
   *
   * @param reason a stable word
   * @param message for people; nothing secret; cut at 1000 characters
   */
  void warn(HasMetadata about, Reason reason, String message);

  /** The same as a Normal event, for expected changes. Does nothing by default. */
  default void note(HasMetadata about, Reason reason, String message) {}
}
