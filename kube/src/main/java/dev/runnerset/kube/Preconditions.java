package dev.runnerset.kube;

import io.fabric8.kubernetes.api.model.HasMetadata;
import org.jspecify.annotations.Nullable;

/** What must still hold of an object for it to be deleted; null asks nothing. */
public record Preconditions(@Nullable String uid, @Nullable String resourceVersion) {
  /** Only this very object, in whatever state. */
  public static Preconditions uid(HasMetadata object) {
    return new Preconditions(object.getMetadata().getUid(), null);
  }

  /** Only this very object, and only as we saw it. */
  public static Preconditions unchanged(HasMetadata object) {
    return new Preconditions(
        object.getMetadata().getUid(), object.getMetadata().getResourceVersion());
  }
}
