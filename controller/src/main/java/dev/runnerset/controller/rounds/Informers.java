package dev.runnerset.controller.rounds;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.javaoperatorsdk.operator.processing.event.source.informer.TransformingItemStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Informers that begin and end together. Each stores little of its objects, and goes on trying
 * where it may not list or watch.
 */
public abstract class Informers implements Followed {
  private final List<SharedIndexInformer<?>> all = new ArrayList<>();

  /**
   * Adds an informer; before {@link #begin}.
   *
   * @param slim makes of an object what is stored of it, with its {@link #identity}
   * @param failed takes why it could not list or watch
   */
  protected final <T extends HasMetadata> void add(
      SharedIndexInformer<T> informer,
      UnaryOperator<T> slim,
      Consumer<Throwable> failed,
      ResourceEventHandler<T> handler) {
    informer.itemStore(new TransformingItemStore<>(slim));
    informer.exceptionHandler((started, failure) -> {
      failed.accept(failure);
      return true;
    });
    informer.addEventHandler(handler);
    all.add(informer);
  }

  /** What an informer needs of the metadata. */
  protected static ObjectMetaBuilder identity(HasMetadata full) {
    var metadata = full.getMetadata();
    return new ObjectMetaBuilder()
        .withNamespace(metadata.getNamespace())
        .withName(metadata.getName())
        .withUid(metadata.getUid())
        .withResourceVersion(metadata.getResourceVersion());
  }

  /** Whether each has its first list. */
  protected final boolean haveSynced() {
    return all.stream().allMatch(SharedIndexInformer::hasSynced);
  }

  @Override
  public final void begin() {
    all.forEach(SharedIndexInformer::start);
  }

  @Override
  public final void close() {
    all.forEach(SharedIndexInformer::stop);
  }
}
