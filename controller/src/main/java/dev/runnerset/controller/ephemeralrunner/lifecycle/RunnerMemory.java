package dev.runnerset.controller.ephemeralrunner.lifecycle;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What this process knows of one runner and the caches do not show: they may be behind its own
 * writes. Immutable. Losing it costs reads and repeated requests, and no job.
 *
 * @param start how far its start is
 * @param removal what became of the removal of its registration
 * @param written our part of its status as this process last sent it
 * @param livePod its pod as the API server showed it while the cache does not
 * @param registrationOverdue whether its set says that it does not come online (RN7)
 * @param open whether its set says that its pod needs no shield (SH1); null before it says anything
 * @param lossSeenAt when the loss of its job was first seen to be pending (RN18); null before
 */
public record RunnerMemory(
    StartState start,
    RemovalState removal,
    @Nullable WrittenStatus written,
    @Nullable LivePod livePod,
    boolean registrationOverdue,
    @Nullable Boolean open,
    @Nullable Instant lossSeenAt) {

  /** Nothing is known. */
  public static final RunnerMemory NONE = of(StartState.UNSEEN);

  /** This process makes the runner: nobody has begun its start. */
  public static final RunnerMemory NEW = of(StartState.NEW);

  /**
   * A pod as a live read showed it while the cache does not: the cache may be behind, or somebody
   * took off the label by which it finds the pod. The pod stands in for the cache until the next
   * read.
   *
   * @param reads live reads in a row
   * @param until when the pod must be read again: after 0.5 s, doubling to 60 s
   */
  public record LivePod(PodView pod, int reads, Instant until) {
    /** The pod as it was read now, after the reads of {@code before}. */
    public static LivePod read(@Nullable LivePod before, PodView pod, Instant now) {
      int reads = before == null ? 1 : before.reads + 1;
      return new LivePod(pod, reads, now.plus(EphemeralRunnerTimes.POD_READS.after(reads)));
    }

    boolean isValid(Instant now) {
      return now.isBefore(until);
    }
  }

  private static RunnerMemory of(StartState start) {
    return new RunnerMemory(start, RemovalState.NONE, null, null, false, null, null);
  }

  /** Its pod is made, or was found; what is known of a removal belongs to an earlier start. */
  public RunnerMemory made(@Nullable Long id, Instant at) {
    return with(start.made(id, at)).with(RemovalState.NONE);
  }

  /** The same with another state of the start. */
  public RunnerMemory with(StartState next) {
    return new RunnerMemory(next, removal, written, livePod, registrationOverdue, open, lossSeenAt);
  }

  /** The same with another state of the removal. */
  public RunnerMemory with(RemovalState next) {
    return new RunnerMemory(start, next, written, livePod, registrationOverdue, open, lossSeenAt);
  }

  /** The same after our part of the status was sent. */
  public RunnerMemory with(WrittenStatus status) {
    return new RunnerMemory(start, removal, status, livePod, registrationOverdue, open, lossSeenAt);
  }

  /** The same with the pod of a live read; null once the cache shows the pod. */
  public RunnerMemory withLivePod(@Nullable LivePod read) {
    return new RunnerMemory(start, removal, written, read, registrationOverdue, open, lossSeenAt);
  }

  /** The same with what its set says of it. */
  public RunnerMemory judged(boolean overdue, @Nullable Boolean opened) {
    return overdue == registrationOverdue && Objects.equals(opened, open)
        ? this
        : new RunnerMemory(start, removal, written, livePod, overdue, opened, lossSeenAt);
  }

  /** This memory; the loss of the job is pending since then, unless it was seen before. */
  public RunnerMemory lossSeen(Instant now) {
    return lossSeenAt != null
        ? this
        : new RunnerMemory(start, removal, written, livePod, registrationOverdue, open, now);
  }

  /** The pod of the last live read while that is valid, else null. */
  public @Nullable PodView podReadLive(Instant now) {
    return livePod != null && livePod.isValid(now) ? livePod.pod() : null;
  }
}
