package dev.runnerset.deployment.node;

import dev.runnerset.deployment.node.ContainerProcess.Identity;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.SecurityContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
    var spec = pod.getSpec();
    container = spec.getContainers().getFirst();
    image =
        node.image(container.getImage())
            .orElseThrow(() -> new UnplayableException("no image " + container.getImage()));
    identity = identity();
    var values = values(node);
    var environment = new ContainerEnvironment(pod, place, values);
    variables = environment.of(container, image);
    var group = Optional.ofNullable(podSecurity().getFsGroup());
    var owner = new PodVolumes.Owner(identity.user(), group);
    volumes = new PodVolumes(node.client(), pod, environment, values, owner);
    probes =
        new Probes(
            ProbeRule.of(container.getStartupProbe(), container),
            ProbeRule.of(container.getLivenessProbe(), container),
            ProbeRule.of(container.getReadinessProbe(), container));
  }

  /**
   * Reads the pod, and the secrets and config maps that its variables name.
   *
   * @throws UnplayableException if this node cannot do what the pod asks for
   */
  static ContainerPlan of(Pod pod, ContainerEnvironment.Place place, PodRun.Node node) {
    var spec = pod.getSpec();
    if (spec.getContainers().size() != 1 || !spec.getInitContainers().isEmpty()) {
      throw new UnplayableException("this node plays pods with one container only");
    }
    if (Boolean.TRUE.equals(spec.getHostNetwork())) {
      throw new UnplayableException("this node gives each pod a network of its own");
    }
    if (spec.getContainers().getFirst().getLifecycle() != null) {
      throw new UnplayableException("this node has no lifecycle hooks");
    }
    return new ContainerPlan(pod, place, node);
  }

  private static ContainerEnvironment.Values values(PodRun.Node node, String namespace) {
    return new ContainerEnvironment.Values() {
      @Override
      public Optional<Map<String, String>> secret(String name) {
        var secret = node.client().secrets().inNamespace(namespace).withName(name).get();
        return Optional.ofNullable(secret)
            .map(s -> {
              var data = new HashMap<String, String>();
              s.getData().forEach((key, value) -> data.put(key, decoded(value)));
              return data;
            });
      }

      @Override
      public Optional<Map<String, String>> configMap(String name) {
        var map = node.client().configMaps().inNamespace(namespace).withName(name).get();
        return Optional.ofNullable(map).map(m -> Map.copyOf(m.getData()));
      }
    };
  }

  private ContainerEnvironment.Values values(PodRun.Node node) {
    return values(node, pod.getMetadata().getNamespace());
  }

  private static String decoded(String base64) {
    return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
  }

  private PodSecurityContext podSecurity() {
    return Objects.requireNonNullElseGet(
        pod.getSpec().getSecurityContext(), PodSecurityContext::new);
  }

  private SecurityContext security() {
    return Objects.requireNonNullElseGet(container.getSecurityContext(), SecurityContext::new);
  }

  private Identity identity() {
    var parts = image.user().split(":");
    var named = first(security().getRunAsUser(), podSecurity().getRunAsUser());
    long user = named.orElseGet(() -> number(parts[0]));
    long group =
        first(security().getRunAsGroup(), podSecurity().getRunAsGroup())
            .orElseGet(() -> parts.length > 1 ? number(parts[1]) : 0L);
    var mustNotBeRoot =
        Boolean.TRUE.equals(security().getRunAsNonRoot())
            || security().getRunAsNonRoot() == null
                && Boolean.TRUE.equals(podSecurity().getRunAsNonRoot());
    if (user == 0 && mustNotBeRoot) {
      throw new UnplayableException("container has runAsNonRoot and image will run as root");
    }
    var groups = new ArrayList<>(podSecurity().getSupplementalGroups());
    Optional.ofNullable(podSecurity().getFsGroup()).ifPresent(groups::add);
    return new Identity(Math.toIntExact(user), Math.toIntExact(group), List.copyOf(groups));
  }

  private static Optional<Long> first(
      @org.jspecify.annotations.Nullable Long of, @org.jspecify.annotations.Nullable Long or) {
    return Optional.ofNullable(of).or(() -> Optional.ofNullable(or));
  }

  private static long number(String user) {
    if (user.isEmpty()) {
      return 0;
    }
    if (!user.matches("\\d+")) {
      throw new UnplayableException("image has non-numeric user (" + user + ")");
    }
    return Long.parseLong(user);
  }

  Probes probes() {
    return probes;
  }

  PodVolumes volumes() {
    return volumes;
  }

  /** The group with the container's memory limit. */
  MemoryLimit memory() throws IOException {
    var resources = container.getResources();
    var limits = resources == null ? null : resources.getLimits();
    var limit = limits == null ? null : limits.get("memory");
    return limit == null
        ? MemoryLimit.none()
        : MemoryLimit.of(
            pod.getMetadata().getUid(), Quantity.getAmountInBytes(limit).longValueExact());
  }

  /** One start of the container. */
  ContainerProcess.Setup setup(Path folder, MemoryLimit memory, Path log) {
    var readOnlyRoot = Boolean.TRUE.equals(security().getReadOnlyRootFilesystem());
    return new ContainerProcess.Setup(
        folder,
        log,
        image.root(),
        ContainerEnvironment.command(container, image, variables),
        variables,
        volumes.of(container),
        new ContainerProcess.Confinement(identity, memory.folder(), readOnlyRoot));
  }

  /** How long the container may take to end when this probe has failed. */
  Duration grace(ProbeRule failed) {
    var seconds = pod.getSpec().getTerminationGracePeriodSeconds();
    return failed.grace().orElse(Duration.ofSeconds(seconds == null ? 30 : seconds));
  }

  /** Whether the container is started again after this exit code. */
  boolean restarts(int exitCode) {
    return switch (pod.getSpec().getRestartPolicy()) {
      case "Never" -> false;
      case "OnFailure" -> exitCode != 0;
      default -> true;
    };
  }
}
