package dev.runnerset.simulator.service;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Moves jobs through their states (protocol 7.2): queued, assigned to a set up to its capacity or
 * acquired by it, offered to an idle runner, running, completed. Guarded by the {@link
 * ServiceState}.
 */
final class JobFlow {
  /** Rounds of assignment before a job that no runner takes fails (protocol 4.3). */
  static final int MAX_ROUNDS = 4;

  /** The counter of jobs for which no scale set had room when they came. */
  private static final String WITHOUT_ROOM = "jobs.withoutRoom";

  private final ServiceState state;
  private final RunnerRegistry runners;

  JobFlow(ServiceState state, RunnerRegistry runners) {
    this.state = state;
    this.runners = runners;
  }

  /** Queues the job after that time; with no wait the scale sets are to be filled next. */
  void submit(Job job, Duration wait, Instant now) {
    if (wait.isZero()) {
      queue(job, now);
    } else {
      state.agenda.at(now.plus(wait), due -> requeue(job, due));
    }
  }

  void queue(Job job, Instant now) {
    job.state = Job.State.QUEUED;
    if (job.queued == null) {
      job.queued = now;
    }
    state.waiting.add(job);
    job.offeredTo.clear();
    if (state.flavour() == Flavour.LEGACY) {
      state.sets.values().stream()
          .filter(set -> WaitingJobs.matches(set, job))
          .forEach(set -> announce(job, set));
    }
  }

  /** Offers the set the waiting jobs that it was not offered yet; a broker offers none. */
  void announceAll(ScaleSet set) {
    if (state.flavour() == Flavour.LEGACY) {
      state.waiting.all(set).forEach(job -> announce(job, set));
    }
  }

  private void announce(Job job, ScaleSet set) {
    if (job.offeredTo.add(set)) {
      state.emit(set, job, "JobAvailable");
    }
  }

  /**
   * Gives the set the jobs of these numbers that nobody has; the jobs it won (protocol 3.12). They
   * are assigned after a delay.
   */
  List<Job> acquire(ScaleSet set, List<Long> numbers, Instant now) {
    var rules = state.faults.plan().legacy();
    var won =
        numbers.stream()
            .distinct()
            .flatMap(number -> state.waiting.find(set, number).stream())
            .filter(job -> state.faults.hits(rules.won()))
            .toList();
    for (var job : won) {
      state.waiting.remove(job);
      job.state = Job.State.ACQUIRED;
      job.set = set;
      set.acquired.add(job);
      if (rules.assignDelay().isZero()) {
        assignAcquired(job, set, now);
      } else {
        state.agenda.at(now.plus(rules.assignDelay()), due -> assignAcquired(job, set, due));
      }
    }
    state.sets.values().forEach(state::changed);
    return won;
  }

  private void assignAcquired(Job job, ScaleSet set, Instant now) {
    if (set.acquired.remove(job)) {
      assign(job, set, now);
      handOut(set, now);
      state.changed(set);
    }
  }

  /** Fills every set in the order of the service; to be called after jobs were queued. */
  void fillAll(Instant now) {
    if (state.assignOrder != AssignOrder.OLDEST_SET && state.flavour() == Flavour.BROKER) {
      for (var set = next(now); set.isPresent(); set = next(now)) {
        assign(state.waiting.next(set.get()).orElseThrow(), set.get(), now);
      }
    }
    state.sets.values().forEach(set -> fill(set, now));
  }

  /** The set that gets the next job. */
  private Optional<ScaleSet> next(Instant now) {
    var sets =
        state.sets.values().stream()
            .filter(set -> set.mayTakeMore(now) && state.waiting.count(set) > 0)
            .toList();
    if (sets.isEmpty()) {
      return Optional.empty();
    }
    return state.assignOrder == AssignOrder.RANDOM
        ? Optional.of(sets.get(state.faults.oneOf(sets.size())))
        : sets.stream().max(Comparator.comparingInt(ScaleSet::room));
  }

