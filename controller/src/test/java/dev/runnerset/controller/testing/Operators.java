package dev.runnerset.controller.testing;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import java.time.Duration;
import java.util.function.Consumer;

/** Operators with one reconciler, for tests of that reconciler alone. */
public final class Operators {
  private Operators() {}

  /** Starts an operator; the caller stops it, and closes the client. */
  public static Operator start(KubernetesClient client, Reconciler<? extends HasMetadata> one) {
    return start(client, Metrics.NOOP, operator -> operator.register(one));
  }

  /** The same with requeues by a clock that jumps, and a registration that says more. */
  public static Operator start(
      KubernetesClient client, Metrics passes, Consumer<Operator> registration) {
    var operator =
        new Operator(o ->
            o.withKubernetesClient(client)
                .withMetrics(passes)
                .withCloseClientOnStop(false)
                .withUseSSAToPatchPrimaryResource(false)
                .withReconciliationTerminationTimeout(Duration.ofSeconds(2)));
    registration.accept(operator);
    operator.start();
    return operator;
  }
}
