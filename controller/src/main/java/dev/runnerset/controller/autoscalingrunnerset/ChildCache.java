package dev.runnerset.controller.autoscalingrunnerset;

import io.fabric8.kubernetes.api.model.HasMetadata;

/** Where the server's answers to our writes go, so that the next look sees them. */
interface ChildCache {
  /** An object that was made. */
  void created(HasMetadata made);

  /** An object that was changed. */
  void changed(HasMetadata before, HasMetadata after);
}
