package dev.runnerset.controller.ephemeralrunner;

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

/** The cache of the runners' pods, and how our own writes get into the caches at once. */
final class RunnerPods {
  private @Nullable InformerEventSource<Pod, EphemeralRunner> pods;

  /** The source of their events, which tells only of what decides anything. */
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

  /** The pod of its name, if it is its own. */
  @Nullable PodView of(EphemeralRunner runner) {
    return pods == null
        ? null
        : pods.get(ResourceID.fromResource(runner))
            .map(PodView::of)
            .filter(pod -> pod.ownerUid().equals(runner.getMetadata().getUid()))
            .orElse(null);
  }

  /** Our writes are seen by the next look, even if their events come later. */
  RunnerActions.Caches caches(EphemeralRunner runner, Context<EphemeralRunner> context) {
    return new RunnerActions.Caches() {
      @Override
      public void podSeen(Pod pod) {
        if (pods != null) {
          pods.handleRecentResourceCreate(ResourceID.fromResource(pod), pod);
        }
      }

      @Override
      public void runnerSeen(EphemeralRunner stored) {
        context
            .eventSourceRetriever()
            .getControllerEventSource()
            .handleRecentResourceUpdate(ResourceID.fromResource(runner), stored, runner);
      }
    };
  }
}
