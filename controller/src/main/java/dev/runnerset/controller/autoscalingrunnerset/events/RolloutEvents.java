package dev.runnerset.controller.autoscalingrunnerset.events;

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
 * Reports when a rollout begins and when it ends: when its entry in the history is the newest one,
 * and when that entry is completed.
 *
 * @param newest the newest entry at the last reconcile; null if there was none
 */
record RolloutEvents(@Nullable HistoryEntry newest) {
  /** What follows from one reconcile. */
  record Next(RolloutEvents state, List<PendingEvent> due) {}

  /** This history is known. */
  static RolloutEvents of(List<HistoryEntry> history) {
    return new RolloutEvents(history.isEmpty() ? null : history.getFirst());
  }

  Next next(List<HistoryEntry> history) {
    if (history.isEmpty()) {
      return new Next(this, List.of());
    }
    var now = history.getFirst();
    var due = new ArrayList<PendingEvent>();
    if (!isSame(newest, now)) {
      due.add(
          new PendingEvent.Note(
              EventReason.ROLLOUT_BEGUN,
              now.revision(),
              "the rollout of " + revision(now) + " began" + former()));
    }
    if (now.state() == HistoryEntry.State.COMPLETED
        && !(isSame(newest, now) && isCompleted(newest))) {
      due.add(
          new PendingEvent.Note(
              EventReason.ROLLOUT_COMPLETED,
              now.revision(),
              "the rollout of " + revision(now) + " completed" + took(now)));
    }
    return new Next(of(history), due);
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
