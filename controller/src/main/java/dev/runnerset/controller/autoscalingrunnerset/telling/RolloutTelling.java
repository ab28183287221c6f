package dev.runnerset.controller.autoscalingrunnerset.telling;

import dev.runnerset.crds.GoDuration;
import dev.runnerset.crds.HistoryEntry;
import dev.runnerset.crds.condition.EventReason;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Tells when a rollout begins and when it ends: when its entry in the history is the newest one,
 * and when that entry is completed.
 *
 * @param newest the newest entry at the last look; null if there was none
 */
record RolloutTelling(@Nullable HistoryEntry newest) {
  /** What follows from one look. */
  record Next(RolloutTelling telling, List<Saying> sayings) {}

  /** This history is known. */
  static RolloutTelling of(List<HistoryEntry> history) {
    return new RolloutTelling(history.isEmpty() ? null : history.getFirst());
  }

  Next next(List<HistoryEntry> history) {
    if (history.isEmpty()) {
      return new Next(this, List.of());
    }
    var now = history.getFirst();
    var sayings = new ArrayList<Saying>();
    if (!isSame(newest, now)) {
      sayings.add(
          new Saying.Note(
              EventReason.ROLLOUT_BEGUN,
              now.revision(),
              "the rollout of " + revision(now) + " began" + former()));
    }
    if (now.state() == HistoryEntry.State.COMPLETED
        && !(isSame(newest, now) && isCompleted(newest))) {
      sayings.add(
          new Saying.Note(
              EventReason.ROLLOUT_COMPLETED,
              now.revision(),
              "the rollout of " + revision(now) + " completed" + took(now)));
    }
    return new Next(of(history), sayings);
  }

  private static boolean isSame(@Nullable HistoryEntry one, HistoryEntry other) {
    return one != null
        && one.revision().equals(other.revision())
        && one.startedTime().equals(other.startedTime());
  }

  private static boolean isCompleted(@Nullable HistoryEntry entry) {
    return entry != null && entry.state() == HistoryEntry.State.COMPLETED;
  }

  private String former() {
    return newest == null || isCompleted(newest)
        ? ""
        : "; the rollout of " + revision(newest) + " had not completed";
  }

  private static String revision(HistoryEntry entry) {
    return "revision " + entry.revision() + " (" + entry.image() + ")";
  }

  private static String took(HistoryEntry entry) {
    var end = Objects.requireNonNullElse(entry.completionTime(), entry.startedTime());
    var time = Duration.between(entry.startedTime(), end).truncatedTo(ChronoUnit.SECONDS);
    return " after " + GoDuration.text(time);
  }
}
