package dev.runnerset.controller.podspec;

import dev.runnerset.controller.ownership.Meta;
import dev.runnerset.controller.ownership.Ownership;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.Lifetime;
import dev.runnerset.crds.StoredTemplate;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes a runner's pod from a template: the user's fields stay, ours are added (RN3). */
public final class RunnerPod {
  /** The name of the container that runs the runner; the other containers are the user's. */
  public static final String CONTAINER = "runner";

  /** Annotation: the id of the registration that the pod runs. */
  public static final String RUNNER_ID = "runnerset.dev/runner-id";

  /** Annotation: the name of the registration that the pod runs. */
  public static final String RUNNER_NAME = "runnerset.dev/runner-name";

  /** The key of the JIT config in the runner's secret. */
  public static final String JIT_TOKEN_KEY = "jitToken";

  private RunnerPod() {}

  /**
   * The pod of a runner; the template is not changed. Its name, and that of its secret, is the
   * runner's.
   *
   * @param runnerId the id of its registration; an annotation, so that a restart reads no secret
   */
  public static PodBuild build(EphemeralRunner runner, PodTemplateSpec template, long runnerId) {
    var problem = problemOf(template);
    if (problem.isPresent()) {
      return new PodBuild.Problem(problem.get());
    }
    return new PodBuild.Built(
        new PodBuilder()
            .withMetadata(metadata(runner, template.getMetadata(), runnerId))
            .withSpec(spec(runner, template))
            .build());
  }

  /** What to change so that a runner can be made from the template; empty if nothing. */
  public static Optional<String> problemOf(@Nullable StoredTemplate template) {
    return template == null
        ? problemOf((PodTemplateSpec) null)
        : switch (template.content()) {
          case StoredTemplate.Content.Readable(var readable) -> problemOf(readable);
          case StoredTemplate.Content.Unreadable(var problem) -> Optional.of(problem.sentence());
        };
  }

  private static Optional<String> problemOf(@Nullable PodTemplateSpec template) {
    if (template == null || template.getSpec() == null) {
      return Optional.of("the pod template has no spec: give it a container named 'runner'");
    }
    var names = template.getSpec().getContainers().stream().map(Container::getName).toList();
    if (!names.contains(CONTAINER)) {
      return Optional.of(
          "the pod template has no container named 'runner' (it has "
              + names.stream().limit(5).toList()
              + "): give that name to the container that runs the runner");
    }
    return Optional.empty();
  }

  /** The working folder that the runner's container names, or empty for the runner's default. */
  public static String workFolder(PodTemplateSpec template) {
    return template.getSpec().getContainers().stream()
        .filter(RunnerPod::isRunner)
        .map(Container::getWorkingDir)
        .filter(folder -> folder != null)
        .findFirst()
        .orElse("");
  }

  /** The labels of a runner's pod and secret. */
  public static Map<String, String> labels(EphemeralRunner runner) {
    var labels = new LinkedHashMap<String, String>();
    labels.put(Labels.PART_OF, Labels.PART_OF_VALUE);
    labels.put(Labels.COMPONENT, Labels.COMPONENT_RUNNER);
    var set = Meta.labels(runner).get(Labels.SET);
    if (set != null) {
      labels.put(Labels.SET, set);
    }
    if (runner.getSpec().revision() != null) {
      labels.put(Labels.REVISION, runner.getSpec().revision());
    }
    return labels;
  }

  /**
   * Whether the object has the runner among its owners, by uid. Where somebody took all owners off,
   * as a webhook does, the registration that it names says whose it is: that of the runner's
   * status.
   */
  public static boolean isOwnedBy(HasMetadata object, EphemeralRunner runner) {
    return isOwnedBy(object, runner, runner.statusOrNone().runnerId());
  }

  /**
   * Whether the object has the runner among its owners, or has no owner and names its registration.
   *
   * @param registration the id of the runner's registration; null if it is not known
   */
  public static boolean isOwnedBy(
      HasMetadata object, EphemeralRunner runner, @Nullable Long registration) {
    var owners = object.getMetadata().getOwnerReferences();
    return owners.isEmpty()
        ? registration != null
            && registration.toString().equals(Meta.annotations(object).get(RUNNER_ID))
        : owners.stream().anyMatch(each -> runner.getMetadata().getUid().equals(each.getUid()));
  }

  /** The image of the container that runs the runner; empty if the template names none. */
  public static String image(@Nullable StoredTemplate stored) {
    var template = stored == null ? null : stored.podTemplate();
    if (template == null || template.getSpec() == null) {
      return "";
    }
    return template.getSpec().getContainers().stream()
        .filter(c -> CONTAINER.equals(c.getName()))
        .map(Container::getImage)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse("");
  }

  /**
   * What the kubelet reports of the container that runs the runner; empty if it reports nothing.
   */
  public static Optional<ContainerStatus> containerStatus(Pod pod) {
    return Stream.ofNullable(pod.getStatus())
        .flatMap(status -> status.getContainerStatuses().stream())
        .filter(c -> CONTAINER.equals(c.getName()))
        .findFirst();
  }

  /**
   * Whether the runner of the pod has not begun, so that it has no job. Any other state, such as
   * the phase Unknown of a lost node, may hide a running container.
   */
  public static boolean isUnstarted(Pod pod) {
    var status = pod.getStatus();
    return status == null
        || status.getPhase() == null
        || ("Pending".equals(status.getPhase())
            && containerStatus(pod)
                .filter(c -> c.getState() != null && c.getState().getRunning() != null)
                .isEmpty());
  }

  private static ObjectMeta metadata(
      EphemeralRunner runner, @Nullable ObjectMeta template, long runnerId) {
    var metadata = new ObjectMetaBuilder();
    if (template != null) {
      metadata.withLabels(template.getLabels()).withAnnotations(template.getAnnotations());
    }
    return metadata
        .withName(runner.getMetadata().getName())
        .withNamespace(runner.getMetadata().getNamespace())
        .addToLabels(labels(runner))
        .addToAnnotations(RUNNER_ID, Long.toString(runnerId))
        .addToAnnotations(RUNNER_NAME, runner.getMetadata().getName())
        .withOwnerReferences(Ownership.ownedBy(runner))
        .build();
  }

  private static PodSpec spec(EphemeralRunner runner, PodTemplateSpec template) {
    var users = template.getSpec();
    var spec =
        new PodSpecBuilder(users)
            .withRestartPolicy("Never")
            .withContainers(
                users.getContainers().stream()
                    .map(c -> isRunner(c) ? withEnvironment(c, runner) : c)
                    .toList());
    if (users.getAutomountServiceAccountToken() == null) {
      spec.withAutomountServiceAccountToken(false);
    }
    Lifetime.of(runner.getSpec().maxLifetime(), template)
        .ifPresent(time -> spec.withActiveDeadlineSeconds(time.toSeconds()));
    return spec.build();
  }

  /** Our variables come first, so that the user's may refer to them, and win over the user's. */
  private static Container withEnvironment(Container container, EphemeralRunner runner) {
    var own = RunnerEnvironment.of(runner.getMetadata().getName(), runner.getSpec().proxy());
    var names = own.stream().map(EnvVar::getName).toList();
    var users =
        container.getEnv() == null
            ? List.<EnvVar>of()
            : container.getEnv().stream().filter(env -> !names.contains(env.getName())).toList();
    return new ContainerBuilder(container).withEnv(own).addAllToEnv(users).build();
  }

  private static boolean isRunner(Container container) {
    return CONTAINER.equals(container.getName());
  }
}
