package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.actions.ConfigUrl;
import dev.runnerset.base.metrics.Meters;
import dev.runnerset.controller.ephemeralrunner.lifecycle.ObservedRunner;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerStatuses;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.events.SetOfRunner;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.memory.Slots.Slot;
import dev.runnerset.controller.metrics.LostBy;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.ownership.Ownership;
import dev.runnerset.controller.removal.ForcedDeletion;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.RunnerFailure;
import dev.runnerset.crds.RunnerJob;
import dev.runnerset.crds.condition.EventReason;
import dev.runnerset.crds.condition.RunnerReason;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports jobs that were lost with their runner (RN18): in the status, by an event on set and
 * runner, a counter, and a line of the log. Each runner's job is reported once. Thread-safe.
 */
final class LostJobs {
  private static final Logger LOG = LoggerFactory.getLogger(LostJobs.class);
  private static final Slot<Boolean> REPORTED = new Slot<>(false);

  private final LossBook book;
  private final Events events;
  private final Meters meters;
  private final Memories memories;

  LostJobs(RunnerPassEnvironment environment, Memories memories) {
    this.memories = memories;
    this.book = environment.losses();
    this.events = environment.events();
    this.meters = environment.meters();
  }

  /** The status of a runner that failed, with what its job was lost by. */
  static EphemeralRunnerStatus lost(EphemeralRunnerStatus failed) {
    var failure = Objects.requireNonNull(failed.failure());
    return failed.toBuilder().failure(failure.withJobLostBy(cause(failure).word())).build();
  }

  /**
   * Writes the loss down, if the status that is about to be written says for the first time that
   * the job is lost: the status is the proof that this was done.
   */
  void keep(ObservedRunner observed, EphemeralRunnerStatus next) {
    if (isNews(observed, next)) {
      keep(observed, Objects.requireNonNull(next.failure()));
    }
  }

  private void keep(ObservedRunner observed, RunnerFailure failure) {
    book.keep(observed.runner(), observed.observedStatus(), cause(failure));
  }

  /**
   * Reports the job, if the status that was just written says for the first time that it is lost.
   */
  void report(ObservedRunner observed, EphemeralRunnerStatus written) {
    if (isNews(observed, written)) {
      report(observed, Objects.requireNonNull(written.failure()));
    }
  }

  private static boolean isNews(ObservedRunner observed, EphemeralRunnerStatus next) {
    var failure = next.failure();
    var before = observed.ownStatus().failure();
    return failure != null
        && failure.jobLostBy() != null
        && (before == null || before.jobLostBy() == null);
  }

  /** Reports the job of a runner that goes before its end was written, if its job was not over. */
  void reportDeleted(ObservedRunner observed) {
    if (!observed.ownStatus().isTerminal() && observed.mayHaveJob()) {
      endOfDeleted(observed)
          .ifPresent(failure -> {
            keep(observed, failure);
            report(observed, failure);
          });
    }
  }

  /** Empty if it exited with 0: then nobody knows that the job was not done. */
  private static Optional<RunnerFailure> endOfDeleted(ObservedRunner observed) {
    var exit = observed.seenExit();
    if (exit == null) {
      return Optional.of(
          ForcedDeletion.isOf(observed.runner())
                  && observed.pod() != null
                  && !observed.pod().isOver()
              ? RunnerStatuses.failure(
                  RunnerReason.FORCED_DELETION,
                  "the annotation " + Labels.FORCE_DELETE + " ended the runner with its job",
                  null)
              : RunnerStatuses.failure(
                  RunnerReason.POD_LOST, "the runner was deleted, and its pod is gone", null));
    }
    if (exit.exitCode() == 0) {
      return Optional.empty();
    }
    return Optional.of(
        RunnerStatuses.failure(
            exit.podDeleted() ? RunnerReason.POD_DELETED : RunnerReason.CONTAINER_EXITED,
            "the runner was deleted, and exited with " + exit.exitCode(),
            exit.exitCode()));
  }

  private static LostBy cause(RunnerFailure failure) {
    return LostBy.of(Objects.requireNonNullElse(failure.reason(), ""));
  }

  private void report(ObservedRunner observed, RunnerFailure failure) {
    var runner = observed.runner();
    var meta = runner.getMetadata();
    if (Boolean.TRUE.equals(memories.of(runner).put(REPORTED, true))) {
      return;
    }
    var job = observed.observedStatus().job();
    var node = node(observed);
    var message =
        "%s was lost with runner %s%s: %s: %s%s"
            .formatted(
                RunnerStatuses.job(observed.observedStatus()),
                meta.getName(),
                node.isEmpty() ? "" : " on node " + node,
                Objects.requireNonNullElse(failure.reason(), ""),
                failure.message(),
                run(runner, job));
    events.warn(runner, EventReason.JOB_LOST, message);
    SetOfRunner.of(runner).ifPresent(set -> events.warn(set, EventReason.JOB_LOST, message));
    meters
        .of(meta.getNamespace(), Ownership.setName(runner).orElse(""))
        .count(Meter.JOBS_LOST, cause(failure).word());
    log(observed, failure, node);
  }

  /** Outlasts the event and the runner. */
  private static void log(ObservedRunner observed, RunnerFailure failure, String node) {
    var meta = observed.runner().getMetadata();
    var status = observed.observedStatus();
    var line =
        LOG.atWarn()
            .addKeyValue("namespace", meta.getNamespace())
            .addKeyValue("set", Ownership.setName(observed.runner()).orElse(""))
            .addKeyValue("runner", meta.getName())
            .addKeyValue("cause", cause(failure).word())
            .addKeyValue("reason", failure.reason())
            .addKeyValue("exitCode", failure.exitCode())
            .addKeyValue("node", node)
            .addKeyValue("jobId", status.jobId())
            .addKeyValue("requestId", status.requestId());
    if (status.job() != null) {
      line =
          line.addKeyValue("repository", status.job().repository())
              .addKeyValue("workflowRunId", status.job().workflowRunId())
              .addKeyValue("startedAt", status.job().startedAt());
    }
    line.log("a job was lost with its runner");
  }

  private static String node(ObservedRunner observed) {
    var pod = observed.pod();
    var node = pod != null && pod.nodeName() != null ? pod.nodeName() : null;
    return Objects.requireNonNullElse(node == null ? observed.ownStatus().nodeName() : node, "");
  }

  /** Where a person can run it again; empty if that is not known. */
  private static String run(EphemeralRunner runner, @Nullable RunnerJob job) {
    if (job == null || job.workflowRunId() == null || job.repository() == null) {
      return "";
    }
    try {
      var url = ConfigUrl.parse(runner.getSpec().githubConfigUrl());
      return "; run it again at " + url.pageOf(job.repository(), job.workflowRunId());
    } catch (IllegalArgumentException e) {
      return "";
    }
  }
}
