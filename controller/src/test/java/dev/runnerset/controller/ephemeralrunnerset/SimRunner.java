package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerExit;
import dev.runnerset.controller.removal.FakeService;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.RunnerJob;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.crds.RunnerRemoval;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A runner of {@link SimWorld}: what it is, and what the cache knows of it. */
final class SimRunner {
  final String name;
  final long id;
  private final EphemeralRunner runner;

  // what it is
  boolean online;
  boolean hasJob;
  boolean going;
  Duration nodeClockOffset = Duration.ZERO;

  // what is known of it
  Instant cachedAt;
  boolean marked;
  boolean terminating;
  @Nullable Instant idleSince;
  @Nullable RunnerRemoval removal;
  @Nullable RunnerExit exit;
  private @Nullable Long completedIn;
  private boolean failed;
  private boolean unheard;

  SimRunner(String name, long id, Instant created) {
    this.name = name;
    this.id = id;
    this.runner = FakeService.runner(name, id); // made once: reflection makes it costly
    runner.getMetadata().setCreationTimestamp(created.toString());
    runner.getMetadata().setOwnerReferences(List.of(SimSet.OWNER));
    this.cachedAt = created;
  }

  void complete(long message) {
    marked = true;
    completedIn = message;
  }

  /** As the er reconciler reads it off the pod, which bears the time of its node. */
  void exit(Instant now, boolean failure) {
    exit = RunnerExit.seen(null, failure ? 1 : 0, now.plus(nodeClockOffset), now);
    failed = failure;
    online = false;
  }

  /** Whether it stays, by the rule of retention for those that failed. */
  boolean isFailed() {
    return failed;
  }

  String uid() {
    return runner.getMetadata().getUid();
  }

  Instant exitAt() {
    return Objects.requireNonNull(exit).at();
  }

  /** {@code JobNotHeard}, if nothing was heard of its job: its registration is gone. */
  void settle() {
    unheard |= !marked;
  }

  boolean isCompleted() {
    return completedIn != null;
  }

  boolean countsAsBusy() {
    return marked && completedIn == null && exit == null;
  }

  EphemeralRunner cached() {
    if (terminating) {
      runner.getMetadata().setDeletionTimestamp(runner.getMetadata().getCreationTimestamp());
    }
    var phase = idleSince == null ? RunnerPhase.PENDING : RunnerPhase.RUNNING;
    runner.setStatus(
        EphemeralRunnerStatus.builder()
            .phase(failed ? RunnerPhase.FAILED : unheard ? RunnerPhase.SUCCEEDED : phase)
            .runnerId(idleSince == null ? null : Long.valueOf(id))
            .runnerName(name)
            .jobId(marked ? "job" : null)
            .job(
                completedIn == null
                    ? null
                    : new RunnerJob(null, null, null, null, null, null, completedIn))
            .idleSince(idleSince)
            .removal(removal)
            .build());
    return runner;
  }

  @Override
  public String toString() {
    return name;
  }
}
