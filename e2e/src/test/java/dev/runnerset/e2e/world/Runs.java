package dev.runnerset.e2e.world;

import dev.runnerset.actions.RepositoryName;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.RunnerReference;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.actions.WorkflowJob;
import dev.runnerset.actions.WorkflowRun;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The workflow runs of one repository: the executions of their jobs, how these ended, and what runs
 * again. Refuses as GitHub does (protocol 3.17).
 */
final class Runs {
  static final RepositoryName REPOSITORY = new RepositoryName("acme", "app");
  private static final int MOST_JOBS = 3;

  /** One execution of a job. One that does not run again belongs to later attempts, too. */
  static final class Execution {
    final long id;
    final String name;
    final int attempt;
    final Run run;
    private final Service.Job job;
    RunnerReference runner;
    String conclusion = "";
    private Instant completedAt;

    /** Its runner was gone before it was over. */
    boolean lost;

    private Execution(long id, String name, Run run, Service.Job job) {
      this.id = id;
      this.name = name;
      this.attempt = run.attempt;
      this.run = run;
      this.job = job;
    }

    boolean isOver() {
      return !conclusion.isEmpty();
    }

    /** Whether "re-run failed jobs" runs it again. */
    boolean hasFailed() {
      return conclusion.equals("failure") || conclusion.equals("cancelled");
    }

    @Override
    public String toString() {
      return "%s of %s, attempt %d, %s".formatted(name, run, attempt, conclusion);
    }
  }

  /** A run, in its present attempt. */
  static final class Run {
    final long id;
    int attempt = 1;
    final List<Execution> executions = new ArrayList<>();
    boolean completed;

    /** A person cancelled the present attempt. */
    boolean cancelled;

    /** Whether its workflow is still there, so that it may run again. */
    private final boolean hasWorkflow;

    private Run(long id, boolean hasWorkflow) {
      this.id = id;
      this.hasWorkflow = hasWorkflow;
    }

    /** What the present attempt has: of each job, the newest execution. */
    Collection<Execution> present() {
      var byName = new TreeMap<String, Execution>();
      executions.forEach(each -> byName.put(each.name, each));
      return byName.values();
    }

    private String conclusion() {
      var words = present().stream().map(each -> each.conclusion).toList();
      return cancelled
          ? "cancelled"
          : Stream.of("failure", "cancelled").filter(words::contains).findFirst().orElse("success");
    }

    @Override
    public String toString() {
      return "run " + id;
    }
  }

  private final World world;
  private final Map<Long, Run> byId = new TreeMap<>();
  private final Map<Service.Job, Execution> byJob = new HashMap<>();
  private Run last;
  private long nextRun = 17_000_000_001L;
  private long nextExecution = 48_000_000_001L;

  Runs(World world) {
    this.world = world;
  }

  // --- jobs

  /** A job of a new run, or one more of the last one. */
  void submitted(Service.Job job) {
    boolean joins =
        last != null
            && !last.completed
            && !last.cancelled
            && last.attempt == 1
            && last.executions.size() < MOST_JOBS
            && world.chance.oneIn(2);
    if (!joins) {
      last = new Run(nextRun++, !world.chance.oneIn(12));
      byId.put(last.id, last);
    }
    execute(last, "job-" + last.executions.size(), job);
  }

  private void execute(Run run, String name, Service.Job job) {
    var execution = new Execution(nextExecution++, name, run, job);
    run.executions.add(execution);
    byJob.put(job, execution);
    world.trace.say("service", job + " is " + name + " of " + run + ", attempt " + run.attempt);
  }

  long runOf(Service.Job job) {
    return byJob.get(job).run.id;
  }

  void started(Service.Job job, RunnerReference runner) {
    byJob.get(job).runner = runner;
  }

  void lost(Service.Job job) {
    byJob.get(job).lost = true;
  }

  /** Whether a person cancelled it. */
  boolean isCancelled(Service.Job job) {
    var execution = byJob.get(job);
    return execution.run.cancelled && execution.run.attempt == execution.attempt;
  }

  /** A job is over. Its run is, a little later, when all are. */
  void ended(Service.Job job, String result) {
    var execution = byJob.get(job);
    execution.conclusion =
        switch (result) {
          case "succeeded" -> "success";
          case "canceled" -> "cancelled";
          default -> "failure";
        };
    execution.completedAt = world.time.instant().truncatedTo(ChronoUnit.SECONDS);
    var run = execution.run;
    world.time.in(world.chance.millis(100, world.clean ? 300 : 5_000), () -> mayBeOver(run));
  }

