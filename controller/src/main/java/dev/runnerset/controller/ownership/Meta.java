package dev.runnerset.controller.ownership;

import dev.runnerset.base.Pure;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import java.util.Objects;

/** What stands on an object for programs; nothing where somebody set it to null. */
@Pure
public final class Meta {
  private Meta() {}

  public static Map<String, String> labels(HasMetadata object) {
    return Objects.requireNonNullElse(object.getMetadata().getLabels(), Map.of());
  }

  public static Map<String, String> annotations(HasMetadata object) {
    return Objects.requireNonNullElse(object.getMetadata().getAnnotations(), Map.of());
  }

  /** Whether the object has that annotation with the value {@code "true"}. */
  public static boolean isMarked(HasMetadata object, String annotation) {
    return "true".equals(annotations(object).get(annotation));
  }
}
