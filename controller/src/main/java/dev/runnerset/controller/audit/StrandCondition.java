package dev.runnerset.controller.audit;

import dev.runnerset.base.Detail;
import dev.runnerset.base.Pure;
import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.hooks.Verdict;
import dev.runnerset.controller.removal.Group;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.RunnersOfSet;
import dev.runnerset.controller.timing.Times;
import dev.runnerset.crds.condition.EphemeralRunnerSetReason;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that the service gave to the scale set and that no idle runner takes (RN19). While jobs
 * start, none is stranded: the counts do not tell one waiting job from another.
 */
@Pure
public final class StrandCondition {
  /** So long the counts need not be read: most jobs are taken by then. */
  @Detail static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final int MOST_NAMES = 3;

  /** The idle runners, longest idle first. */
  private static final Group IDLE =
      Group.of(r -> r.isIdle() && !r.askedToGo() && !r.ofAnotherScaleSet())
          .by(Comparator.comparing(RunnerView::waitingSince));

  private static final Group BUSY = Group.of(RunnerView::busy);

  private StrandCondition() {}

  /**
   * Jobs that wait beside idle runners.
   *
   * @param since when that was first seen; no job has started since
   * @param busy runners with a job at that time
   */
  public record Strand(Instant since, int busy) {}

  /**
   * The strand as of now; null if there is none.
   *
   * @param before as of the last look
   * @param counts the latest counts of the service
   */
  static @Nullable Strand next(
      @Nullable Strand before, RunnersOfSet runners, @Nullable ServiceCounts counts, Instant now) {
    if (counts == null || counts.waiting() == 0 || counts.idle() == 0 || runners.count(IDLE) == 0) {
      return null;
    }
    int busy = runners.count(BUSY);
    // runners that end take their mark along; one more means that a job has started
    if (before == null || busy > before.busy()) {
      return new Strand(now, busy);
    }
    return busy == before.busy() ? before : new Strand(before.since(), busy);
  }

  /**
   * The condition; empty if there is nothing to report yet, or the counts are too old to say it.
   *
   * @param runners of the set, each known to be registered or not
   */
  public static Optional<Verdict> of(
      @Nullable Strand strand, RunnersOfSet runners, @Nullable ServiceCounts counts, Instant now) {
    return strand == null || counts == null || !isReportedBy(counts, strand, now)
        ? Optional.empty()
        : Optional.of(
            Verdict.yes(EphemeralRunnerSetReason.JOB_NOT_TAKEN, message(strand, counts, runners)));
  }

  private static boolean isReportedBy(ServiceCounts counts, Strand strand, Instant now) {
    return !counts.observedAt().isBefore(strand.since().plus(AuditTimes.STRANDED_AFTER))
        && now.isBefore(counts.observedAt().plus(AuditTimes.FRESH));
  }

  /** When the condition may come. */
  public static RequeueTime changes(@Nullable Strand strand, Instant now) {
    return strand == null
        ? RequeueTime.NEVER
        : RequeueTime.firstAfter(now, Stream.of(strand.since().plus(AuditTimes.STRANDED_AFTER)));
  }

  private static String message(Strand strand, ServiceCounts counts, RunnersOfSet runners) {
    int idle = runners.count(IDLE);
    int jobs = Math.min(counts.waiting(), idle);
    var names = runners.in(IDLE).limit(MOST_NAMES).map(RunnerView::name).toList();
    int more = idle - MOST_NAMES;
    return "the service gave %d %s to the scale set, and no idle runner has taken one since %s: %s%s"
            .formatted(
                jobs,
                jobs == 1 ? "job" : "jobs",
                Times.seconds(strand.since()),
                String.join(", ", names),
                more > 0 ? " and " + more + " more" : "")
        + "; look in the log of its pod; if the runner hangs, delete it"
        + " (kubectl delete ephemeralrunners.runnerset.dev %s):".formatted(names.getFirst())
        + " the service is asked first, and another runner comes";
  }
}