  private void mayBeOver(Run run) {
    if (!run.completed && run.present().stream().allMatch(Execution::isOver)) {
      run.completed = true;
      world.trace.say("service", "%s is over: %s".formatted(run, run.conclusion()));
      if (world.losesJobs && world.chance.oneIn(8)) {
        world.users.runsAgainSoon(run);
      }
    }
  }

  // --- what people do

  List<Run> all(Predicate<Run> which) {
    return byId.values().stream().filter(which).toList();
  }

  /** The execution on the runner of that name; null for none. */
  Execution on(String runner) {
    return byJob.values().stream()
        .filter(each -> each.runner != null && each.runner.name().equals(runner))
        .findFirst()
        .orElse(null);
  }

  /** A person cancels the run of a job. */
  void cancel(Service.Job job) {
    cancel(byJob.get(job).run);
  }

  void cancel(Run run) {
    world.trace.say("user", "cancels " + run);
    run.cancelled = true;
    List.copyOf(run.present()).stream()
        .filter(each -> !each.isOver())
        .forEach(each -> world.service.cancel(each.job));
  }

  void delete(Run run) {
    world.trace.say("user", "deletes " + run);
    byId.remove(run.id);
  }

  // --- what the REST API answers

  Optional<WorkflowRun> read(RepositoryName repository, long run) {
    return Optional.ofNullable(byId.get(run))
        .filter(_ -> repository.equals(REPOSITORY))
        .map(found ->
            new WorkflowRun(
                REPOSITORY,
                found.attempt,
                found.completed,
                found.completed ? found.conclusion() : ""));
  }

  Optional<List<WorkflowJob>> jobs(RepositoryName repository, long run) {
    return Optional.of(
        found(repository, byId.get(run)).executions.stream().map(Runs::view).toList());
  }

  private static WorkflowJob view(Execution of) {
    var runner =
        of.runner == null
            ? new WorkflowJob.Runner(new RunnerId(0), "")
            : new WorkflowJob.Runner(of.runner.id(), of.runner.name());
    return new WorkflowJob(of.id, of.name, of.attempt, runner, of.conclusion, of.completedAt);
  }

  /** Somebody asks for the jobs that failed or were cancelled. */
  void rerunFailedJobs(RepositoryName repository, long id, boolean byHand) {
    var run = found(repository, byId.get(id));
    again(run, run.present().stream().filter(Execution::hasFailed).toList(), null, byHand);
  }

  /** Somebody asks for one job. */
  void rerunJob(RepositoryName repository, long id, boolean byHand) {
    var execution =
        byId.values().stream()
            .flatMap(run -> run.executions.stream())
            .filter(each -> each.id == id)
            .findFirst()
            .orElse(null);
    var run = found(repository, execution == null ? null : execution.run);
    if (!run.present().contains(execution)) {
      throw refused(run, "Only jobs from the current attempt can be re-run");
    }
    again(run, List.of(execution), execution, byHand);
  }

  private void again(Run run, List<Execution> which, Execution only, boolean byHand) {
    if (!byHand) {
      world.rules.reruns.asked(run, only);
    }
    if (!run.completed) {
      throw refused(run, "This workflow is already running");
    }
    if (which.isEmpty() || !run.hasWorkflow) {
      throw refused(run, "This workflow run cannot be retried");
    }
    if (!byHand) {
      world.rules.reruns.granted(run, only);
    }
    run.attempt++;
    run.completed = false;
    run.cancelled = false;
    for (var each : which.stream().sorted(Comparator.comparing(one -> one.id)).toList()) {
      var job = world.users.job(each.job.millis);
      execute(run, each.name, job);
      world.queue(job);
    }
  }

  private static Run found(RepositoryName repository, Run run) {
    if (run == null || !repository.equals(REPOSITORY)) {
      throw new ServiceException(new ServiceError.NotFound(details(404, "Not Found")));
    }
    return run;
  }

  private ServiceException refused(Run run, String words) {
    world.trace.say("service", "does not run " + run + " again: " + words);
    return new ServiceException(new ServiceError.Forbidden(details(403, words)));
  }

  private static ServiceError.Details details(int status, String words) {
    return new ServiceError.Details("POST rerun", status, "", words, "", "");
  }
}
