package dev.runnerset.listener.demand;

import dev.runnerset.actions.JobDescription;
import dev.runnerset.base.ShortText;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a runner's status says of its job, every text bounded so that a status stays small. A mark
 * identifies its job, by {@code requestId > 0} or by a {@code jobId}, whatever the service sent: a
 * runner with an unnamed job is busy all the same (LV1).
 *
 * @param requestId as the service sent it: 0 in the broker flavour, which numbers no job
 * @param jobId empty when the service sent none and there is a request id
 */
public record JobMark(long requestId, String jobId, Details details) {
  /** The longest text of a mark, in characters. */
  public static final int MAX_TEXT = 256;

  /**
   * What {@code status.job} shows to people.
   *
   * @param repository {@code owner/name}
   * @param workflowRunId 0 when the service sent none
   * @param startedAt null when the service sent none
   */
  public record Details(
      String repository,
      String workflowRef,
      long workflowRunId,
      String displayName,
      String eventName,
      @Nullable Instant startedAt) {}

  /** The mark of a job, cut to size. */
  public static JobMark of(JobDescription job) {
    var named = job.runnerRequestId() > 0 || !job.jobId().isEmpty();
    return new JobMark(
        Math.max(0, job.runnerRequestId()),
        cut(named ? job.jobId() : job.key()),
        new Details(
            cut(job.repository()),
            cut(job.workflowRef()),
            job.workflowRunId(),
            cut(job.displayName()),
            cut(job.eventName()),
            job.startedAt()));
  }

  /** A text of a mark. */
  static String cut(String text) {
    return ShortText.of(text, MAX_TEXT);
  }
}
