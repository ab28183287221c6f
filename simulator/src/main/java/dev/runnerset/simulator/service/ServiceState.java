package dev.runnerset.simulator.service;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * All the service knows. Every access goes through {@link #enter}, which holds the lock and first
 * lets happen what is due; given the clock and the ids, everything is determined by the order of
 * entries. Nothing in here blocks.
 */
final class ServiceState {
  final Options options;
  final Faults faults;
  final ViolationLog violations = new ViolationLog();
  final Counters counters = new Counters();
  final Agenda agenda = new Agenda();
  final Repositories repositories = new Repositories();
  final ReleasedVersions versions = new ReleasedVersions();
  final WaitingJobs waiting = new WaitingJobs();
  final Removals removals = new Removals(violations);
  final Map<Integer, ScaleSet> sets = new LinkedHashMap<>();
  final Map<UUID, Job> jobs = new LinkedHashMap<>();
  final Supplier<UUID> ids;
  private final Clock clock;
  private URI root = URI.create("http://127.0.0.1");
  private URI front = root;
  private int nextNumber = 1;
  private Flavour flavour;
  AssignOrder assignOrder = AssignOrder.OLDEST_SET;

  ServiceState(Options options, Clock clock, Supplier<UUID> ids) {
    this.options = options;
    this.flavour = options.flavour();
    this.clock = clock;
    this.ids = ids;
    this.faults = new Faults(options.seed());
  }

  /** Runs {@code body} with the time it is, alone; earlier due events happen first. */
  <T extends @org.jspecify.annotations.Nullable Object> T enter(Function<Instant, T> body) {
    synchronized (this) {
      var now = clock.instant();
      agenda.runDue(now);
      return body.apply(now);
    }
  }

  Instant now() {
    return clock.instant();
  }

  /** Lets happen what is due. */
  void tick() {
    synchronized (this) {
      agenda.runDue(clock.instant());
    }
  }

  int nextNumber() {
    return nextNumber++;
  }

  /** Numbers are given again from the first one on. */
  void numberAgain() {
    nextNumber = 1;
  }

  void root(URI value) {
    synchronized (this) {
      root = value;
    }
  }

  void front(URI value) {
    synchronized (this) {
      front = value;
    }
  }

  /** Where controllers and listeners reach the service; runners reach it at its root. */
  URI front() {
    synchronized (this) {
      return front;
    }
  }

  URI root() {
    synchronized (this) {
      return root;
    }
  }

  void flavour(Flavour value) {
    synchronized (this) {
      flavour = value;
    }
  }

  Flavour flavour() {
    synchronized (this) {
      return flavour;
    }
  }

  /** The URL of the set, for controllers and listeners. */
  String url(ScaleSet set) {
    return flavour().base(front()) + "_apis/runtime/runnerscalesets/" + set.id;
  }

  Statistics statistics(ScaleSet set) {
    int acquired = set.acquired.size();
    boolean both = faults.plan().legacy().acquiredInAssigned();
    return new Statistics(
        waiting.count(set),
        acquired,
        set.assigned + (both ? acquired : 0),
        set.running,
        set.registered,
        set.busy,
        set.idle);
  }

  /** Tells the poll of the set, if one is parked, when its statistics differ from the last ones. */
  void changed(ScaleSet set) {
    if (set.queue.isStale(statistics(set))) {
      set.look();
    }
  }

  /** Puts a job event into the set's queue, unless a fault swallows it. */
  void emit(ScaleSet set, Job job, String type) {
    if (faults.drops(type)) {
      counters.count("dropped." + type);
      return;
    }
    var event = event(set, job, type);
    set.queue.add(event);
    if (faults.duplicates()) {
      counters.count("duplicated." + type);
      set.queue.add(event.deepCopy());
    }
    set.look();
  }

  /** The event as it stands in a message (protocol 4.2). */
  ObjectNode event(ScaleSet set, Job job, String type) {
    var known = job.run.repository;
    var repository = known == null ? set.scope.someRepository() : known.name;
    var event = job.message(type, flavour.requestId(job), repository);
    switch (type) {
      case "JobAvailable" -> event.put("acquireJobUrl", url(set) + "/acquirejobs");
      case "JobStarted" -> event.put("runnerId", job.runnerId).put("runnerName", job.runnerName);
      case "JobCompleted" ->
          event
              .put("result", job.result)
              .put("runnerId", job.runnerId)
              .put("runnerName", job.runnerName);
      default -> {}
    }
    return event;
  }
}
