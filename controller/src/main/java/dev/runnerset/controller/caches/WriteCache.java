package dev.runnerset.controller.caches;

import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * Takes the API server's answers to our writes, so that the next pass sees them before any event
 * (WR4).
 */
public interface WriteCache {
  /** An object was created, or a live read found an object that the cache does not show. */
  void created(HasMetadata made);

  /** An object was changed. */
  void changed(HasMetadata before, HasMetadata after);
}
