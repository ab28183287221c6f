package dev.runnerset.e2e.world;

import dev.runnerset.actions.JobDescription;
import dev.runnerset.actions.JobEvent;
import dev.runnerset.actions.NewScaleSet;
import dev.runnerset.actions.PollResult;
import dev.runnerset.actions.PollResult.Message;
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
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The Actions service: scale sets, registrations, jobs, and the message queue of our scale set. It
 * assigns jobs by itself, or offers them to be acquired (protocol 0).
 */
final class Service {
  private static final long SESSION_LIFE = 90_000;
  private static final long POLL = 50_000;

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
  final TreeMap<Long, Message> queue = new TreeMap<>();
  private final Deque<Job> available = new ArrayDeque<>();
  private final Deque<Job> acquired = new ArrayDeque<>();
  private final Deque<Job> assigned = new ArrayDeque<>();
  private final List<JobEvent> news = new ArrayList<>();
  private final Set<String> names = new HashSet<>();
  private int running;
  private int capacity;
  private long nextRunner = 100;
  private int nextScaleSet = 1;
  private int everWon; // jobs that were ever acquired
  private final Map<Statistics, Integer> wonBefore = new IdentityHashMap<>();
  boolean legacy;
  private boolean acquiredUnknown; // to the process that opened the session
  private long messages;
  private boolean flushing;
  private String session = "";
  private int sessions;
  private long lastContact;
  private Consumer<PollResult> parked;
  private long parkedAfter;
  private Object parkedPoll;
  boolean down;
  int lateNews;

  Service(World world, boolean legacy) {
    this.world = world;
    this.legacy = legacy;
    messages = firstMessage();
  }

  private long firstMessage() {
    return legacy ? 0 : 100_000_000;
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
    news.add(new JobEvent.JobAvailable(describe(job)));
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
    messages = firstMessage();
    var waiting = List.copyOf(queue.values());
    queue.clear();
    waiting.forEach(this::add);
    world.rules.renumbered();
    if (legacy) {
      available.forEach(this::offer);
    }
    fill();
  }

  private void add(Message message) {
    messages++;
    queue.put(
        messages,
        new Message(messages, message.statistics(), message.events(), List.of(), message.full()));
  }

  /** The jobs that are offered now. */
  List<JobDescription> offers() {
    return legacy ? available.stream().map(this::describe).toList() : List.of();
  }

  /** Gives jobs to our set, if they are still offered; those that it got. */
  Set<Long> acquire(List<Long> ids, int places) {
    var won = new HashSet<Long>();
    for (var job : List.copyOf(available)) {
      if (legacy && ids.contains((long) job.number)) {
        available.remove(job);
        acquired.add(job);
        won.add((long) job.number);
        everWon++;
        world.time.in(world.chance.millis(5, world.clean ? 60 : 4_000), () -> assign(job));
      }
    }
    int taken = acquired.size() + assigned.size() + running;
    if (!won.isEmpty() && taken > Math.max(capacity, places) && !acquiredUnknown) {
      throw world.violated("DM11", "the set has " + taken + " jobs, acquired beyond its places");
    }
    changed();
    return won;
  }

  private void assign(Job job) {
    if (acquired.remove(job)) {
      assigned.add(job);
      news.add(new JobEvent.JobAssigned(describe(job)));
      handOut();
      changed();
    }
  }

  /** A job that waits is taken back by its user, with its run. */
  void cancelWaiting() {
    var from = available.isEmpty() ? acquired.isEmpty() ? assigned : acquired : available;
    if (!from.isEmpty()) {
      world.runs.cancel(from.peekLast());
    }
  }

  /** One that waits ends at once, one that runs when its runner has stopped it. */
  void cancel(Job job) {
    if (available.remove(job) || acquired.remove(job) || assigned.remove(job)) {
      if (legacy) {
        news.add(new JobEvent.JobCompleted(describe(job), "canceled", new RunnerId(0), ""));
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

  private void fill() {
    while (!legacy
        && !available.isEmpty()
        && acquired.size() + assigned.size() + running < capacity) {
      var job = available.poll();
      assigned.add(job);
      news.add(new JobEvent.JobAssigned(describe(job)));
    }
    handOut();
    changed();
  }

  private void handOut() {
    for (var registration : registrations.values()) {
      if (assigned.isEmpty()) {
        return;
      }
      if (registration.online && registration.job == null && !registration.foreign) {
        start(assigned.poll(), registration);
      }
    }
  }

  private void start(Job job, Registration registration) {
    job.started = true;
    registration.job = job;
    running++;
    var reference = registration.reference;
    world.trace.say("service", job + " starts on " + reference.name());
    news.add(new JobEvent.JobStarted(describe(job), reference.id(), reference.name()));
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
    running--;
    var reference = registration.reference;
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
            news.add(end);
            changed();
          });
    } else {
      news.add(end);
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
        statistics(),
        set.createdOn(),
        isHeld());
  }

