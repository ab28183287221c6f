package dev.runnerset.listener.demand;

import dev.runnerset.actions.JobEvent;
import dev.runnerset.actions.Statistics;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one set's listener remembers between messages.
 *
 * @param messageId the latest message that the believed statistics reckon with, or that was written
 *     by whoever held the session before
 * @param latestId the latest message applied; above {@code messageId} while its statistics are
 *     missing or withheld
 * @param completedIn the latest message applied that told of a completion
 * @param believed the latest statistics believed, or null before the first session
 * @param written the demand as it stands in the status, or null when that is not known
 * @param unfinished keys of the jobs seen assigned or started and not seen completed; at most
 *     {@link #MAX_UNFINISHED}
 * @param zeroSince since when all-zero statistics are withheld, or null
 * @param unread set while a session is open, no statistics were ever heard, and the scale set could
 *     not be read; else null
 */
public record DemandState(
    long messageId,
    long latestId,
    long completedIn,
    @Nullable Statistics believed,
    @Nullable Written written,
    Set<String> unfinished,
    @Nullable Instant zeroSince,
    @Nullable Unread unread) {
  /** The most jobs remembered; the oldest are forgotten first. */
  public static final int MAX_UNFINISHED = 10_000;

  /** Nothing heard and nothing written. */
  public static final DemandState NONE = new DemandState(0, 0, 0, null, null, Set.of(), null, null);

  /** Keeps the order of the jobs. */
  public DemandState {
    unfinished = Collections.unmodifiableSet(new LinkedHashSet<>(unfinished));
  }

  /** A demand in the status, and when it was written. */
  public record Written(long messageId, Statistics counts, Instant at) {}

  /** Statistics that could not be read {@code failures} times; to be read again at the instant. */
  public record Unread(int failures, Instant readAgainAt) {}

  /**
   * After a take-over: what stands in the status is not known, but for the message id, which must
   * not fall within one scale set: runners are released by comparison with it (LV2).
   */
  public DemandState takenOver(long messageIdInStatus) {
    return new DemandState(
        messageIdInStatus, messageIdInStatus, 0, believed, null, unfinished, zeroSince, null);
  }

  DemandState withWritten(Written demand) {
    return new DemandState(
        messageId, latestId, completedIn, believed, demand, unfinished, zeroSince, unread);
  }

  /** Counts that reckon with all that was applied. */
  DemandState believing(@Nullable Statistics counts) {
    return new DemandState(
        latestId, latestId, completedIn, counts, written, unfinished, null, null);
  }

  DemandState withholding(Instant since) {
    return new DemandState(
        messageId, latestId, completedIn, believed, written, unfinished, since, null);
  }

  DemandState unread(Unread missing) {
    return new DemandState(
        messageId, latestId, completedIn, believed, written, unfinished, zeroSince, missing);
  }

  DemandState forgettingJobs() {
    return new DemandState(
        messageId, latestId, completedIn, believed, written, Set.of(), zeroSince, unread);
  }

  /** After the events of a message. A redelivered message leaves the greater id. */
  DemandState after(long message, List<JobEvent> events) {
    var open = new LinkedHashSet<>(unfinished);
    long completes = completedIn;
    for (var event : events) {
      switch (event) {
        case JobEvent.JobAssigned(var job) -> open.add(job.key());
        case JobEvent.JobStarted(var job, var _, var _) -> open.add(job.key());
        case JobEvent.JobCompleted(var job, var _, var _, var _) -> {
          open.remove(job.key());
          completes = Math.max(completes, message);
        }
      }
    }
    while (open.size() > MAX_UNFINISHED) {
      open.removeFirst();
    }
    return new DemandState(
        messageId,
        Math.max(latestId, message),
        completes,
        believed,
        written,
        open,
        zeroSince,
        unread);
  }
}
