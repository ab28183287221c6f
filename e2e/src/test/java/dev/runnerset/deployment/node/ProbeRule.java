package dev.runnerset.deployment.node;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Probe;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A probe over HTTP, as the API server stored it with its defaults.
 *
 * @param grace instead of the pod's, when this probe ends the container
 */
record ProbeRule(
    int port,
    String path,
    Duration initialDelay,
    Duration period,
    Duration timeout,
    Thresholds thresholds,
    Optional<Duration> grace) {

  /** How many results in a row change the verdict. */
  record Thresholds(int successes, int failures) {}

  /** The probe of a container; empty if it has none. */
  static Optional<ProbeRule> of(@Nullable Probe probe, Container container) {
    if (probe == null) {
      return Optional.empty();
    }
    var http = probe.getHttpGet();
    if (http == null || http.getHost() != null || "HTTPS".equals(http.getScheme())) {
      throw new UnplayableException("this node probes by plain HTTP at the pod's address only");
    }
    var grace = probe.getTerminationGracePeriodSeconds();
    return Optional.of(
        new ProbeRule(
            port(http.getPort(), container),
            http.getPath() == null ? "/" : http.getPath(),
            seconds(probe.getInitialDelaySeconds(), 0),
            seconds(probe.getPeriodSeconds(), 10),
            seconds(probe.getTimeoutSeconds(), 1),
            new Thresholds(
                Objects.requireNonNullElse(probe.getSuccessThreshold(), 1),
                Objects.requireNonNullElse(probe.getFailureThreshold(), 3)),
            grace == null ? Optional.empty() : Optional.of(Duration.ofSeconds(grace))));
  }

  private static Duration seconds(@Nullable Integer value, int otherwise) {
    return Duration.ofSeconds(value == null ? otherwise : value);
  }

  private static int port(IntOrString port, Container container) {
    if (port.getIntVal() != null) {
      return port.getIntVal();
    }
    return container.getPorts().stream()
        .filter(p -> port.getStrVal().equals(p.getName()))
        .findFirst()
        .orElseThrow(() -> new UnplayableException("no port is named " + port.getStrVal()))
        .getContainerPort();
  }
}
