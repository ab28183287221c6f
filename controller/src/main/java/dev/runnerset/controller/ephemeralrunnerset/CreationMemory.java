package dev.runnerset.controller.ephemeralrunnerset;

import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the process remembers of the making of a set's runners: failures, starts and jobs, each
 * counted once, and what follows from them for the next runners. Thread-safe.
 */
final class CreationMemory {
  private CreationBackoff backoff = CreationBackoff.NONE; // guarded by this
  private String lastFailure = ""; // guarded by this
  private String revision = ""; // guarded by this
  private @Nullable String rejectedRevision; // guarded by this
  private boolean observed; // guarded by this
  private final Set<String> countedStarts = new HashSet<>(); // uids; guarded by this
  private final Set<String> countedFailures = new HashSet<>(); // uids; guarded by this
  private final Set<String> countedJobs = new HashSet<>(); // uids; guarded by this

  synchronized CreationBackoff backoff() {
    return backoff;
  }

  /** The message of the last failure that counts; empty for none. */
  synchronized String lastFailure() {
    return lastFailure;
  }

  /** The revision that runners are made of now; a new one is tried at once. */
  synchronized void revision(String wanted) {
    if (!revision.equals(wanted)) {
      revision = wanted;
      backoff = CreationBackoff.NONE;
      lastFailure = "";
    }
  }

  /** The revision whose version the service refused; null for none. */
  synchronized @Nullable String rejectedRevision() {
    return rejectedRevision;
  }

  synchronized void rejectedRevision(@Nullable String rejected) {
    rejectedRevision = rejected;
  }

  /** True once: when the runners of the set are observed for the first time. */
  synchronized boolean isFirstObservation() {
    boolean first = !observed;
    observed = true;
    return first;
  }

  /** Never counts the failure and the job of a runner. */
  synchronized void ignore(String uid) {
    countedFailures.add(uid);
    countedJobs.add(uid);
  }

  /** A runner failed; true when it was not counted before. */
  synchronized boolean failed(String uid, Instant at, String message) {
    boolean isNew = countedFailures.add(uid);
    if (isNew) {
      creationFailed(at, message);
    }
    return isNew;
  }

  /** The resources of runners could not be made. */
  synchronized void creationFailed(Instant at, String message) {
    backoff = backoff.afterFailure(at);
    lastFailure = message;
  }

  /** A pod was made for a runner; counted once. */
  synchronized void started(String uid) {
    if (countedStarts.add(uid)) {
      backoff = backoff.afterStart();
    }
  }

  /** A runner got a job; counted once. */
  synchronized void gotJob(String uid) {
    if (countedJobs.add(uid)) {
      backoff = backoff.afterJob();
    }
  }

  /** Forgets all runners but these. */
  synchronized void retain(Set<String> uids) {
    countedStarts.retainAll(uids);
    countedFailures.retainAll(uids);
    countedJobs.retainAll(uids);
  }
}
