package dev.runnerset.controller.features.history;

import dev.runnerset.base.Detail;
import dev.runnerset.base.RequeueTime;
import dev.runnerset.base.metrics.Meters;
import dev.runnerset.controller.features.history.HistoryPruner.Fitted;
import dev.runnerset.controller.features.history.HistoryPruner.Removed;
import dev.runnerset.controller.hooks.RunnerSetFacts;
import dev.runnerset.controller.hooks.SetFeature;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.ownership.LogLines;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.AutoScalingRunnerSetStatusBuilder;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds to {@code status.history} what is rolled out. It follows from the stored list alone, so it
 * is computed again until it is stored.
 */
public record HistoryField(HistoryPolicy policy, Meters meters) implements SetFeature {
  private static final Logger LOG = LoggerFactory.getLogger(HistoryField.class);

  /** After an entry has begun, until it is checked whether it is complete. */
  @Detail private static final Duration SOON = Duration.ofSeconds(1);

  @Override
  public void fill(RunnerSetFacts facts, AutoScalingRunnerSetStatusBuilder status) {
    var seen = seen(facts);
    if (seen == null) {
      return;
    }
    var history = facts.set().statusOrNone().history();
    var change = change(facts, seen);
    if (change.isPresent()) {
      history = change.get().entries();
      status.history(history);
    }
    if (RolloutHistory.isOpen(history, seen)) { // an entry just begun may be complete
      facts.now().note(RequeueTime.at(facts.now().instant().plus(SOON)));
    }
  }

  @Override
  public void stored(RunnerSetFacts facts) {
    var seen = seen(facts);
    if (seen != null) {
      change(facts, seen).ifPresent(change -> report(facts.set(), change));
    }
  }

  /** What is rolled out now; null while no runners are made. */
  private static @Nullable Rollout seen(RunnerSetFacts facts) {
    var ers = facts.ephemeralRunnerSet();
    return ers == null || !facts.offering() || ers.isMarkedForDeletion()
        ? null
        : RolloutFacts.of(facts.set(), ers, facts.listener());
  }

  private Optional<Fitted> change(RunnerSetFacts facts, Rollout seen) {
    return RolloutHistory.next(
        facts.set().statusOrNone().history(), seen, policy, facts.now().instant());
  }

  private void report(AutoScalingRunnerSet set, Fitted change) {
    var newest = change.entries().getFirst();
    LogLines.about(set, LOG.atInfo())
        .addKeyValue("state", newest.state())
        .addKeyValue("version", newest.version())
        .addKeyValue("revision", newest.revision())
        .log("changed the history of rollouts");
    change.removed().forEach(removed -> report(set, removed));
  }

  private void report(AutoScalingRunnerSet set, Removed removed) {
    var meta = set.getMetadata();
    LogLines.about(set, LOG.atInfo())
        .addKeyValue("why", removed.reason().phrase())
        .addKeyValue("version", removed.entry().version())
        .addKeyValue("revision", removed.entry().revision())
        .addKeyValue("index", removed.index())
        .addKeyValue("rank", BigDecimal.valueOf(removed.rank(), 2))
        .log("dropped a rollout from the history");
    meters
        .of(meta.getNamespace(), meta.getName())
        .count(Meter.ROLLOUT_HISTORY_PRUNED, removed.reason().word());
  }
}
