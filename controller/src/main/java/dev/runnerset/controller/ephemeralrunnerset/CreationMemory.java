package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.base.ShortText;
import dev.runnerset.controller.hooks.Verdict;
import dev.runnerset.controller.scaling.CreationBackoff;
import dev.runnerset.crds.RunnerCounts;
import dev.runnerset.crds.StartFailures;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the process remembers of the making of a set's runners: failures, starts and jobs, and what
 * follows from them for the next runners. Thread-safe.
 */
final class CreationMemory {
  private static final int LONGEST = 500;

  private CreationBackoff backoff = CreationBackoff.NONE; // guarded by this
  private @Nullable StartFailures failures; // guarded by this

  /** False for a single pod that was taken away, and after recovery; guarded by this. */
  private boolean reported;

  private int healedWaves; // of the backoff, that are no longer reported; guarded by this
  private boolean restored; // guarded by this
  private String revision = ""; // guarded by this
  private @Nullable String rejectedRevision; // guarded by this

  synchronized CreationBackoff backoff() {
    return backoff;
  }

  /** The failures in a row, for the status; null for none, and when they are forgotten. */
  synchronized @Nullable StartFailures failures(Instant now) {
    return backoff.failures() == 0 || !now.isBefore(backoff.forgottenAt()) ? null : failures;
  }

  /**
   * The condition that tells of the failures. Once all wanted runners have stood for a while, these
   * failures are not reported again; the backoff stays.
   */
  synchronized Optional<Verdict> failing(RunnerCounts counts, Instant now) {
    var recent = failures(now);
    if (reported && recent != null && FailingCondition.isHealed(recent, counts, now)) {
      reported = false;
      healedWaves = backoff.failures();
    }
    return FailingCondition.of(reported ? recent : null, counts, now);
  }

  /**
   * Takes up what an earlier process wrote, if this one knows nothing yet.
   *
   * @param standing whether that process reported the failures when it wrote them
   */
  synchronized void restore(@Nullable StartFailures written, boolean standing) {
    if (!revision.isEmpty() || written == null) {
      return;
    }
    revision = written.revision();
    backoff = new CreationBackoff(written.waves(), written.notBefore(), true);
    failures = written;
    reported = standing;
    // failures of one wave may be a pod that was taken away, which was never reported
    healedWaves = standing || written.waves() < 2 ? 0 : written.waves();
    restored = true;
  }

  /** Whether an earlier process counted the failures and the jobs that are there. */
  synchronized boolean isRestored() {
    return restored;
  }

  /** The revision that runners are made of now; a new one is tried at once. */
  synchronized void revision(String wanted) {
    if (!revision.equals(wanted)) {
      revision = wanted;
      forgetFailures();
    }
  }

  private void forgetFailures() {
    backoff = CreationBackoff.NONE;
    failures = null;
    reported = false;
    healedWaves = 0;
  }

  /** The revision whose version the service refused; null for none. */
  synchronized @Nullable String rejectedRevision() {
    return rejectedRevision;
  }

  synchronized void rejectedRevision(@Nullable String rejected) {
    rejectedRevision = rejected;
  }

  /**
   * A runner failed.
   *
   * @param lost whether its pod was taken away, which is reported only if it happens again
   */
  synchronized void failed(Instant at, String message, boolean lost) {
    count(1, at, message, null);
    reported |= !lost || backoff.failures() - healedWaves > 1;
  }

  /** The resources of runners could not be made, for a quota or otherwise. */
  synchronized void creationFailed(Instant at, String message, boolean ofQuota) {
    count(0, at, message, ofQuota ? true : null);
    reported = true;
  }

  private void count(int runners, Instant at, String message, @Nullable Boolean ofQuota) {
    if (at.isAfter(backoff.forgottenAt())) {
      forgetFailures();
    }
    var before = isNewRow() ? null : failures;
    backoff = backoff.afterFailure(at);
    failures =
        new StartFailures(
            revision,
            backoff.failures(),
            runners + (before == null ? 0 : before.runners()),
            before == null ? at : before.since(),
            at,
            backoff.notBefore(),
            ShortText.of(message, LONGEST),
            ofQuota);
  }

  /** Whether the next failure is the first of those that are reported. */
  private boolean isNewRow() {
    return backoff.failures() == 0 || (healedWaves == backoff.failures() && !reported);
  }

  /** A pod was made for a runner. */
  synchronized void started() {
    backoff = backoff.afterStart();
  }

  /** A runner got a job. */
  synchronized void gotJob() {
    forgetFailures();
  }
}
