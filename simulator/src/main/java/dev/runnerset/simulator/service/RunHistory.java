package dev.runnerset.simulator.service;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** A run, attempt by attempt. Guarded by the {@link ServiceState}. */
final class RunHistory {
  /** One attempt. Jobs that it does not run again are listed in it as they ended before. */
  static final class Attempt {
    final int number;
    final Instant began;

    /** Who asked for it. */
    final String by;

    final List<Job> jobs;

    /** A person cancelled it. */
    boolean cancelled;

    private Attempt(int number, Instant began, String by, List<Job> jobs) {
      this.number = number;
      this.began = began;
      this.by = by;
      this.jobs = List.copyOf(jobs);
    }

    /**
     * @param lag how long it is in progress still after its last job has ended
     */
    RunStatus status(Instant now, Duration lag) {
      if (jobs.stream().allMatch(job -> job.status() == RunStatus.COMPLETED)
          && !changed().plus(lag).isAfter(now)) {
        return RunStatus.COMPLETED;
      }
      return own().allMatch(job -> job.status() == RunStatus.QUEUED)
          ? RunStatus.QUEUED
          : RunStatus.IN_PROGRESS;
    }

    /** What it concludes with once all jobs have ended. */
    String conclusion() {
      var words = jobs.stream().map(Job::conclusion).filter(Objects::nonNull).toList();
      if (cancelled) {
        return "cancelled";
      }
      return Stream.of("failure", "cancelled", "success")
          .filter(words::contains)
          .findFirst()
          .orElse("skipped");
    }

    /** When one of its jobs last started or ended. */
    Instant changed() {
      return own()
          .flatMap(job -> Stream.of(job.started, job.completed))
          .filter(Objects::nonNull)
          .max(Comparator.naturalOrder())
          .orElse(began);
    }

    /** The jobs that this attempt runs itself. */
    private Stream<Job> own() {
      return jobs.stream().filter(job -> job.runAttempt == number);
    }
  }

  final WorkflowRun run;
  private final List<Attempt> attempts = new ArrayList<>();

  RunHistory(WorkflowRun run) {
    this.run = run;
  }

  void attempt(Instant began, String by, List<Job> jobs) {
    attempts.add(new Attempt(attempts.size() + 1, began, by, jobs));
  }

  Attempt latest() {
    return attempts.getLast();
  }

  /** The first one first. */
  List<Attempt> attempts() {
    return List.copyOf(attempts);
  }

  /** Each job once for each attempt that ran it, in the order in which they were queued. */
  List<Job> everyJob() {
    var every = new LinkedHashSet<Job>();
    attempts.forEach(attempt -> every.addAll(attempt.jobs));
    return List.copyOf(every);
  }
}
