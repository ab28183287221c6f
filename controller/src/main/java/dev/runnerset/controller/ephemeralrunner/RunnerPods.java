package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.controller.caches.InformerWriteCache;
import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.ephemeralrunner.lifecycle.PodView;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import io.fabric8.kubernetes.api.model.Pod;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The cache of the runners' pods, and the way of our own writes into the caches. */
final class RunnerPods {
  private volatile @Nullable InformerEventSource<Pod, EphemeralRunner> pods;

  /** The source of pod events; it passes only changes that can change a decision. */
  InformerEventSource<Pod, EphemeralRunner> source(EventSourceContext<EphemeralRunner> context) {
    var source =
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(Pod.class, EphemeralRunner.class)
                .withName("runner-pods")
                .withLabelSelector(Labels.COMPONENT + "=" + Labels.COMPONENT_RUNNER)
                .withOnUpdateFilter(RunnerPods::isNews)
                .build(),
            context);
    pods = source;
    return source;
  }

  /** All pods of the cache. */
  Stream<Pod> all() {
    var source = pods;
    return source == null ? Stream.empty() : source.list();
  }

  /** Whether a change of a pod can change a decision. */
  static boolean isNews(Pod now, Pod before) {
    return !PodView.of(now).equals(PodView.of(before));
  }

  /** The caches of one reconciliation. */
  RunnerCaches caches(Context<EphemeralRunner> context) {
    var source = pods;
    var runners = context.eventSourceRetriever().getControllerEventSource();
    var writes =
        source == null ? new InformerWriteCache(runners) : new InformerWriteCache(runners, source);
    return new RunnerCaches() {
      @Override
      public Optional<Pod> podNamed(EphemeralRunner runner) {
        return source == null ? Optional.empty() : source.get(ResourceID.fromResource(runner));
      }

      @Override
      public Set<String> uids() {
        return context
            .getPrimaryCache()
            .list()
            .map(runner -> runner.getMetadata().getUid())
            .collect(Collectors.toSet());
      }

      @Override
      public WriteCache writes() {
        return writes;
      }
    };
  }
}
