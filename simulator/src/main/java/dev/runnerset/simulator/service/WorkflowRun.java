package dev.runnerset.simulator.service;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One run of a workflow, attempt by attempt. Guarded by the {@link ServiceState}. */
final class WorkflowRun {
  /** As the REST API says it, of runs and of jobs (protocol 3.17). */
  enum Status {
    QUEUED,
    IN_PROGRESS,
    COMPLETED;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** One attempt. Jobs that it did not run again stand in it as they ended before. */
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
    Status status(Instant now, Duration lag) {
      if (jobs.stream().allMatch(job -> job.status() == Status.COMPLETED)
          && !changed().plus(lag).isAfter(now)) {
        return Status.COMPLETED;
      }
      return own().allMatch(job -> job.status() == Status.QUEUED)
          ? Status.QUEUED
          : Status.IN_PROGRESS;
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

  final long id;

  /** May be put back, so that the run is old. */
  Instant created;

  /** Null until a scale set gets a job of a run that any repository may have. */
  Repositories.@Nullable Repository repository;

  /** The file of the workflow is gone, so that nothing of it runs again. */
  boolean withoutWorkflow;

  private final List<Attempt> attempts = new ArrayList<>();

  WorkflowRun(long id, Instant created) {
    this.id = id;
    this.created = created;
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
