package dev.runnerset.controller.autoscalingrunnerset.planning;

import dev.runnerset.actions.ConfigUrl;
import dev.runnerset.controller.autoscalingrunnerset.status.Finding;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.condition.RunnerSetReason;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What follows from the spec of a runner set alone. */
public final class SpecCheck {
  private SpecCheck() {}

  /** Why the name of the set cannot be used for runners. */
  public static Optional<Finding> name(AutoScalingRunnerSet set) {
    return set.getMetadata().getName().length() <= ChildNames.MAX_NAME
        ? Optional.empty()
        : Optional.of(
            new Finding(
                RunnerSetReason.NAME_TOO_LONG,
                "metadata.name is longer than %d characters, the limit of a label: give the set a shorter name"
                    .formatted(ChildNames.MAX_NAME)));
  }

  public static String scaleSetName(AutoScalingRunnerSet set) {
    var name = set.getSpec().runnerScaleSetName();
    return name == null || name.isBlank() ? set.getMetadata().getName() : name;
  }

  /**
   * A key of the URL by which sets are compared. Two spellings of one owner have the same key,
   * since the service has one scale set for both. An invalid URL is compared as text.
   */
  public static String url(AutoScalingRunnerSet set) {
    var text = set.getSpec().githubConfigUrl();
    try {
      return ConfigUrl.parse(text).ownerKey();
    } catch (IllegalArgumentException e) {
      return text.strip().replaceAll("/+$", "").toLowerCase(Locale.ROOT);
    }
  }

  /** The labels that jobs may ask for: the name of the scale set and the labels of the spec. */
  public static List<String> labels(AutoScalingRunnerSet set) {
    return Stream.concat(Stream.of(scaleSetName(set)), set.getSpec().labels().stream())
        .distinct()
        .toList();
  }

  public static String runnerGroup(AutoScalingRunnerSet set) {
    var group = set.getSpec().runnerGroup();
    return group == null || group.isBlank() ? "default" : group;
  }
}
