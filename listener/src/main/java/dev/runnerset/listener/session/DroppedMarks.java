package dev.runnerset.listener.session;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.crds.condition.ListenerReason;
import dev.runnerset.listener.demand.DemandAction.Mark;
import dev.runnerset.listener.metrics.ListenerMeter;
import dev.runnerset.listener.session.context.LoopContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Marks that no runner bears (DM3): each is counted, logged, and reported by a condition for {@link
 * #REPORTED_FOR}. A completion without a runner is only counted: a runner may be gone before the
 * message about its end. Used by the loop's thread.
 */
final class DroppedMarks {
  private static final Logger LOG = LoggerFactory.getLogger(DroppedMarks.class);

  /** How long the condition tells of the last one: long enough to be seen. */
  static final Duration REPORTED_FOR = Duration.ofMinutes(10);

  private final LoopContext context;
  private final SessionStatus status;
  private int dropped;
  private @Nullable SessionFinding notReported;
  private @Nullable Instant reportUntil;

  DroppedMarks(LoopContext context, SessionStatus status) {
    this.context = context;
    this.status = status;
  }

  /** After a take-over: what a former loop or process reported ends in its time, too. */
  void takenOver() {
    var since = status.marksDroppedSince();
    if (reportUntil == null && since != null) {
      reportUntil = since.plus(REPORTED_FOR);
    }
  }

  /** No runner of that name is there. */
  void withoutRunner(Mark mark) {
    context.series().counted(ListenerMeter.MARKS_DROPPED, "runner_gone");
    if (!mark.isCompletion()) {
      add(
          mark,
          ListenerReason.RUNNER_GONE,
          "there is no EphemeralRunner of that name: it was deleted while it had the job, or the"
              + " message came late, or the runner was not made by the controller");
    }
  }

  /** The runner of that name is another registration, so the mark was taken back. */
  void ofOtherRegistration(Mark mark) {
    context.series().counted(ListenerMeter.MARKS_DROPPED, "other_registration");
    add(
        mark,
        ListenerReason.OTHER_REGISTRATION,
        "the EphemeralRunner of that name has another registration: give a standalone runner that"
            + " is made again another name");
  }

  private void add(Mark mark, ListenerReason reason, String why) {
    dropped++;
    var runner = mark.runnerName().isEmpty() ? "a runner without a name" : mark.runnerName();
    var job = mark.status().job();
    var repository = Objects.toString(job == null ? null : job.repository(), "");
    var what = mark.isCompletion() ? "ended" : "started";
    LOG.atWarn()
        .addKeyValue("runner", runner)
        .addKeyValue("registration", mark.runnerId())
        .addKeyValue("job", mark.jobName())
        .addKeyValue("reason", reason.word())
        .log("dropped what a message says of a job");
    notReported =
        SessionFinding.of(
            reason,
            ("job %s of %s %s on %s (registration %d), and this was not written: %s. Dropped so"
                    + " far: %d")
                .formatted(
                    mark.jobName(),
                    repository,
                    what,
                    runner,
                    mark.runnerId().value(),
                    why,
                    dropped));
  }

  /** Writes what was dropped since the last time; one write for any number. */
  void report() {
    if (notReported != null) {
      reportUntil = context.inbox().now().plus(REPORTED_FOR);
      status.marksDropped(notReported);
      notReported = null;
    }
  }

  /** When {@link #tick} has something to do. */
  RequeueTime requeueAt() {
    return reportUntil == null ? RequeueTime.NEVER : RequeueTime.at(reportUntil);
  }

  /** Ends the condition when it has stood long enough. */
  void tick() {
    if (reportUntil != null && !context.inbox().now().isBefore(reportUntil)) {
      reportUntil = null;
      status.noMarksDropped();
    }
  }
}
