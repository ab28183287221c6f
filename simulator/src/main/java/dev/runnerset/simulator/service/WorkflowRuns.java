package dev.runnerset.simulator.service;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The runs of workflows, and where their jobs are made. Guarded by the {@link ServiceState}. */
final class WorkflowRuns {
  /** As long as the numbers of github.com, which no int holds. */
  private static final long FIRST_RUN = 17_000_000_001L;

  private static final long FIRST_JOB = 48_000_000_001L;
  private final ServiceState state;
  private final JobFlow flow;
  private final Map<Long, RunHistory> byId = new LinkedHashMap<>();
  private final Map<Long, Job> jobByRestId = new LinkedHashMap<>();
  private long nextRun = FIRST_RUN;
  private long nextJob = FIRST_JOB;

  WorkflowRuns(ServiceState state, JobFlow flow) {
    this.state = state;
    this.flow = flow;
  }

  /** Jobs, each one in a run of its own, as many as are asked for. */
  List<Job> submit(JobRequest request, Instant now) {
    var jobs = new ArrayList<Job>();
    for (int i = 0; i < request.count(); i++) {
      var history = begin(request.repository(), now);
      var job = make(history.run, 1, request);
      history.attempt(now, "push", List.of(job));
      flow.submit(job, wait(request, i), now);
      jobs.add(job);
    }
    flow.fillAll(now);
    flow.countWithoutRoom(jobs, now);
    return jobs;
  }

  /** One run with all these jobs; jobs of one request have a number in their names. */
  RunHistory queue(String repository, List<JobRequest> requests, Instant now) {
    var history = begin(Optional.of(repository), now);
    fill(history, "push", repository, requests, now);
    return history;
  }

  /** A run of that workflow that somebody starts by hand. */
  void dispatch(
      Repositories.Repository repository,
      String file,
      String title,
      JobRequest jobs,
      String by,
      Instant now) {
    var history = begin(Optional.of(repository.name), now);
    history.run.event = "workflow_dispatch";
    history.run.file = file;
    history.run.title = title.isEmpty() ? history.run.workflow() : title;
    fill(history, by, repository.name, List.of(jobs), now);
  }

  private void fill(
      RunHistory history, String by, String repository, List<JobRequest> requests, Instant now) {
    var waits = new LinkedHashMap<Job, Duration>();
    for (var request : requests) {
      for (int i = 0; i < request.count(); i++) {
        var name = request.count() == 1 ? "" : " (" + (i + 1) + ")";
        var one = request.withDisplayName(request.displayName() + name);
        var job = make(history.run, 1, one.withRepository(Optional.of(repository)));
        waits.put(job, wait(request, i));
      }
    }
    history.attempt(now, by, List.copyOf(waits.keySet()));
    waits.forEach((job, wait) -> flow.submit(job, wait, now));
    flow.fillAll(now);
    flow.countWithoutRoom(waits.keySet(), now);
  }

  private static Duration wait(JobRequest request, int index) {
    return request.delay().plus(request.spread().multipliedBy(index).dividedBy(request.count()));
  }

  private RunHistory begin(Optional<String> repository, Instant now) {
    var run = new WorkflowRun(nextRun++, now);
    repository.ifPresent(name -> run.repository = state.repositories.named(name));
    var history = new RunHistory(run);
    byId.put(run.id, history);
    return history;
  }

  private Job make(WorkflowRun run, int attempt, JobRequest request) {
    var job =
        new Job(state.ids.get(), state.nextNumber(), nextJob++, request.withCount(1), run, attempt);
    state.jobs.put(job.id, job);
    jobByRestId.put(job.restId, job);
    return job;
  }

  /** Runs some jobs of the latest attempt again; the new one lists the others as they ended. */
  void again(RunHistory history, List<Job> chosen, String by, Instant now) {
    int attempt = history.latest().number + 1;
    var queued = new ArrayList<Job>();
    var all = new ArrayList<Job>();
    for (var job : history.latest().jobs) {
      if (!chosen.contains(job)) {
        all.add(job);
        continue;
      }
      var moved = history.run.repository;
      var request =
          moved == null || job.request.repository().isEmpty()
              ? job.request
              : job.request.withRepository(Optional.of(moved.name));
      var next = make(history.run, attempt, request);
      queued.add(next);
      all.add(next);
    }
    history.attempt(now, by, all);
    queued.forEach(job -> flow.submit(job, Duration.ZERO, now));
    flow.fillAll(now);
  }

  /** Cancels the latest attempt; false if it has ended. */
  boolean cancel(RunHistory history, Instant now) {
    var open =
        history.latest().jobs.stream().filter(job -> job.status() != RunStatus.COMPLETED).toList();
    if (!open.isEmpty()) {
      history.latest().cancelled = true;
      open.forEach(job -> flow.cancel(job, now));
    }
    return !open.isEmpty();
  }

  void delete(RunHistory history) {
    byId.remove(history.run.id);
    history.everyJob().forEach(job -> jobByRestId.remove(job.restId));
  }

  Optional<RunHistory> find(long id) {
    return Optional.ofNullable(byId.get(id));
  }

  Optional<Job> job(long restId) {
    return Optional.ofNullable(jobByRestId.get(restId));
  }

  List<RunHistory> all() {
    return List.copyOf(byId.values());
  }
}
