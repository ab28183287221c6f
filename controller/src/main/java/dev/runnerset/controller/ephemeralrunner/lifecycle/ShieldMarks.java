package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.controller.ownership.Meta;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.Protection;
import io.fabric8.kubernetes.api.model.Pod;
import org.jspecify.annotations.Nullable;

/**
 * The labels that a pod has.
 *
 * @param protection null where the pod has no such label
 * @param busy whether it is shielded, since it has a job or may get one
 * @param set the name of its set; null where the pod has no such label
 */
public record ShieldMarks(@Nullable Protection protection, boolean busy, @Nullable String set) {
  static ShieldMarks of(Pod pod) {
    var labels = Meta.labels(pod);
    var word = labels.getOrDefault(Labels.PROTECTION, "");
    Protection protection = null;
    for (var each : Protection.values()) {
      protection = each.word().equals(word) ? each : protection;
    }
    return new ShieldMarks(
        protection, "true".equals(labels.get(Labels.BUSY)), labels.get(Labels.SET));
  }
}
