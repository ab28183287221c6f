package dev.runnerset.simulator.service;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Queues runs of workflows and does with them what people do. Thread-safe; nothing here blocks. A
 * run that does not exist is an {@link IllegalArgumentException}.
 */
public final class RunControl {
  private static final String PERSON = "person";
  private final Service service;
  private final ServiceState state;

  RunControl(Service service) {
    this.service = service;
    this.state = service.state;
  }

  /**
   * Queues one run with these jobs; no job needs another one.
   *
   * @param repository {@code owner/name}, in place of the jobs' own
   * @param jobs a request for several has its jobs numbered by name
   * @return the run's number
   */
  public long queue(String repository, List<JobRequest> jobs) {
    if (jobs.isEmpty() || !new Scope(repository).isRepository()) {
      throw new IllegalArgumentException("a run needs a repository OWNER/NAME, and jobs");
    }
    return state.enter(now -> service.runs.queue(repository, jobs, now).run.id);
  }

  /**
   * The repository has a workflow that can be dispatched, with the inputs of {@code
   * .github/workflows/real-service-jobs.yml}.
   *
   * @param repository {@code owner/name}
   * @param file its name in {@code .github/workflows}
   */
  public void workflow(String repository, String file) {
    if (file.isEmpty() || !new Scope(repository).isRepository()) {
      throw new IllegalArgumentException("a workflow needs a repository OWNER/NAME, and a file");
    }
    change(now -> state.repositories.named(repository).workflows.add(file));
  }

  /** Every run, in the order of queueing; jobs that are submitted alone have a run, too. */
  public List<RunView> all() {
    return state.enter(now -> {
      var lag = state.faults.plan().runLag();
      return service.runs.all().stream().map(run -> RunView.of(run, now, lag)).toList();
    });
  }

  /** One run. */
  public RunView get(long run) {
    return state.enter(now -> RunView.of(find(run), now, state.faults.plan().runLag()));
  }

  /** The reruns that were granted, oldest first. */
  public List<RerunView> reruns() {
    return state.enter(now -> service.reruns.done());
  }

  /** A person cancels the run; false if it has ended. */
  public boolean cancel(long run) {
    return state.enter(now -> service.runs.cancel(find(run), now));
  }

  /** A person runs the failed jobs again; the refusal in the service's words, or empty. */
  public Optional<String> rerunFailedJobs(long run) {
    return state.enter(now -> service.reruns.failedJobs(find(run), PERSON, now));
  }

  /** A person runs every job again; the refusal in the service's words, or empty. */
  public Optional<String> rerun(long run) {
    return state.enter(now -> service.reruns.everyJob(find(run), PERSON, now));
  }

  /** The run was created so long before now. */
  public void age(long run, Duration age) {
    change(now -> find(run).run.created = now.minus(age));
  }

  /** The run is of a pull request from that fork, {@code owner/name}. */
  public void fork(long run, String repository) {
    change(now -> find(run).run.fork = repository);
  }

  /** A person deletes the run: nobody sees it any more. */
  public void delete(long run) {
    change(now -> service.runs.delete(find(run)));
  }

  /** The workflow of the run is deleted: the run is seen, and cannot run again. */
  public void deleteWorkflow(long run) {
    change(now -> find(run).run.withoutWorkflow = true);
  }

  /** The repository gets another owner or name; the former one redirects. */
  public void moveRepository(String from, String to) {
    change(now -> state.repositories.move(from, to));
  }

  /** The repository is gone, with its runs. */
  public void deleteRepository(String name) {
    change(now -> state.repositories.delete(name));
  }

  /**
   * What installation tokens may do that are issued from now on; by default nothing about runs.
   *
   * @param permissions {@code read} or {@code write}, by name, as {@code actions}
   */
  public void appPermissions(Map<String, String> permissions) {
    change(now -> service.rest.permissions(permissions));
  }

  /** Which repositories installation tokens of from now on are good for; empty for all. */
  public void appRepositories(Set<String> names) {
    change(now -> service.rest.repositories(names));
  }

  /** The scopes of the users' tokens; without {@code repo} no run is seen. */
  public void tokenScopes(Set<String> scopes) {
    change(now -> service.rest.scopes(scopes));
  }

  private interface Change {
    void at(Instant now);
  }

  private void change(Change change) {
    state.enter(now -> {
      change.at(now);
      return true;
    });
  }

  private RunHistory find(long run) {
    return service
        .runs
        .find(run)
        .orElseThrow(() -> new IllegalArgumentException("there is no run " + run));
  }
}