  /** Counts the jobs that wait although a set with a session could run them. */
  void countWithoutRoom(Collection<Job> jobs, Instant now) {
    for (var job : jobs) {
      if (job.state == Job.State.QUEUED
          && state.sets.values().stream()
              .anyMatch(set -> set.isLive(now) && WaitingJobs.matches(set, job))) {
        state.counters.count(WITHOUT_ROOM);
      }
    }
  }

  /**
   * Assigns queued jobs to the set up to the capacity it last advertised (protocol 4.6); in the
   * legacy flavour the capacity limits nothing, and what the set has acquired is assigned.
   */
  void fill(ScaleSet set, Instant now) {
    while (state.flavour() == Flavour.BROKER && set.mayTakeMore(now)) {
      var job = state.waiting.next(set);
      if (job.isEmpty()) {
        break;
      }
      assign(job.get(), set, now);
    }
    handOut(set, now);
    state.changed(set);
  }

  private void assign(Job job, ScaleSet set, Instant now) {
    job.state = Job.State.ASSIGNED;
    job.set = set;
    job.assigned = now;
    if (job.run.repository == null) {
      job.run.repository = state.repositories.named(set.scope.someRepository());
    }
    int attempt = ++job.attempt;
    set.assigned++;
    set.toRun.add(job);
    state.emit(set, job, "JobAssigned");
    state.agenda.at(now.plus(Timings.TAKE), due -> takeBack(job, attempt, due));
  }

  private void takeBack(Job job, int attempt, Instant now) {
    var set = job.set;
    if (set == null || job.attempt != attempt || job.state != Job.State.ASSIGNED) {
      return;
    }
    job.result = "canceled";
    job.completed = now;
    state.emit(set, job, "JobCompleted");
    job.result = "";
    job.completed = null;
    leave(job, set);
    if (attempt >= MAX_ROUNDS) {
      finish(job, "failed", now);
    } else {
      job.state = Job.State.SUBMITTED;
      var again = now.plus(Timings.REQUEUE_DELAY.multipliedBy(attempt));
      state.agenda.at(again, due -> requeue(job, due));
    }
    state.changed(set);
  }

  private void requeue(Job job, Instant now) {
    if (job.state == Job.State.SUBMITTED) {
      queue(job, now);
      fillAll(now);
    }
  }

  /**
   * Puts jobs that were acquired, or assigned and not taken, into the queue: their set is going.
   */
  void release(ScaleSet set, Instant now) {
    for (var job : Stream.concat(set.acquired.stream(), set.toRun.stream()).toList()) {
      leave(job, set);
      queue(job, now);
    }
  }

  private static void forget(Job job, ScaleSet set) {
    if (!set.acquired.remove(job)) {
      set.assigned--;
      set.toRun.remove(job);
    }
  }

  private static void leave(Job job, ScaleSet set) {
    forget(job, set);
    job.set = null;
    job.assigned = null;
  }

  /** Offers waiting jobs to runners whose poll is parked, longest waiting first. */
  void handOut(ScaleSet set, Instant now) {
    while (!set.toRun.isEmpty()) {
      var served = set.parked.stream().filter(r -> getsJobs(r, now)).findFirst();
      if (served.isEmpty()) {
        return;
      }
      offer(set.toRun.iterator().next(), served.get(), now);
      served.get().look();
    }
  }

  /** Gives the runner that has come to poll a waiting job, if there is one. */
  void offerTo(Runner runner, Instant now) {
    if (runner.state == Runner.State.IDLE && !runner.set.toRun.isEmpty() && getsJobs(runner, now)) {
      offer(runner.set.toRun.iterator().next(), runner, now);
      state.changed(runner.set);
    }
  }

  /** A runner of a version that is past its date is online, and gets nothing (protocol 3.16). */
  private boolean getsJobs(Runner runner, Instant now) {
    return state.versions.getsJobs(runner.version, now);
  }

