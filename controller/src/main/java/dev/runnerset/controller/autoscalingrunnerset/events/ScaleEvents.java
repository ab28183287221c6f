package dev.runnerset.controller.autoscalingrunnerset.events;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.autoscalingrunnerset.events.EventState.Next;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.JobCounts;
import dev.runnerset.crds.RunnerCounts;
import dev.runnerset.crds.RunnerMode;
import dev.runnerset.crds.condition.EventReason;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reports from how many wanted runners to how many a set was scaled, and why: when the number has
 * stood for {@link SetEventTimes#SETTLED}, or has been another for {@link
 * SetEventTimes#AT_MOST_EVERY}; in each direction at most once in that time.
 *
 * @param from the number that was reported last
 * @param leftAt when it became another number
 * @param seen the number of the last reconcile
 * @param seenSince when it became that number
 * @param riseReportedAt when a rise was reported last
 * @param fallReportedAt when a fall was reported last
 */
record ScaleEvents(
    int from,
    Instant leftAt,
    int seen,
    Instant seenSince,
    Instant riseReportedAt,
    Instant fallReportedAt) {
  /** The number is known; null for a set that has none yet. */
  static ScaleEvents of(@Nullable RunnerCounts runners) {
    int desired = desired(runners);
    return new ScaleEvents(
        desired, Instant.EPOCH, desired, Instant.EPOCH, Instant.EPOCH, Instant.EPOCH);
  }

  Next<ScaleEvents> next(AutoScalingRunnerSet set, Instant now) {
    int desired = desired(set.statusOrNone().runners());
    var observed =
        new ScaleEvents(
            from,
            seen == from ? now : leftAt,
            desired,
            seen == desired ? seenSince : now,
            riseReportedAt,
            fallReportedAt);
    if (desired == from) {
      return new Next<>(observed, List.of(), RequeueTime.NEVER);
    }
    var due = observed.due();
    return now.isBefore(due)
        ? new Next<>(observed, List.of(), RequeueTime.at(due))
        : new Next<>(observed.reported(now), List.of(event(set, from, desired)), RequeueTime.NEVER);
  }

  private Instant due() {
    var settled =
        RequeueTime.earlier(
            seenSince.plus(SetEventTimes.SETTLED), leftAt.plus(SetEventTimes.AT_MOST_EVERY));
    var notBefore =
        (seen > from ? riseReportedAt : fallReportedAt).plus(SetEventTimes.AT_MOST_EVERY);
    return settled.isBefore(notBefore) ? notBefore : settled;
  }

  private ScaleEvents reported(Instant now) {
    return new ScaleEvents(
        seen,
        now,
        seen,
        seenSince,
        seen > from ? now : riseReportedAt,
        seen > from ? fallReportedAt : now);
  }

  private static int desired(@Nullable RunnerCounts runners) {
    return runners == null ? 0 : runners.desired();
  }

  private static PendingEvent event(AutoScalingRunnerSet set, int from, int to) {
    return PendingEvent.normal(
        to > from ? EventReason.SCALED_UP : EventReason.SCALED_DOWN,
        "",
        "from " + from + " to " + to + " runners: " + why(set));
  }

  private static String why(AutoScalingRunnerSet set) {
    if (set.isMarkedForDeletion()) {
      return "the set is being deleted";
    }
    var jobs = Objects.requireNonNullElse(set.statusOrNone().jobs(), JobCounts.NONE);
    return (jobs.assigned() == 1 ? "1 job is" : jobs.assigned() + " jobs are")
        + " assigned"
        + bounds(set)
        + (set.modeNow() == RunnerMode.ACTIVE ? "" : ", spec.mode is not Active");
  }

  private static String bounds(AutoScalingRunnerSet set) {
    var windows = set.openWindows();
    return windows.isEmpty()
        ? bound("spec.minRunners", set.getSpec().minRunners())
            + bound("spec.maxRunners", set.getSpec().maxRunners())
        : bound("minRunners", set.minRunnersNow())
            + bound("maxRunners", set.maxRunnersNow())
            + " by spec.schedule ("
            + String.join(", ", windows)
            + ")";
  }

  private static String bound(String field, @Nullable Integer value) {
    return value == null ? "" : ", " + field + " is " + value;
  }
}
