package dev.runnerset.simulator.service;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Submits jobs, sets faults, and reads what happened. Thread-safe; nothing here blocks. */
public final class Control {
  private final Service service;
  private final ServiceState state;
  private final RunControl runs;

  Control(Service service) {
    this.service = service;
    this.state = service.state;
    this.runs = new RunControl(service);
  }

  /**
   * Submits the jobs, each one in a run of its own; their ids in order. With delay or spread they
   * are queued later.
   */
  public List<UUID> submit(JobRequest request) {
    return state.enter(
        now -> service.runs.submit(request, now).stream().map(job -> job.id).toList());
  }

  /** Runs of workflows, and what the REST API lets be done with them. */
  public RunControl runs() {
    return runs;
  }

  /** Cancels a job; false if it is unknown or has ended. */
  public boolean cancel(UUID id) {
    return state.enter(now -> {
      var job = state.jobs.get(id);
      return job != null && service.flow.cancel(job, now);
    });
  }

  /** All jobs, in the order of submission. */
  public List<JobView> jobs() {
    return state.enter(now -> state.jobs.values().stream().map(JobView::of).toList());
  }

  public JobCounts jobCounts() {
    return state.enter(now -> {
      int queued = 0;
      int assigned = 0;
      int running = 0;
      int completed = 0;
      int lost = 0;
      for (var job : state.jobs.values()) {
        lost += job.lost ? 1 : 0;
        switch (job.state) {
          case SUBMITTED, QUEUED -> queued++;
          case ACQUIRED, ASSIGNED, OFFERED -> assigned++;
          case RUNNING -> running++;
          case COMPLETED -> completed++;
        }
      }
      return new JobCounts(state.jobs.size(), queued, assigned, running, completed, lost);
    });
  }

  /** Every registration. */
  public List<RunnerView> runners() {
    return state.enter(now -> service.runners.all().stream().map(RunnerView::of).toList());
  }

  /** Every scale set. */
  public List<ScaleSetView> scaleSets() {
    return state.enter(now ->
        state.sets.values().stream()
            .map(set -> {
              var session = set.session;
              return new ScaleSetView(
                  set.id,
                  set.scope.path(),
                  set.name,
                  set.groupId,
                  set.labelList(),
                  set.capacity,
                  session != null && session.isLive(now) ? session.id.toString() : null,
                  set.queue.backlog(),
                  state.statistics(set));
            })
            .toList());
  }

  /**
   * How often each endpoint was called, by the names of {@link Endpoint}; with a status appended
   * ({@code removeRunner.400}) the refusals; {@code removeRunner.useless}, {@code .removed} and
   * {@code .unknown} by outcome.
   */
  public Map<String, Long> counters() {
    return state.counters.snapshot();
  }

  /** When removal was asked for, by runner. */
  public Map<String, List<Instant>> removeRequests() {
    return state.enter(now -> state.removals.byRunner());
  }

  /** What was violated so far, oldest first. */
  public List<Violation> violations() {
    return state.violations.all();
  }

  /**
   * Registrations older than {@code age} that are offline, as violations; not recorded. Meant for
   * the end, when every runner should have ended with its job or been removed.
   */
  public List<Violation> leaks(Duration age) {
    return state.enter(now ->
        service.runners.all().stream()
            .filter(r -> !r.foreign && r.state == Runner.State.OFFLINE)
            .filter(r -> !r.created.isAfter(now.minus(age)))
            .map(r ->
                new Violation(
                    now,
                    Violation.Kind.REGISTRATION_LEAKED,
                    r.name,
                    r.sessions == 0 ? "never connected" : "its runner is gone"))
            .toList());
  }

  public FaultPlan faults() {
    return state.faults.plan();
  }

  /** Replaces all faults; {@link FaultPlan#NONE} turns them off. */
  public void faults(FaultPlan plan) {
    state.faults.set(plan);
  }

  /**
   * Registers a runner that is not the set's own doing; its removal is a violation.
   *
   * @throws IllegalArgumentException if the set is unknown or the name taken
   */
  public RunnerView registerForeign(int scaleSetId, String name) {
    return state.enter(now -> {
      var set = state.sets.get(scaleSetId);
      if (set == null || service.runners.byName(set.scope, name).isPresent()) {
        throw new IllegalArgumentException("no such set, or the name is taken");
      }
      return RunnerView.of(service.runners.register(name, set, 0, true, now));
    });
  }

  /**
   * Makes a scale set that is not ours, as another cluster or another product does.
   *
   * @param owner an organisation, or {@code owner/repository}
   * @return its id
   */
  public int createForeignScaleSet(String owner, String name) {
    return state.enter(now -> service.sets.add(new Scope(owner), name, now).id);
  }

  /**
   * Another listener takes the session of a scale set, and keeps it until {@link #freeSession}; a
   * session that was open has ended.
   */
  public void holdSession(int scaleSetId, String owner) {
    state.enter(now -> {
      var set = Objects.requireNonNull(state.sets.get(scaleSetId), "no such scale set");
      if (set.session != null) {
        set.session.closed = true;
      }
      var lease = state.options.timings().sessionLease();
      set.session = new Session(state.ids.get(), owner, set, now, lease);
      set.session.pollBegins(now);
      set.look();
      return true;
    });
  }

  /**
   * A version of the runner is released, or its dates change (protocol 3.16).
   *
   * @param jobsUntil from then on its runners get no job; null for no date
   * @param registersUntil from then on it cannot register; null for no date
   */
  public void runnerVersion(
      String version, @Nullable Instant jobsUntil, @Nullable Instant registersUntil) {
    state.enter(now -> {
      state.versions.release(version, new ReleasedVersions.Dates(jobsUntil, registersUntil));
      return true;
    });
  }

  /** The session of a scale set ends, whoever has it. */
  public void freeSession(int scaleSetId) {
    state.enter(now -> {
      var set = state.sets.get(scaleSetId);
      if (set != null) {
        set.endSession();
      }
      return true;
    });
  }

  /**
   * The server is upgraded, or moved: sessions end, and ids of messages begin again. Scale sets,
   * registrations and jobs stay.
   */
  public void flavour(Flavour value) {
    state.enter(now -> {
      state.flavour(value);
      for (var set : state.sets.values()) {
        set.endSession();
        set.queue.restart(value.firstMessageId());
        service.flow.announceAll(set);
      }
      return true;
    });
  }

  /** Which of several scale sets gets a job from now on. */
  public void assignOrder(AssignOrder value) {
    state.enter(now -> {
      state.assignOrder = value;
      return true;
    });
  }

  /** Every token of a controller or listener ends before its time; runners keep theirs. */
  public void endTokens() {
    state.enter(now -> {
      service.endTokens();
      return true;
    });
  }

  /**
   * The server is as it was before its first use, or another one stands behind the URL: what was
   * made is gone, with all sessions and tokens, and its ids are given again. Jobs stay, as they
   * come from another part of the service.
   */
  public void restore() {
    state.enter(now -> {
      List.copyOf(state.sets.values()).forEach(set -> service.sets.remove(set, now));
      state.numberAgain();
      service.endTokens();
      return true;
    });
  }

  /** Deletes a scale set, as an administrator does in the service's own pages. */
  public boolean deleteScaleSet(int id) {
    return state.enter(now -> {
      var set = state.sets.get(id);
      if (set != null) {
        service.sets.remove(set, now);
      }
      return set != null;
    });
  }

  /** Lets due events happen; for tests with a clock of their own. */
  public void tick() {
    state.tick();
  }
}
