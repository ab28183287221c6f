package dev.runnerset.controller.ephemeralrunnerset;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.crds.EphemeralRunnerSetStatus;
import dev.runnerset.crds.RolloutCounts;
import dev.runnerset.crds.RunnerCounts;
import dev.runnerset.crds.StartFailures;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Compares the fields of an EphemeralRunnerSet's status that its reconciler owns with what they
 * should be.
 */
final class SetStatusPatch {
  private static final ObjectMapper JSON = new ObjectMapper();

  private SetStatusPatch() {}

  /** A merge patch of what differs; empty if nothing does. */
  static Optional<ObjectNode> between(
      EphemeralRunnerSetStatus now,
      long generation,
      RunnerCounts counts,
      RolloutCounts rollout,
      @Nullable StartFailures failures,
      List<Condition> conditions) {
    var patch = JSON.createObjectNode();
    if (!Objects.equals(now.observedGeneration(), generation)) {
      patch.put("observedGeneration", generation);
    }
    if (!Objects.equals(now.replicas(), counts.live())) {
      patch.put("replicas", counts.live());
    }
    if (!counts.equals(now.runners())) {
      patch.set("runners", JSON.valueToTree(counts));
    }
    if (!rollout.equals(now.rollout())) {
      patch.set("rollout", JSON.valueToTree(rollout));
    }
    if (failures == null && now.failures() != null) {
      patch.putNull("failures");
    } else if (failures != null && !failures.equals(now.failures())) {
      patch.set("failures", json(failures));
    }
    if (!conditions.equals(now.conditions())) {
      patch.set("conditions", JSON.valueToTree(conditions));
    }
    return patch.isEmpty() ? Optional.empty() : Optional.of(patch);
  }

  private static ObjectNode json(StartFailures failures) {
    return JSON.createObjectNode()
        .put("revision", failures.revision())
        .put("waves", failures.waves())
        .put("runners", failures.runners())
        .put("since", failures.since().toString())
        .put("lastAt", failures.lastAt().toString())
        .put("notBefore", failures.notBefore().toString())
        .put("last", failures.last());
  }
}
