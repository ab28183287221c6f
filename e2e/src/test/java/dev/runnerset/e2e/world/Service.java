package dev.runnerset.e2e.world;

import dev.runnerset.actions.JobDescription;
import dev.runnerset.actions.JobEvent;
import dev.runnerset.actions.NewScaleSet;
import dev.runnerset.actions.RemoveRunnerResult;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.RunnerList;
import dev.runnerset.actions.RunnerReference;
import dev.runnerset.actions.ScaleSet;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.Statistics;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The Actions service: scale sets, registrations, and jobs, which all of our sets may run. It
 * assigns them by itself, or offers them to be acquired (protocol 0), then to the only set.
 */
final class Service {
  /** A registration; a runner is online once its container has connected. */
  static final class Registration {
    final RunnerReference reference;
    final boolean foreign;
    boolean online;
    Job job;

    Registration(RunnerReference reference, boolean foreign) {
      this.reference = reference;
      this.foreign = foreign;
    }
  }

  /** A job, from its submission to its end. */
  static final class Job {
    final int number;
    final long millis;

    /** What its runner says at its end. */
    final String result;

    boolean started;
    boolean over;
    boolean lost;

    Job(int number, long millis, String result) {
      this.number = number;
      this.millis = millis;
      this.result = result;
    }

    @Override
    public String toString() {
      return "job " + number;
    }
  }

  private final World world;
  final Map<Long, Registration> registrations = new TreeMap<>();
  final Map<Integer, ScaleSet> scaleSets = new TreeMap<>();
  private final List<SetQueue> queues = new ArrayList<>();
  private final Deque<Job> available = new ArrayDeque<>();
  private final Set<String> names = new HashSet<>();
  private long nextRunner = 100;
  private int nextScaleSet = 1;
  boolean legacy;
  private int sessions;
  boolean down;
  int lateNews;

  Service(World world, boolean legacy) {
    this.world = world;
    this.legacy = legacy;
    for (var set : world.sets) {
      queues.add(new SetQueue(world, this, set.name(), queues.size()));
    }
  }

  // --- scale sets of ours

  /** The queue of the scale set; what is not ours has none, and gets the first one. */
  SetQueue queue(ScaleSetId id) {
    var set = scaleSets.get(id.value());
    return queues.stream()
        .filter(queue -> set != null && queue.name.equals(set.name()))
        .findFirst()
        .orElse(first());
  }

  SetQueue queue(String name) {
    return queues.stream().filter(queue -> queue.name.equals(name)).findFirst().orElseThrow();
  }

  /** The only queue where jobs are offered. */
  private SetQueue first() {
    return queues.getFirst();
  }

  /** The queue of the open session; null if that is lost. */
  SetQueue open(String session) {
    return queues.stream().filter(queue -> queue.isOpen(session)).findFirst().orElse(null);
  }

  /** Our registrations of a scale set. */
  List<Registration> of(SetQueue queue) {
    return registrations.values().stream()
        .filter(r -> !r.foreign && queue(r.reference.scaleSetId()) == queue)
        .toList();
  }

  /** How many jobs wait for any set. */
  int available() {
    return available.size();
  }

  /** A poll is cancelled. */
  void giveUp(Object poll) {
    queues.forEach(queue -> queue.giveUp(poll));
  }

  /** Whether a message with news of jobs waits. */
  boolean hasNews() {
    return queues.stream()
        .flatMap(queue -> queue.messages.values().stream())
        .anyMatch(message -> !message.events().isEmpty());
  }

  private void changed() {
    queues.forEach(SetQueue::changed);
  }

  // --- jobs

  void submit(Job job) {
    world.trace.say("service", job + " is submitted");
    available.add(job);
    if (legacy) {
      offer(job);
    }
    fill();
  }

  private void offer(Job job) {
    first().news.add(new JobEvent.JobAvailable(describe(job)));
    if (world.chance.fault(20)) {
      world.time.in(
          world.chance.millis(10, 20_000),
          () -> {
            if (available.remove(job)) {
              world.trace.say("service", "gives " + job + " to another set");
              job.over = true;
              world.runs.ended(job, job.result);
              changed();
            }
          });
    }
  }

  /**
   * The server is upgraded, or restored: messages that wait get new ids, as small as the first
   * ones.
   */
  void changesFlavour() {
    legacy = !legacy;
    world.trace.say("service", legacy ? "offers jobs from now on" : "assigns jobs from now on");
    queues.forEach(SetQueue::renumber);
    world.rules.renumbered();
    if (legacy) {
      available.forEach(this::offer);
    }
    fill();
  }

