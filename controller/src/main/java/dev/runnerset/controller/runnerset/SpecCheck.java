package dev.runnerset.controller.runnerset;

import dev.runnerset.crd.AutoScalingRunnerSet;
import io.fabric8.kubernetes.api.model.Container;
import java.util.Objects;
import java.util.Optional;

/** What can be said of a set without asking anybody. Pure. */
final class SpecCheck {
  /** The container that runs the job. */
  static final String RUNNER_CONTAINER = "runner";

  private SpecCheck() {}

  /** Why no runner can be made from this spec. */
  static Optional<Finding> template(AutoScalingRunnerSet set) {
    if (set.getMetadata().getName().length() > SetNames.MAX_NAME) {
      return Optional.of(
          new Finding(
              "NameTooLong",
              "metadata.name is longer than " + SetNames.MAX_NAME + " characters: the runners bear"
                  + " it in a label; give the set a shorter name"));
    }
    var pod = set.getSpec().template() == null ? null : set.getSpec().template().getSpec();
    if (pod == null
        || pod.getContainers() == null
        || pod.getContainers().stream()
            .map(Container::getName)
            .noneMatch(name -> Objects.equals(name, RUNNER_CONTAINER))) {
      return Optional.of(
          new Finding(
              "TemplateInvalid",
              "spec.template.spec.containers has no container named runner: name the one that"
                  + " runs the job so"));
    }
    return Optional.empty();
  }

  static String scaleSetName(AutoScalingRunnerSet set) {
    var name = set.getSpec().runnerScaleSetName();
    return name == null || name.isBlank() ? set.getMetadata().getName() : name;
  }

  static String runnerGroup(AutoScalingRunnerSet set) {
    var group = set.getSpec().runnerGroup();
    return group == null || group.isBlank() ? "default" : group;
  }
}
