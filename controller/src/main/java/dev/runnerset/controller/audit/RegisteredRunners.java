package dev.runnerset.controller.audit;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.removal.RunnerView;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which runners the service is known to have online (RN7). No message tells when one runner comes
 * online, but the service counts how many are. So the count covers the runners with a job, then
 * those that started first, and last of all those that were missing for long: a runner that never
 * connects must not hide behind a new one that did. Those that it does not cover are still
 * starting.
 */
@Pure
public final class RegisteredRunners {
  private static final Comparator<RunnerView> FIRST_STARTED =
      Comparator.comparing(RunnerView::waitingSince).thenComparing(RunnerView::name);

  private RegisteredRunners() {}

  /**
   * The same runners, each known to be registered or not.
   *
   * @param counts the latest counts of the service; null if there are none
   * @param removedSince running runners that were removed after they were observed
   * @param missedFor how long runners had been missing in all when the counts were taken, by uid
   */
  public static List<RunnerView> of(
      List<RunnerView> runners,
      @Nullable ServiceCounts counts,
      int removedSince,
      Map<String, Duration> missedFor) {
    var covered =
        counts == null ? Set.<String>of() : covered(runners, counts, removedSince, missedFor);
    return runners.stream()
        .map(r -> r.withRegistered(r.ready() && (r.busy() || covered.contains(r.uid()))))
        .toList();
  }

  private static Set<String> covered(
      List<RunnerView> runners,
      ServiceCounts counts,
      int removedSince,
      Map<String, Duration> missedFor) {
    var counted = runners.stream().filter(r -> mayBeIn(r, counts)).toList();
    int withJob = (int) counted.stream().filter(RunnerView::isRunningJob).count();
    int others = Math.max(0, counts.online() - withJob - removedSince);
    var uids = new HashSet<String>();
    withoutJob(counted).sorted(likeliest(missedFor)).limit(others).forEach(r -> uids.add(r.uid()));
    return uids;
  }

  /** The runners that were missing for long go last, the longest very last. */
  private static Comparator<RunnerView> likeliest(Map<String, Duration> missedFor) {
    return Comparator.comparing(
            (RunnerView runner) -> {
              var missed = missedFor.getOrDefault(runner.uid(), Duration.ZERO);
              return missed.compareTo(RegistrationCondition.TOLD_AFTER) < 0
                  ? Duration.ZERO
                  : missed;
            })
        .thenComparing(FIRST_STARTED);
  }

  /** Whether the service can have counted that runner among those that are online. */
  private static boolean mayBeIn(RunnerView runner, ServiceCounts counts) {
    return runner.ready()
        && !runner.ofAnotherScaleSet()
        && !runner.askedToGo()
        && !runner.removal().underWay()
        && seconds(runner.waitingSince()).isBefore(seconds(counts.observedAt()));
  }

  /** Runners whose container runs, and that the service is not known to have; oldest first. */
  static List<RunnerView> missing(List<RunnerView> runners) {
    return withoutJob(runners)
        .filter(r -> r.ready() && !r.registered() && !r.ofAnotherScaleSet() && !r.askedToGo())
        .sorted(FIRST_STARTED)
        .toList();
  }

  private static Stream<RunnerView> withoutJob(List<RunnerView> runners) {
    return runners.stream().filter(RunnerView::isWithoutJob);
  }

  /** Starts of containers are told in seconds: within one second the order is not known. */
  private static Instant seconds(Instant at) {
    return at.truncatedTo(ChronoUnit.SECONDS);
  }
}