  /** The jobs that are offered now. */
  List<JobDescription> offers() {
    return legacy ? available.stream().map(this::describe).toList() : List.of();
  }

  /** Gives jobs to our set, if they are still offered; those that it got. */
  Set<Long> acquire(List<Long> ids, int places) {
    var won = new HashSet<Long>();
    var queue = first();
    for (var job : List.copyOf(available)) {
      if (legacy && ids.contains((long) job.number)) {
        available.remove(job);
        queue.acquired.add(job);
        won.add((long) job.number);
        queue.everWon++;
        world.time.in(world.chance.millis(5, world.clean ? 60 : 4_000), () -> assign(job));
      }
    }
    int taken = queue.taken();
    if (!won.isEmpty() && taken > Math.max(queue.capacity, places) && !queue.acquiredUnknown) {
      throw world.violated("DM11", "the set has " + taken + " jobs, acquired beyond its places");
    }
    changed();
    return won;
  }

  private void assign(Job job) {
    var queue = first();
    if (queue.acquired.remove(job)) {
      queue.assigned.add(job);
      queue.news.add(new JobEvent.JobAssigned(describe(job)));
      handOut();
      changed();
    }
  }

  /** A job that waits is taken back by its user, with its run. */
  void cancelWaiting() {
    Stream.concat(
            Stream.of(available),
            queues.stream().flatMap(queue -> Stream.of(queue.acquired, queue.assigned)))
        .filter(from -> !from.isEmpty())
        .findFirst()
        .ifPresent(from -> world.runs.cancel(from.peekLast()));
  }

  /** One that waits ends at once, one that runs when its runner has stopped it. */
  void cancel(Job job) {
    if (available.remove(job)
        || queues.stream()
            .anyMatch(queue -> queue.acquired.remove(job) || queue.assigned.remove(job))) {
      if (legacy) {
        first().news.add(new JobEvent.JobCompleted(describe(job), "canceled", new RunnerId(0), ""));
      }
      job.over = true;
      world.runs.ended(job, "canceled");
      changed();
    }
    for (var registration : registrations.values()) {
      if (registration.job == job) {
        world.time.in(
            world.chance.millis(100, 5_000), () -> endsAlive(job, registration, "canceled"));
      }
    }
  }

  /** Gives the jobs that wait to the sets that have places for them. */
  void fill() {
    while (!legacy && !available.isEmpty()) {
      var to =
          world.asked(queues.stream().filter(queue -> queue.taken() < queue.capacity).toList());
      if (to == null) {
        break;
      }
      var job = available.poll();
      to.assigned.add(job);
      to.news.add(new JobEvent.JobAssigned(describe(job)));
      world.assigned(job, to);
    }
    handOut();
    changed();
  }

  private void handOut() {
    for (var registration : registrations.values()) {
      var queue = queue(registration.reference.scaleSetId());
      if (!queue.assigned.isEmpty()
          && registration.online
          && registration.job == null
          && !registration.foreign) {
        start(queue.assigned.poll(), registration, queue);
      }
    }
  }

  private void start(Job job, Registration registration, SetQueue queue) {
    job.started = true;
    registration.job = job;
    queue.running++;
    var reference = registration.reference;
    world.trace.say("service", job + " starts on " + reference.name());
    queue.news.add(new JobEvent.JobStarted(describe(job), reference.id(), reference.name()));
    world.runs.started(job, reference);
    if (world.chance.fault(40)) {
      world.users.deletesSoon(reference.name());
    }
    if (world.losesJobs && world.chance.oneIn(3)) {
      world.node.losesSoon(reference.name());
    }
    world.time.in(job.millis, () -> endsAlive(job, registration, job.result));
  }

  private void endsAlive(Job job, Registration registration, String result) {
    if (!job.lost) {
      ends(job, registration, result);
    }
  }

  private void ends(Job job, Registration registration, String result) {
    if (job.over) {
      return;
    }
    job.over = true;
    world.runs.ended(job, result);
    var reference = registration.reference;
    var queue = queue(reference.scaleSetId());
    queue.running--;
    world.trace.say("service", job + " ends on " + reference.name() + ": " + result);
    registration.job = null;
    registration.online = false;
    var end = new JobEvent.JobCompleted(describe(job), result, reference.id(), reference.name());
    if (world.losesJobs && world.chance.oneIn(8)) { // its message is late, and its pod gone
      world.node.losesNow(reference.name());
      lateNews++;
      world.time.in(
          world.chance.millis(30_000, 120_000),
          () -> {
            lateNews--;
            queue.news.add(end);
            changed();
          });
    } else {
      queue.news.add(end);
    }
    world.rules.agreed(reference.id().value());
    if (world.chance.fault(8)) { // the registration goes a little later
      world.time.in(
          world.chance.millis(100, 8_000), () -> registrations.remove(reference.id().value()));
    } else {
      var _ = registrations.remove(reference.id().value());
    }
    world.node.jobIsOver(reference.id().value());
    fill();
  }

