package dev.runnerset.controller.features.jobpods;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.base.Pure;
import dev.runnerset.controller.ephemeralrunner.lifecycle.Shield;
import dev.runnerset.controller.ownership.Meta;
import dev.runnerset.crds.Labels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import org.jspecify.annotations.Nullable;

/**
 * What we put onto the pod of a job (SH5). The budget of its set selects it by the two labels.
 *
 * @param set the label with the name of the set
 * @param busy whether the label is there by which the budget of the set selects pods
 * @param spared whether the annotations for autoscalers of nodes are there
 * @param runnerUid the annotation with the uid of the runner; null where there is none
 */
@Pure
record JobPodMarks(@Nullable String set, boolean busy, boolean spared, @Nullable String runnerUid) {
  /** The annotation with the uid of the runner whose job the pod is for. */
  static final String RUNNER_UID = "runnerset.dev/runner-uid";

  static JobPodMarks of(HasMetadata object) {
    var labels = Meta.labels(object);
    var annotations = Meta.annotations(object);
    return new JobPodMarks(
        labels.get(Labels.SET),
        "true".equals(labels.get(Labels.BUSY)),
        annotations.entrySet().containsAll(Shield.SPARED.entrySet()),
        annotations.get(RUNNER_UID));
  }

  /** The same with the shield of a job of that runner; without a set there is no budget. */
  JobPodMarks shieldedFor(HookRunner runner) {
    var ofSet = runner.set() == null ? set : runner.set();
    return new JobPodMarks(ofSet, runner.set() != null, true, runner.uid());
  }

  /** The same, and the budget no longer selects the pod. Its annotations may be the user's. */
  JobPodMarks withoutBudget() {
    return new JobPodMarks(set, false, spared, runnerUid);
  }

  /** A merge patch that puts them onto the object with that uid, and takes off what is not here. */
  ObjectNode patch(String uid) {
    var body = JsonNodeFactory.instance.objectNode();
    var metadata = body.putObject("metadata").put("uid", uid);
    var labels = metadata.putObject("labels").put(Labels.BUSY, busy ? "true" : null);
    if (set != null) {
      labels.put(Labels.SET, set);
    }
    var annotations = metadata.putObject("annotations");
    if (spared) {
      Shield.SPARED.forEach(annotations::put);
    }
    if (runnerUid != null) {
      annotations.put(RUNNER_UID, runnerUid);
    }
    return body;
  }
}
