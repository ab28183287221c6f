package dev.runnerset.controller.caches;

import static java.util.stream.Collectors.toUnmodifiableMap;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.reconciler.dependent.RecentOperationCacheFiller;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.informer.ManagedInformerEventSource;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;

/** Puts the answers to our writes into the caches of event sources, one source for each kind. */
public final class InformerWriteCache implements WriteCache {
  private final Map<Class<?>, ManagedInformerEventSource<?, ?, ?>> sourceByKind;
  private final Map<Class<?>, WriteCache> sharedByKind;

  /** The cache; no two sources may be of one kind. */
  public InformerWriteCache(ManagedInformerEventSource<?, ?, ?>... sources) {
    this(Map.of(), sources);
  }

  /** The cache, with caches that other reconcilers own. */
  public InformerWriteCache(
      Map<Class<?>, WriteCache> sharedByKind, ManagedInformerEventSource<?, ?, ?>... sources) {
    this.sharedByKind = sharedByKind;
    sourceByKind =
        Arrays.stream(sources)
            .collect(
                toUnmodifiableMap(ManagedInformerEventSource::resourceType, Function.identity()));
  }

  @Override
  public void created(HasMetadata made) {
    var shared = sharedByKind.get(made.getClass());
    if (shared != null) {
      shared.created(made);
      return;
    }
    source(made).handleRecentResourceCreate(ResourceID.fromResource(made), made);
  }

  @Override
  public void changed(HasMetadata before, HasMetadata after) {
    var shared = sharedByKind.get(after.getClass());
    if (shared != null) {
      shared.changed(before, after);
      return;
    }
    source(after).handleRecentResourceUpdate(ResourceID.fromResource(after), after, before);
  }

  @SuppressWarnings("unchecked") // the source of a kind takes objects of that kind
  private RecentOperationCacheFiller<HasMetadata> source(HasMetadata object) {
    var source = sourceByKind.get(object.getClass());
    if (source == null) {
      throw new IllegalArgumentException("no event source of " + object.getKind());
    }
    return (RecentOperationCacheFiller<HasMetadata>) source;
  }
}