  /** The container of a runner is gone: its job fails after a while, as the service notices. */
  void disconnected(long id) {
    var registration = registrations.get(id);
    if (registration == null) {
      return;
    }
    registration.online = false;
    var job = registration.job;
    if (job != null) {
      job.lost = true;
      world.runs.lost(job);
      boolean late = world.chance.oneIn(4); // there was no word of its end
      var millis =
          late ? world.chance.millis(570_000, 600_000) : world.chance.millis(1_000, 90_000);
      world.time.in(millis, () -> misses(job, registration, late));
    }
    changed();
  }

  /** What was cancelled meanwhile is over only when a runner without a word is missed. */
  private void misses(Job job, Registration registration, boolean late) {
    if (!world.runs.isCancelled(job)) {
      ends(job, registration, "failed");
    } else if (late) {
      ends(job, registration, "canceled");
    } else {
      world.time.in(
          world.chance.millis(120_000, 500_000), () -> ends(job, registration, "canceled"));
    }
  }

  private JobDescription describe(Job job) {
    // the number of a request names a job of the legacy flavour, which may have no id
    var id = legacy && job.number % 2 == 0 ? "" : "job-" + job.number;
    var run = world.runs.runOf(job);
    return new JobDescription(
        legacy ? job.number : 0,
        id,
        Runs.REPOSITORY.toString(),
        "",
        "",
        run,
        "push",
        null,
        null,
        null,
        null);
  }

  // --- registrations

  Registration named(String name) {
    return registrations.values().stream()
        .filter(r -> r.reference.name().equals(name))
        .findFirst()
        .orElse(null);
  }

  Registration register(ScaleSetId id, String name, boolean foreign) {
    if (!names.add(name)) {
      throw world.violated("RN4", "the name " + name + " stands for a second registration");
    }
    var reference = new RunnerReference(new RunnerId(nextRunner++), name, id, null);
    var made = new Registration(reference, foreign);
    registrations.put(reference.id().value(), made);
    changed();
    return made;
  }

  /** Whether the runner connects; if not, its registration is gone. */
  boolean online(long id) {
    var registration = registrations.get(id);
    if (registration == null) {
      return false;
    }
    registration.online = true;
    handOut();
    changed();
    return true;
  }

  RunnerList list() {
    var all =
        registrations.values().stream()
            .map(r -> new RunnerList.Listed(r.reference.id(), r.reference.name(), r.job != null))
            .toList();
    return new RunnerList(all, all.size());
  }

  RemoveRunnerResult remove(RunnerId id, String by) {
    var registration = registrations.get(id.value());
    if (registration == null) {
      return new RemoveRunnerResult.NotFound();
    }
    if (registration.foreign) {
      throw world.violated("I5", by + " removes the registration of another scale set");
    }
    if (registration.job != null) {
      world.rules.refused(registration.reference, by);
      return new RemoveRunnerResult.JobStillRunning();
    }
    world.trace.say("service", "removes " + registration.reference.name());
    registrations.remove(id.value());
    world.rules.agreed(id.value());
    world.node.refusedByService(id.value());
    changed();
    return new RemoveRunnerResult.Removed();
  }

  // --- scale sets

  ScaleSet create(NewScaleSet wanted) {
    var id = new ScaleSetId(nextScaleSet++);
    var made =
        new ScaleSet(
            id,
            wanted.name(),
            wanted.runnerGroupId(),
            wanted.labels(),
            null,
            Instant.parse(world.time.timestamp()),
            null);
    scaleSets.put(id.value(), made);
    return made;
  }

  ScaleSet withStatistics(ScaleSet set) {
    return new ScaleSet(
        set.id(),
        set.name(),
        set.runnerGroupId(),
        set.labels(),
        queue(set.id()).statistics(),
        set.createdOn(),
        queue(set.id()).isHeld());
  }

  /** How many jobs were acquired since the statistics of a message were counted. */
  int wonSince(Statistics counts) {
    return first().wonSince(counts);
  }

  /** Opens a session of the scale set; its id, or empty while another is open. */
  String openSession(ScaleSetId id) {
    var queue = queue(id);
    return queue.isHeld() ? "" : queue.open("session-" + ++sessions);
  }
}