  Statistics statistics() {
    int registered = 0;
    int busy = 0;
    int idle = 0;
    for (var registration : registrations.values()) {
      if (!registration.foreign) {
        registered++;
        busy += registration.job != null ? 1 : 0;
        idle += registration.online && registration.job == null ? 1 : 0;
      }
    }
    return new Statistics(
        available.size(),
        acquired.size(),
        assigned.size() + running + (world.countsAcquired ? acquired.size() : 0),
        running,
        registered,
        busy,
        idle);
  }

  /** Statistics for a message. */
  private Statistics counted() {
    var counts = statistics();
    wonBefore.put(counts, everWon);
    return counts;
  }

  /** How many jobs were acquired since the statistics of a message were counted. */
  int wonSince(Statistics counts) {
    return everWon - wonBefore.get(counts);
  }

  // --- the session

  private boolean isHeld() {
    return !session.isEmpty() && world.time.now() < lastContact + SESSION_LIFE;
  }

  /** A new session's id, or empty while another is open. */
  String open() {
    if (isHeld()) {
      return "";
    }
    session = "session-" + ++sessions;
    lastContact = world.time.now();
    parked = null;
    acquiredUnknown = !acquired.isEmpty();
    return session;
  }

  boolean isOpen(String id) {
    return session.equals(id);
  }

  void close(String id) {
    if (session.equals(id)) {
      session = "";
      parked = null;
    }
  }

  /** Something happened: a message tells of it soon. */
  private void changed() {
    if (flushing) {
      return;
    }
    flushing = true;
    world.time.in(
        world.chance.millis(10, world.clean ? 60 : 900),
        () -> {
          flushing = false;
          flush();
        });
  }

  private void flush() {
    var counts = counted();
    if (world.chance.fault(40)) {
      world.trace.say("service", "tells nothing but zeros");
      counts = new Statistics(0, 0, 0, 0, 0, 0, 0);
    }
    // the statistics of the first messages reckon with the events of the last
    do {
      var events = news.subList(0, Math.min(world.mostInAMessage, news.size()));
      var full = events.size() == world.mostInAMessage;
      add(new Message(0, counts, events, List.of(), full));
      events.clear();
    } while (!news.isEmpty());
    deliver();
  }

  /** Waits for the first message after the given one. */
  void poll(Object poll, String of, long after, int offered, Consumer<PollResult> answer) {
    lastContact = world.time.now();
    world.rules.polled();
    parked = answer;
    parkedPoll = poll;
    parkedAfter = after;
    if (capacity != offered) {
      capacity = offered;
      fill();
    }
    world.time.in(
        POLL,
        () -> {
          if (parkedPoll == poll && parked != null) {
            parked = null;
            lastContact = world.time.now();
            answer.accept(new PollResult.Nothing());
          }
        });
    deliver();
  }

  void giveUp(Object poll) {
    if (parkedPoll == poll) {
      parked = null;
    }
  }

  private void deliver() {
    var next = parked == null ? null : queue.higherEntry(parkedAfter);
    if (next != null) {
      var to = parked;
      parked = null;
      var message = legacy ? ofNow(next.getValue()) : next.getValue();
      queue.put(message.messageId(), message);
      world.rules.delivered(message);
      world.time.in(world.chance.millis(1, world.clean ? 5 : 200), () -> to.accept(message));
    }
  }

  /** With the counts of its delivery; those of the other flavour may be older here. */
  private Message ofNow(Message message) {
    acquiredUnknown &= !acquired.isEmpty();
    return message.statistics().isAllZero()
        ? message
        : new Message(message.messageId(), counted(), message.events(), List.of(), message.full());
  }

  /** The listener is about to acknowledge the message, and may never come to it. */
  void applied(long id) {
    var message = queue.get(id);
    if (message != null) {
      world.rules.applied(message);
    }
  }

  void acknowledge(long id) {
    lastContact = world.time.now();
    var message = queue.get(id);
    if (message != null) {
      world.rules.acknowledged(message);
      queue.remove(id);
    }
  }
}
