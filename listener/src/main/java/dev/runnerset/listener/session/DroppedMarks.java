package dev.runnerset.listener.session;

import dev.runnerset.actions.RunnerId;
import dev.runnerset.base.RequeueTime;
import dev.runnerset.crds.condition.ListenerReason;
import dev.runnerset.listener.demand.DemandAction.Mark;
import dev.runnerset.listener.demand.MessagePlanner;
import dev.runnerset.listener.metrics.ListenerMeter;
import dev.runnerset.listener.session.context.LoopContext;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Marks that no runner bears (DM3): each is counted, logged, and reported by a condition for {@link
 * #REPORTED_FOR}. A completion without a runner is only counted: a runner may be gone before the
 * message about its end. So may one whose start comes late, as after an outage of the listener in
 * which its job began and ended: a start waits for its completion, as long as one message follows
 * the other, and is reported without it. Used by the loop's thread.
 */
final class DroppedMarks {
  private static final Logger LOG = LoggerFactory.getLogger(DroppedMarks.class);

  /** How long the condition tells of the last one: long enough to be seen. */
  static final Duration REPORTED_FOR = Duration.ofMinutes(10);

  /** How long a start waits at most, since other messages may come all the time. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

  /** How many starts wait at most. */
  private static final int MOST_WAITING = 100;

  /** A start of a job on one registration of a runner. */
  private record Start(String runner, RunnerId registration, String job) {
    static Start of(Mark mark) {
      return new Start(mark.runnerName(), mark.runnerId(), mark.jobName());
    }
  }

  private final LoopContext context;
  private final SessionStatus status;
  private int dropped;
  private @Nullable SessionFinding notReported;
  private @Nullable Instant reportUntil;
  private final Map<Start, Mark> waiting = new LinkedHashMap<>();
  private @Nullable Instant waitingSince;
  private @Nullable Instant backlogReadAt;

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
    if (mark.isCompletion()) {
      waiting.remove(Start.of(mark));
      return;
    }
    if (waiting.isEmpty()) {
      waitingSince = context.inbox().now();
    }
    waiting.put(Start.of(mark), mark);
    if (waiting.size() > MOST_WAITING) {
      completionsAreMissing();
    }
  }

  /** The poll brought a message: others may follow, so nothing is missing yet. */
  void pollEnded() {
    backlogReadAt = null;
  }

  /** All messages so far are applied, and a poll for the next one begins. */
  void pollBegan() {
    var since = waitingSince;
    if (!waiting.isEmpty() && since != null) {
      backlogReadAt =
          RequeueTime.earlier(
              context.inbox().now().plus(MessagePlanner.AHEAD), since.plus(LONGEST_WAIT));
    }
  }

  private void completionsAreMissing() {
    waiting
        .values()
        .forEach(mark ->
            add(
                mark,
                ListenerReason.RUNNER_GONE,
                "there is no EphemeralRunner of that name: it was deleted while it had the job,"
                    + " or the message came late, or the runner was not made by the"
                    + " controller"));
    waiting.clear();
    backlogReadAt = null;
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
    return RequeueTime.at(reportUntil).or(backlogReadAt);
  }

  /** Reports the starts without a completion; ends the condition when it has stood long enough. */
  void tick() {
    if (backlogReadAt != null && !context.inbox().now().isBefore(backlogReadAt)) {
      completionsAreMissing();
      report();
    }
    if (reportUntil != null && !context.inbox().now().isBefore(reportUntil)) {
      reportUntil = null;
      status.noMarksDropped();
    }
  }
}
