package dev.runnerset.controller.features.references;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.config.EmbeddedStatus;
import dev.runnerset.controller.hooks.Verdict;
import dev.runnerset.crds.ChildReference;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSetStatus;
import dev.runnerset.crds.EphemeralRunnerSetStatusBuilder;
import dev.runnerset.crds.condition.EphemeralRunnerSetReason;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the status of an EphemeralRunnerSet must say about its runners. Both forms come from one
 * listing; the form that is not wanted is empty, which clears it (RF7).
 *
 * @param truncated how many runners are left out; empty if none is
 */
@Pure
record ChildLists(
    List<ChildReference> references, Map<String, Object> statuses, Optional<Verdict> truncated) {
  static ChildLists of(Collection<EphemeralRunner> runners, EmbeddedStatus embedded) {
    var references = ChildReferences.of(embedded.hasReferences() ? runners : List.of());
    var full = embedded.hasFullForm() ? FullForm.of(runners) : FullForm.NONE;
    return new ChildLists(
        references.list(), full.byName(), truncated(references.leftOut(), full.leftOut()));
  }

  boolean standIn(EphemeralRunnerSetStatus status) {
    return references.equals(status.childReferences()) && statuses.equals(status.runnerStatuses());
  }

  void fill(EphemeralRunnerSetStatusBuilder status) {
    status.childReferences(references).runnerStatuses(statuses);
  }

  private static Optional<Verdict> truncated(int references, int statuses) {
    var words = new StringBuilder();
    if (references > 0) {
      words.append(
          "status.childReferences leaves out %d runners (it names %d at most); "
              .formatted(references, ChildReferences.MOST));
    }
    if (statuses > 0) {
      words.append(
          "status.runnerStatuses leaves out %d runners (it holds %d KiB at most); "
              .formatted(statuses, FullForm.MOST_BYTES / 1024));
    }
    return words.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Verdict.yes(
                EphemeralRunnerSetReason.TOO_MANY_RUNNERS,
                words.append("all of them have the label runnerset.dev/set").toString()));
  }
}
