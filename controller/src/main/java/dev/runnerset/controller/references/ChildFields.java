package dev.runnerset.controller.references;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.base.Pure;
import dev.runnerset.controller.config.EmbeddedStatus;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSetStatus;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * What the status of an EphemeralRunnerSet must say about its runners. Both forms come from one
 * listing; the form that is not wanted is cleared by name.
 *
 * @param patch the fields of a merge patch that differ; empty for none
 * @param truncated the condition that tells how many runners are left out; empty if none is
 */
@Pure
public record ChildFields(ObjectNode patch, Optional<Condition> truncated) {
  /** The fields in which the wanted status differs from {@code status}. */
  public static ChildFields of(
      EphemeralRunnerSetStatus status,
      Collection<EphemeralRunner> runners,
      EmbeddedStatus embedded,
      long generation,
      Instant now) {
    var references = ChildReferences.of(embedded.hasReferences() ? runners : List.of());
    var full = embedded.hasFullForm() ? FullForm.of(runners) : FullForm.NONE;
    var patch = JsonNodeFactory.instance.objectNode();
    ChildReferences.change(status.childReferences(), references.list())
        .ifPresent(change -> patch.set("childReferences", change));
    full.changeFrom(status).ifPresent(change -> patch.set("runnerStatuses", change));
    var truncated =
        TruncatedCondition.of(
            status.conditions(), references.leftOut(), full.leftOut(), generation, now);
    return new ChildFields(patch, truncated);
  }
}
