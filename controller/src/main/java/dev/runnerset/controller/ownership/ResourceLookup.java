package dev.runnerset.controller.ownership;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;

/** Resources of one kind by their name, as a cache shows them; a look-up sends no request. */
@FunctionalInterface
public interface ResourceLookup<T extends HasMetadata> {
  /** The resource of that name; empty if the cache has none. */
  Optional<T> of(String namespace, String name);
}
