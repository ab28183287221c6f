package dev.runnerset.controller.autoscalingrunnerset.telling;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.JobCounts;
import dev.runnerset.crds.RunnerCounts;
import dev.runnerset.crds.RunnerMode;
import dev.runnerset.crds.condition.EventReason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Tells from how many wanted runners to how many a set was scaled, and why: when the number has
 * stood for {@link #SETTLED}, or has been another for {@link #AT_MOST_EVERY}; in each direction at
 * most once in that time.
 *
 * @param from the number that was told last
 * @param leftAt when it became another number
 * @param seen the number of the last look
 * @param seenSince when it became that number
 * @param upToldAt when a rise was told last
 * @param downToldAt when a fall was told last
 */
record ScaleTelling(
    int from, Instant leftAt, int seen, Instant seenSince, Instant upToldAt, Instant downToldAt) {
  static final Duration SETTLED = Duration.ofSeconds(3);
  static final Duration AT_MOST_EVERY = Duration.ofSeconds(30);

  /** What follows from one look. */
  record Next(ScaleTelling telling, List<Saying> sayings, RequeueTime lookAgain) {}

  /** The number is known; null for a set that has none yet. */
  static ScaleTelling of(@Nullable RunnerCounts runners) {
    int desired = desired(runners);
    return new ScaleTelling(
        desired, Instant.EPOCH, desired, Instant.EPOCH, Instant.EPOCH, Instant.EPOCH);
  }

  Next next(AutoScalingRunnerSet set, Instant now) {
    int desired = desired(set.statusOrNone().runners());
    var looked =
        new ScaleTelling(
            from,
            seen == from ? now : leftAt,
            desired,
            seen == desired ? seenSince : now,
            upToldAt,
            downToldAt);
    if (desired == from) {
      return new Next(looked, List.of(), RequeueTime.NEVER);
    }
    var due = looked.due();
    return now.isBefore(due)
        ? new Next(looked, List.of(), RequeueTime.at(due))
        : new Next(looked.told(now), List.of(saying(set, from, desired)), RequeueTime.NEVER);
  }

  private Instant due() {
    var settled = RequeueTime.earlier(seenSince.plus(SETTLED), leftAt.plus(AT_MOST_EVERY));
    var notBefore = (seen > from ? upToldAt : downToldAt).plus(AT_MOST_EVERY);
    return settled.isBefore(notBefore) ? notBefore : settled;
  }

  private ScaleTelling told(Instant now) {
    return new ScaleTelling(
        seen, now, seen, seenSince, seen > from ? now : upToldAt, seen > from ? downToldAt : now);
  }

  private static int desired(@Nullable RunnerCounts runners) {
    return runners == null ? 0 : runners.desired();
  }

  private static Saying saying(AutoScalingRunnerSet set, int from, int to) {
    return new Saying.Note(
        to > from ? EventReason.SCALED_UP : EventReason.SCALED_DOWN,
        "",
        "from " + from + " to " + to + " runners: " + why(set));
  }

  private static String why(AutoScalingRunnerSet set) {
    if (set.getMetadata().getDeletionTimestamp() != null) {
      return "the set is being deleted";
    }
    var mode = set.getSpec().mode();
    var jobs = Objects.requireNonNullElse(set.statusOrNone().jobs(), new JobCounts(0, 0, 0));
    return (jobs.assigned() == 1 ? "1 job is" : jobs.assigned() + " jobs are")
        + " assigned"
        + bounds(set)
        + (mode == null || mode == RunnerMode.ACTIVE ? "" : ", spec.mode is not Active");
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
