package dev.runnerset.listener.demand;

import dev.runnerset.actions.JobDescription;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.Statistics;
import dev.runnerset.base.ShortText;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.RunnerJob;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One thing to do for a message. Doing it twice has the same effect as doing it once (I8). */
public sealed interface DemandAction {
  /**
   * Write the demand of the set, as a whole.
   *
   * @param messageId the latest message that the counts reckon with; once this is written, runners
   *     whose completion came with it or before are released
   */
  record WriteDemand(long messageId, Statistics counts, Instant observedAt)
      implements DemandAction {}

  /**
   * A mark on one runner: that it has a job, or that its job is completed. A completion carries the
   * job too, so that a lost start is made good, and start and completion in one message are one
   * write. A mark identifies its job, by {@code requestId > 0} or by a {@code jobId}, whatever the
   * service sent: a runner with an unnamed job is busy all the same (LV1).
   *
   * @param runnerName the registration's name, which is the runner's
   * @param runnerId the registration that the message names
   * @param status what to write: {@code requestId} as the service sent it, 0 in the broker flavour,
   *     which numbers no job; a text that the service did not send is absent, and any other one is
   *     bounded so that a status stays small
   */
  record Mark(String runnerName, RunnerId runnerId, EphemeralRunnerStatus status)
      implements DemandAction {
    /** The longest text of a mark, in characters. */
    public static final int MAX_TEXT = 256;

    /** The runner has the job. */
    public static Mark started(String runnerName, RunnerId runnerId, JobDescription job) {
      return of(runnerName, runnerId, job, null, null);
    }

    /** The runner's job is over, as the message with that id says. */
    public static Mark completed(
        String runnerName, RunnerId runnerId, JobDescription job, String result, long messageId) {
      return of(runnerName, runnerId, job, ShortText.of(result, MAX_TEXT), messageId);
    }

    /** Whether it says that the job is completed. */
    public boolean isCompletion() {
      return status.job() != null && status.job().completedIn() != null;
    }

    /** What names the job, for people: its id, and the number of its request if it has one. */
    public String jobName() {
      var id = Objects.toString(status.jobId(), "");
      long request = Objects.requireNonNullElse(status.requestId(), 0L);
      if (request == 0) {
        return id;
      }
      return id.isEmpty() ? "request " + request : "%s (request %d)".formatted(id, request);
    }

    private static Mark of(
        String runnerName,
        RunnerId runnerId,
        JobDescription job,
        @Nullable String result,
        @Nullable Long completedIn) {
      boolean named = job.runnerRequestId() > 0 || !job.jobId().isEmpty();
      var status =
          EphemeralRunnerStatus.builder()
              .requestId(Math.max(0, job.runnerRequestId()))
              .jobId(text(named ? job.jobId() : job.key()))
              .job(
                  new RunnerJob(
                      text(job.repository()),
                      text(job.workflowRef()),
                      job.workflowRunId() > 0 ? job.workflowRunId() : null,
                      text(job.displayName()),
                      text(job.eventName()),
                      job.startedAt(),
                      completedIn))
              .jobResult(result)
              .build();
      return new Mark(runnerName, runnerId, status);
    }

    private static @Nullable String text(String text) {
      return text.isEmpty() ? null : ShortText.of(text, MAX_TEXT);
    }
  }

  /**
   * Read the scale set and give its statistics to {@link MessagePlanner#scaleSetRead}: the zeros
   * heard were doubted long enough, or no statistics were ever heard.
   */
  record ReadScaleSet() implements DemandAction {}
}
