package dev.runnerset.controller.caches;

import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * Takes the API server's answers to our writes, so that the next pass sees them before any event
 * (WR4).
 */
public interface WriteCache {
  /** For writes beside passes: an event brings them into the cache. */
  WriteCache NONE =
      new WriteCache() {
        @Override
        public void created(HasMetadata made) {
          // comes by its event
        }

        @Override
        public void changed(HasMetadata before, HasMetadata after) {
          // comes by its event
        }
      };

  /** An object was created, or a live read found an object that the cache does not show. */
  void created(HasMetadata made);

  /** An object was changed. */
  void changed(HasMetadata before, HasMetadata after);
}
