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
import org.jspecify.annotations.Nullable;

/** The cache of the runners' pods, and the way of our own writes into the caches. */
final class RunnerPods {
  private @Nullable InformerEventSource<Pod, EphemeralRunner> pods;

  /** The source of pod events; it passes only changes that can change a decision. */
  InformerEventSource<Pod, EphemeralRunner> source(EventSourceContext<EphemeralRunner> context) {
    var source =
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(Pod.class, EphemeralRunner.class)
                .withName("runner-pods")
                .withLabelSelector(Labels.COMPONENT + "=" + Labels.COMPONENT_RUNNER)
                .withOnUpdateFilter((now, before) -> !PodView.of(now).equals(PodView.of(before)))
                .build(),
            context);
    pods = source;
    return source;
  }

  /** The runner's own pod as the cache shows it; null for none. */
  @Nullable PodView of(EphemeralRunner runner) {
    return pods == null
        ? null
        : pods.get(ResourceID.fromResource(runner))
            .map(PodView::of)
            .filter(pod -> pod.identity().ownerUid().equals(runner.getMetadata().getUid()))
            .orElse(null);
  }

  /**
   * Puts our writes into the caches, so that the next reconciliation sees them before any event.
   */
  WriteCache writes(Context<EphemeralRunner> context) {
    var runners = context.eventSourceRetriever().getControllerEventSource();
    return pods == null ? new InformerWriteCache(runners) : new InformerWriteCache(runners, pods);
  }
}
