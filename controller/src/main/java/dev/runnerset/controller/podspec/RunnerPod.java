package dev.runnerset.controller.podspec;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** From template to pod: what is the user's stays, ours goes on top (RN3). */
public final class RunnerPod {
  /** The container that is the runner; the others are the user's. */
  public static final String CONTAINER = "runner";

  /** Annotation: the id of the registration the pod runs. */
  public static final String RUNNER_ID = "runnerset.dev/runner-id";

  /** Annotation: the name of the registration the pod runs. */
  public static final String RUNNER_NAME = "runnerset.dev/runner-name";

  /** The key of the JIT config in the runner's secret. */
  public static final String JIT_TOKEN_KEY = "jitToken";

  private RunnerPod() {}

  /** The pod of a runner; the template is not changed. */
  public static PodBuild build(
      EphemeralRunner runner, PodTemplateSpec template, RunnerIdentity identity) {
    var problem = problemOf(template);
    if (problem.isPresent()) {
      return new PodBuild.Problem(problem.get());
    }
    return new PodBuild.Built(
        new PodBuilder()
            .withMetadata(metadata(runner, template.getMetadata(), identity))
            .withSpec(spec(runner, template.getSpec(), identity))
            .build());
  }

  /** Why no runner can be made from the template, or empty. */
  public static Optional<String> problemOf(@Nullable PodTemplateSpec template) {
    if (template == null || template.getSpec() == null) {
      return Optional.of("the pod template has no spec: give it a container named 'runner'");
    }
    var names = template.getSpec().getContainers().stream().map(Container::getName).toList();
    if (!names.contains(CONTAINER)) {
      return Optional.of(
          "the pod template has no container named 'runner' (it has "
              + names.stream().limit(5).toList()
              + "): name the one that runs the runner so");
    }
    return Optional.empty();
  }

  /** The folder in which the runner works, as its container says, or empty for its default. */
  public static String workFolder(PodTemplateSpec template) {
    return template.getSpec().getContainers().stream()
        .filter(RunnerPod::isRunner)
        .map(Container::getWorkingDir)
        .filter(folder -> folder != null)
        .findFirst()
        .orElse("");
  }

  /** Labels of what belongs to a runner: its pod and its secret. */
  public static Map<String, String> labels(EphemeralRunner runner) {
    var labels = new LinkedHashMap<String, String>();
    labels.put(Labels.PART_OF, Labels.PART_OF_VALUE);
    labels.put(Labels.COMPONENT, Labels.COMPONENT_RUNNER);
    var own = runner.getMetadata().getLabels();
    var set = own == null ? null : own.get(Labels.SET);
    if (set != null) {
      labels.put(Labels.SET, set);
    }
    if (runner.getSpec().revision() != null) {
      labels.put(Labels.REVISION, runner.getSpec().revision());
    }
    return labels;
  }

  /** The reference by which pod and secret go with the runner. */
  public static OwnerReference ownedBy(EphemeralRunner runner) {
    return new OwnerReferenceBuilder()
        .withApiVersion(HasMetadata.getApiVersion(EphemeralRunner.class))
        .withKind(HasMetadata.getKind(EphemeralRunner.class))
        .withName(runner.getMetadata().getName())
        .withUid(runner.getMetadata().getUid())
        .withController(true)
        .withBlockOwnerDeletion(true)
        .build();
  }

  private static ObjectMeta metadata(
      EphemeralRunner runner, @Nullable ObjectMeta template, RunnerIdentity identity) {
    var metadata = new ObjectMetaBuilder();
    if (template != null) {
      metadata.withLabels(template.getLabels()).withAnnotations(template.getAnnotations());
    }
    return metadata
        .withName(identity.name())
        .withNamespace(runner.getMetadata().getNamespace())
        .addToLabels(labels(runner))
        .addToAnnotations(RUNNER_ID, Long.toString(identity.id()))
        .addToAnnotations(RUNNER_NAME, identity.name())
        .withOwnerReferences(ownedBy(runner))
        .build();
  }

  private static PodSpec spec(EphemeralRunner runner, PodSpec template, RunnerIdentity identity) {
    var spec =
        new PodSpecBuilder(template)
            .withRestartPolicy("Never")
            .withContainers(
                template.getContainers().stream()
                    .map(c -> isRunner(c) ? withEnvironment(c, runner, identity) : c)
                    .toList());
    if (template.getAutomountServiceAccountToken() == null) {
      spec.withAutomountServiceAccountToken(false);
    }
    return spec.build();
  }

  /** Ours stand first, so that the user's entries may refer to them; ours win over namesakes. */
  private static Container withEnvironment(
      Container container, EphemeralRunner runner, RunnerIdentity identity) {
    var ours = RunnerEnvironment.of(identity.name(), runner.getSpec().proxy());
    var names = ours.stream().map(env -> env.getName()).toList();
    var theirs =
        container.getEnv() == null
            ? List.<io.fabric8.kubernetes.api.model.EnvVar>of()
            : container.getEnv().stream().filter(env -> !names.contains(env.getName())).toList();
    return new ContainerBuilder(container).withEnv(ours).addAllToEnv(theirs).build();
  }

  private static boolean isRunner(Container container) {
    return CONTAINER.equals(container.getName());
  }
}
