package dev.runnerset.controller.autoscalingrunnerset;

import dev.runnerset.actions.ConfigUrl;
import dev.runnerset.actions.ConfigUrl.Scope;
import dev.runnerset.base.ShortText;
import dev.runnerset.base.metrics.Meters;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.crds.AdvertisedCapacity;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.JobCounts;
import dev.runnerset.crds.RunnerCounts;
import dev.runnerset.crds.RunnerVersionStatus;
import dev.runnerset.crds.condition.RunnerSetReason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The metric series of each runner set. Counters begin with 0 at its first pass, so that the first
 * increase is visible; gauges follow its status; all go with the set. Safe for concurrent use.
 */
record RunnerSetSeries(Meters meters) {
  private static final int LONGEST_LABEL = 100;
  private static final RunnerCounts NO_RUNNERS = new RunnerCounts(0, 0, 0, 0, 0, 0, 0);

  private static final List<RunnerSetReason> WITHHOLDING =
      List.of(
          RunnerSetReason.QUOTA,
          RunnerSetReason.STARTS_PER_MINUTE,
          RunnerSetReason.UNSCHEDULABLE,
          RunnerSetReason.NOT_STARTING,
          RunnerSetReason.FAILING);

  private Meters.Series of(AutoScalingRunnerSet set) {
    var meta = set.getMetadata();
    return meters.of(meta.getNamespace(), meta.getName());
  }

  /** Shows the set as its status reports it. */
  void show(AutoScalingRunnerSet set, Instant now) {
    var series = of(set);
    var status = set.statusOrNone();
    var jobs = Objects.requireNonNullElse(status.jobs(), JobCounts.NONE);
    var runners = Objects.requireNonNullElse(status.runners(), NO_RUNNERS);
    var max = set.maxRunnersNow();
    series.gauge(Meter.ASSIGNED_JOBS, jobs.assigned());
    series.gauge(Meter.RUNNING_JOBS, jobs.running());
    series.gauge(Meter.WAITING_JOBS, jobs.waiting());
    series.gauge(Meter.DESIRED_RUNNERS, runners.desired());
    series.gauge(Meter.MIN_RUNNERS, set.minRunnersNow());
    series.gauge(Meter.MAX_RUNNERS, max == null ? Double.NaN : max);
    showCapacity(series, status.capacity(), max);
    series.gauge(Meter.PENDING_RUNNERS, runners.pending());
    series.gauge(Meter.RUNNING_RUNNERS, runners.idle() + runners.busy());
    series.gauge(Meter.STUCK_RUNNERS, runners.stuck());
    series.gauge(Meter.IDLE_RUNNERS, runners.idle());
    series.gauge(Meter.BUSY_RUNNERS, runners.busy());
    series.gauge(Meter.FINISHED_RUNNERS, runners.finished());
    series.gauge(Meter.RUNNER_VERSION_DAYS_LEFT, daysLeft(status.runnerVersion(), now));
    series.gauges(
        Meter.SET_CONDITION,
        status.conditions().stream()
            .filter(c -> !RunnerSetReason.PENDING.word().equals(c.getReason()))
            .map(c ->
                List.of(c.getType(), c.getStatus(), Objects.requireNonNullElse(c.getReason(), "")))
            .collect(Collectors.toSet()));
    series.gauges(Meter.SET_INFO, Set.of(info(set.getSpec().githubConfigUrl())));
    series.begin();
  }

  /** Organization, repository and enterprise; all are empty for a URL that cannot be read. */
  private static List<String> info(String url) {
    try {
      return switch (ConfigUrl.parse(url).scope()) {
        case Scope.Organization(var name) -> List.of(label(name), "", "");
        case Scope.Repository(var owner, var name) ->
            List.of(label(owner), label(owner + "/" + name), "");
        case Scope.Enterprise(var slug) -> List.of("", "", label(slug));
      };
    } catch (IllegalArgumentException e) {
      return List.of("", "", "");
    }
  }

  private static String label(String name) {
    return ShortText.of(name, LONGEST_LABEL);
  }

  /** What each limit takes off {@code maxRunners}, also while it is only shown. */
  private static void showCapacity(
      Meters.Series series, @Nullable AdvertisedCapacity capacity, @Nullable Integer max) {
    series.gauge(Meter.ADVERTISED_CAPACITY, capacity == null ? 0 : capacity.advertised());
    for (var reason : WITHHOLDING) {
      int withheld =
          capacity == null || max == null
              ? 0
              : capacity.limits().stream()
                  .filter(limit -> limit.reason().equals(reason.word()))
                  .mapToInt(limit -> Math.max(0, max - limit.places()))
                  .max()
                  .orElse(0);
      series.gauge(Meter.CAPACITY_WITHHELD, withheld, reason.word());
    }
  }

  /** Whole days, below 0 after the date; not a number without one. */
  private static double daysLeft(@Nullable RunnerVersionStatus version, Instant now) {
    var until = version == null ? null : version.servedUntil();
    return until == null
        ? Double.NaN
        : Math.floorDiv(Duration.between(now, until).toSeconds(), Duration.ofDays(1).toSeconds());
  }

  /** The set no longer exists. */
  void forget(AutoScalingRunnerSet set) {
    of(set).end();
  }
}
