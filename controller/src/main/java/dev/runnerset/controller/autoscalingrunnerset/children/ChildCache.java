package dev.runnerset.controller.autoscalingrunnerset.children;

import io.fabric8.kubernetes.api.model.HasMetadata;

/** Where the server's answers to our writes go, so that the next look sees them. */
public interface ChildCache {
  /** An object that was made. */
  public void created(HasMetadata made);

  /** An object that was changed. */
  public void changed(HasMetadata before, HasMetadata after);
}
