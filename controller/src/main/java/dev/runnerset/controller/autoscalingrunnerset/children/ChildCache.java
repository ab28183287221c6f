package dev.runnerset.controller.autoscalingrunnerset.children;

import io.fabric8.kubernetes.api.model.HasMetadata;

/** Takes the API server's answers to our writes, so that the next pass sees them. */
public interface ChildCache {
  /** An object was created. */
  public void created(HasMetadata made);

  /** An object was changed. */
  public void changed(HasMetadata before, HasMetadata after);
}
