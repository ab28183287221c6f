package dev.runnerset.controller.audit;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.removal.Group;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.RunnersOfSet;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which runners of a set the service is known to have online (RN7). No message tells when one
 * runner comes online, but the service counts how many are. So the count covers the runners with a
 * job, then those that started first, and last of all those that were missing for long: a runner
 * that never connects must not hide behind a new one that did. Those that it does not cover are
 * still starting. Used by one thread at a time.
 */
@Pure
public final class RegisteredRunners {
  /** Runners whose container runs, and that the service is not known to have. */
  static final Group MISSING = Group.of(RegisteredRunners::isMissing);

  private static final Group NOBODY = Group.of(runner -> false);
  private static final Group COVERED = Group.of(r -> r.registered() && !r.busy());
  private Cover cover = new Cover(null, NOBODY, COVERED, NOBODY, COVERED);

  /**
   * What the counts of one moment cover.
   *
   * @param covered runners without a job that are covered, the likeliest to be online first
   * @param others those that may be, too
   * @param withJob those with a job that may be in the counts
   * @param unfit those of the covered ones that are not in the counts any more
   */
  private record Cover(
      @Nullable ServiceCounts counts, Group others, Group covered, Group withJob, Group unfit) {
    Stream<Group> groups() {
      return Stream.of(others, covered, withJob, unfit);
    }
  }

  /**
   * Makes known which runners are registered.
   *
   * @param counts the latest counts of the service; null if there are none
   * @param removedSince running runners that were removed after they were observed
   * @param missedFor how long runners had been missing in all by an instant, by uid
   */
  public void update(
      RunnersOfSet runners,
      @Nullable ServiceCounts counts,
      int removedSince,
      Function<Instant, Map<String, Duration>> missedFor,
      Instant now) {
    if (counts != null && !counts.equals(cover.counts())) {
      cover.groups().forEach(runners::drop);
      cover = cover(counts, missedFor.apply(counts.observedAt()));
    }
    int online = counts == null ? 0 : counts.online();
    int most = Math.max(0, online - runners.count(cover.withJob()) - removedSince);
    runners.in(cover.unfit()).toList().forEach(r -> register(runners, r, false, now));
    for (int free = most - runners.count(cover.covered()); free < 0; free++) {
      register(runners, last(runners), false, now);
    }
    for (int free = most - runners.count(cover.covered());
        free > 0 && runners.count(cover.others()) > 0;
        free--) {
      register(runners, first(runners), true, now);
    }
    while (runners.count(cover.others()) > 0
        && runners.count(cover.covered()) > 0
        && cover.others().order().compare(first(runners), last(runners)) < 0) {
      var likelier = first(runners);
      register(runners, last(runners), false, now);
      register(runners, likelier, true, now);
    }
  }

  private RunnerView first(RunnersOfSet runners) {
    return runners.in(cover.others()).findFirst().orElseThrow();
  }

  private RunnerView last(RunnersOfSet runners) {
    return runners.fromLast(cover.covered()).findFirst().orElseThrow();
  }

  private static void register(RunnersOfSet all, RunnerView runner, boolean online, Instant now) {
    all.put(runner.with(online, online && !all.isNew(runner) ? now : null, runner.set()));
  }

  private static Cover cover(ServiceCounts counts, Map<String, Duration> missedFor) {
    var order = likeliest(missedFor);
    var fit = Group.of(r -> mayBeIn(r, counts) && r.isWithoutJob() && !r.busy()).by(order);
    return new Cover(
        counts,
        fit.and(r -> !r.registered()),
        fit.and(RunnerView::registered),
        Group.of(r -> mayBeIn(r, counts) && r.isRunningJob()),
        COVERED.and(r -> !(mayBeIn(r, counts) && r.isWithoutJob())));
  }

  /** The runners that were missing for long go last, the longest very last. */
  private static Comparator<RunnerView> likeliest(Map<String, Duration> missedFor) {
    return Comparator.comparing(
            (RunnerView runner) -> {
              var missed = missedFor.getOrDefault(runner.uid(), Duration.ZERO);
              return missed.compareTo(AuditTimes.UNREGISTERED_AFTER) < 0 ? Duration.ZERO : missed;
            })
        .thenComparing(RunnerView::waitingSince);
  }

  /** Whether the service can have counted that runner among those that are online. */
  private static boolean mayBeIn(RunnerView runner, ServiceCounts counts) {
    return runner.ready()
        && !runner.ofAnotherScaleSet()
        && !runner.askedToGo()
        && !runner.removal().underWay()
        && runner.startedBefore(counts.observedAt());
  }

  static boolean isMissing(RunnerView r) {
    return r.isWithoutJob()
        && r.ready()
        && !r.registered()
        && !r.ofAnotherScaleSet()
        && !r.askedToGo();
  }
}
