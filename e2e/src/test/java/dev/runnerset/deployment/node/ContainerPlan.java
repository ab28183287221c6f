package dev.runnerset.deployment.node;

import dev.runnerset.deployment.node.ContainerProcess.Identity;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** How this node plays a pod; made once, before its container starts. */
final class ContainerPlan {
  private final Pod pod;
  private final Container container;
  private final ContainerImage image;
  private final Identity identity;
  private final Map<String, String> variables;
  private final PodVolumes volumes;
  private final Probes probes;

  /** The probes that the container has. */
  record Probes(
      Optional<ProbeRule> startup, Optional<ProbeRule> liveness, Optional<ProbeRule> readiness) {
    Optional<ProbeRule> of(Prober.Kind kind) {
      return switch (kind) {
        case STARTUP -> startup;
        case LIVENESS -> liveness;
        case READINESS -> readiness;
      };
    }
  }

  private ContainerPlan(Pod pod, ContainerEnvironment.Place place, PodRun.Node node) {
    this.pod = pod;
    container = pod.getSpec().getContainers().getFirst();
    image =
        node.image(container.getImage())
            .orElseThrow(() -> new UnplayableException("no image " + container.getImage()));
    identity = identity();
    var environment = new ContainerEnvironment(pod, place);
    variables = environment.of(container, image);
    volumes = new PodVolumes(node.client(), pod, environment, identity);
    probes =
        new Probes(
            ProbeRule.of(container.getStartupProbe(), container),
            ProbeRule.of(container.getLivenessProbe(), container),
            ProbeRule.of(container.getReadinessProbe(), container));
  }

  /**
   * Reads the pod.
   *
   * @throws UnplayableException if this node cannot do what the pod asks for
   */
  static ContainerPlan of(Pod pod, ContainerEnvironment.Place place, PodRun.Node node) {
    var spec = pod.getSpec();
    var container = spec.getContainers().getFirst();
    if (spec.getContainers().size() != 1
        || !spec.getInitContainers().isEmpty()
        || container.getLifecycle() != null
        || Boolean.TRUE.equals(spec.getHostNetwork())
        || !"Always".equals(spec.getRestartPolicy())) {
      throw new UnplayableException(
          "this node plays pods of a Deployment with one container and a network of their own");
    }
    return new ContainerPlan(pod, place, node);
  }

  private Identity identity() {
    var wanted = pod.getSpec().getSecurityContext();
    if (wanted == null
        || wanted.getRunAsUser() == null
        || wanted.getRunAsGroup() == null
        || wanted.getFsGroup() == null) {
      throw new UnplayableException("this node needs runAsUser, runAsGroup and fsGroup of the pod");
    }
    return new Identity(
        Math.toIntExact(wanted.getRunAsUser()),
        Math.toIntExact(wanted.getRunAsGroup()),
        Math.toIntExact(wanted.getFsGroup()));
  }

  Probes probes() {
    return probes;
  }

  PodVolumes volumes() {
    return volumes;
  }

  /** One start of the container. */
  ContainerProcess.Setup setup(Path folder, Path log) {
    var security = container.getSecurityContext();
    return new ContainerProcess.Setup(
        folder,
        log,
        image.root(),
        ContainerEnvironment.command(container, image),
        variables,
        volumes.of(container),
        identity,
        security != null && Boolean.TRUE.equals(security.getReadOnlyRootFilesystem()));
  }

  /** How long the container may take to end when this probe has failed. */
  Duration grace(ProbeRule failed) {
    var seconds = pod.getSpec().getTerminationGracePeriodSeconds();
    return failed.grace().orElse(Duration.ofSeconds(seconds == null ? 30 : seconds));
  }
}
