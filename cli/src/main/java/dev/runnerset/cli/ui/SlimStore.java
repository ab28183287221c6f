package dev.runnerset.cli.ui;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.informers.cache.BasicItemStore;
import io.fabric8.kubernetes.client.informers.cache.Cache;

/**
 * What an informer remembers of its objects: who they are and their version. What the page shows is
 * kept as views, and 3,000 runners with their templates would take the memory of the page thrice.
 */
final class SlimStore<T extends HasMetadata> extends BasicItemStore<T> {
  private final Class<T> kind;

  SlimStore(Class<T> kind) {
    super(Cache::metaNamespaceKeyFunc);
    this.kind = kind;
  }

  @Override
  public T put(String key, T full) {
    return super.put(key, slim(full));
  }

  @Override
  public boolean isFullState() {
    return false;
  }

  private T slim(T full) {
    try {
      var slim = kind.getDeclaredConstructor().newInstance();
      var meta = full.getMetadata();
      slim.setMetadata(
          new ObjectMetaBuilder()
              .withNamespace(meta.getNamespace())
              .withName(meta.getName())
              .withUid(meta.getUid())
              .withResourceVersion(meta.getResourceVersion())
              .build());
      return slim;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