  private void offer(Job job, Runner runner, Instant now) {
    runner.set.toRun.remove(job);
    runner.set.parked.remove(runner);
    job.state = Job.State.OFFERED;
    job.runner = runner;
    runner.job = job;
    int offer = ++job.offer;
    runners.move(runner, Runner.State.OFFERED);
    state.agenda.at(
        now.plus(Timings.OFFER),
        due -> {
          if (job.offer == offer && job.state == Job.State.OFFERED && job.runner == runner) {
            withdraw(job, runner, due);
            runners.move(
                runner, runner.sessionId == null ? Runner.State.OFFLINE : Runner.State.IDLE);
            handOut(runner.set, due);
          }
        });
  }

  /** Takes the offer back; the job waits for another runner. */
  void withdraw(Job job, Runner runner, Instant now) {
    job.runner = null;
    runner.job = null;
    job.state = Job.State.ASSIGNED;
    runner.set.toRun.add(job);
    int attempt = job.attempt;
    state.agenda.at(now.plus(Timings.TAKE), due -> takeBack(job, attempt, due));
  }

  /** The runner has acquired the job offered to it. */
  void start(Job job, Runner runner, Instant now) {
    job.state = Job.State.RUNNING;
    job.started = now;
    job.runnerId = runner.id;
    job.runnerName = runner.name;
    job.planId = state.ids.get().toString();
    job.lockedUntil = now.plus(state.options.timings().runLease());
    runner.set.running++;
    runners.move(runner, Runner.State.BUSY);
    state.emit(runner.set, job, "JobStarted");
    state.agenda.at(job.lockedUntil, due -> checkLease(job, runner, due));
  }

  private void checkLease(Job job, Runner runner, Instant now) {
    var until = job.lockedUntil;
    if (job.state != Job.State.RUNNING || until == null) {
      return;
    }
    if (now.isBefore(until)) {
      state.agenda.at(until, due -> checkLease(job, runner, due));
      return;
    }
    kill(job, runner, "failed", "its runner stopped renewing the job", now);
  }

  /** The job ends because its runner went away. */
  void kill(Job job, Runner runner, String result, String why, Instant now) {
    job.lost = true;
    state.violations.add(now, Violation.Kind.JOB_KILLED, runner.name, "job " + job.id + ": " + why);
    complete(job, runner, result, now);
  }

  /** The job has ended; the runner's registration goes with it (protocol 7.3). */
  void complete(Job job, Runner runner, String result, Instant now) {
    var set = runner.set;
    set.running--;
    set.assigned--;
    job.runner = null;
    runner.job = null;
    finish(job, result, now);
    var linger = state.faults.plan().linger();
    if (linger.isZero()) {
      runners.remove(runner);
    } else {
      runners.move(runner, Runner.State.LINGERING);
      state.agenda.at(now.plus(linger), due -> runners.remove(runner));
    }
    state.emit(set, job, "JobCompleted");
    fill(set, now);
  }

  /** Cancels a job that has not ended; false if it has. */
  boolean cancel(Job job, Instant now) {
    var set = job.set;
    var runner = job.runner;
    switch (job.state) {
      case COMPLETED -> {
        return false;
      }
      case SUBMITTED -> finish(job, "canceled", now);
      case QUEUED -> {
        state.waiting.remove(job);
        finish(job, "canceled", now);
      }
      case ACQUIRED, ASSIGNED, OFFERED -> cancelAssigned(job, set, runner, now);
      case RUNNING -> {
        if (runner != null) {
          complete(job, runner, "canceled", now);
        }
      }
    }
    return true;
  }

  private void cancelAssigned(
      Job job, @Nullable ScaleSet set, @Nullable Runner runner, Instant now) {
    if (runner != null) {
      withdraw(job, runner, now);
      runners.move(runner, Runner.State.IDLE);
    }
    finish(job, "canceled", now);
    if (set != null) {
      state.emit(set, job, "JobCompleted");
      forget(job, set);
      fill(set, now);
    }
  }

  private static void finish(Job job, String result, Instant now) {
    job.state = Job.State.COMPLETED;
    job.result = result;
    job.completed = now;
  }
}
