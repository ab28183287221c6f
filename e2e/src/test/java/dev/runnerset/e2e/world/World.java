package dev.runnerset.e2e.world;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.runnerset.actions.NewScaleSet;
import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.crds.condition.EventReason;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.kube.Preconditions;
import dev.runnerset.listener.session.context.Polls;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/**
 * One set in a cluster, or some sets that compete for room, from creation to deletion, as a
 * function of a seed: our programs, and around them the API server, the service, a node and users.
 * First with faults, then without: then everything has to settle.
 */
final class World {
  static {
    // thousands of worlds log nothing; a seed that fails prints its own trace
    ((Logger) LoggerFactory.getLogger("dev.runnerset")).setLevel(Level.OFF);
  }

  static final String SET = "linux";
  static final String URL = "https://github.com/acme";
  static final String FOREIGN = "of-another";

  private static final long FAULTS_END = 480_000;
  private static final long SETTLES_WITHIN = 4 * 3_600_000L;

  private static final int MOST_STEPS = 400_000;

  /** What a world is about. */
  enum Kind {
    /** One set, and what goes wrong around it. */
    ONE_SET(1),
    /** Sets with the same labels, and room that comes and goes; one takes a second to play. */
    CROWDED(50);

    private final long cost;

    Kind(long cost) {
      this.cost = cost;
    }

    /** How many are played in the time of so many small worlds. */
    long seeds(long ofSmallWorlds) {
      return ofSmallWorlds / cost;
    }
  }

  private final Kind kind;
  private final long seed;
  final boolean clean;

  /** Our sets; the first one is that which users change. */
  final List<OneSet> sets;

  /** How many milliseconds one kind of a cache may be behind another all the time. */
  final int mostBehind;

  /** How many events a message of the service has at most. */
  final int mostInAMessage;

  /** Whether a service that offers jobs counts acquired ones among the assigned ones, too. */
  final boolean countsAcquired;

  /** Whether machines die with jobs, to the end: also with those that run again. */
  final boolean losesJobs;

  /** Whether the service offers jobs at first. */
  final boolean beganLegacy;

  final Bugs bugs;
  final Timeline time = new Timeline();
  final Chance chance;
  final Trace trace;
  final ApiServer server;
  final Service service;
  final Runs runs;
  final Node node;
  final Rules rules;
  final Users users;

  /** Null in a world of one set, which has room for all. */
  final Room room;

  private final Weather weather;
  private final List<ListenerLoop> loops = new ArrayList<>();
  private final List<Service.Job> jobs = new ArrayList<>();
  private ListenerProcess listener;
  private ControllerProcess controller;
  private int lives;
  private boolean over;
  private boolean leftBehind;
  private boolean steadied;
  private long quietSince = -1;
  private Stage stage = Stage.FAULTS;
  private long deadline;
  private int made;
  private Violation violation;
  private int steps;

  private enum Stage {
    FAULTS,
    SETTLING,
    DELETING
  }

  World(Kind kind, long seed, Bugs bugs, boolean traced) {
    boolean crowded = kind == Kind.CROWDED;
    this.kind = kind;
    this.seed = seed;
    this.bugs = bugs;
    this.clean = !crowded && seed % 5 == 0;
    this.chance = new Chance(seed);
    this.sets = crowded ? crowd() : List.of(OneSet.alone(SET));
    this.mostBehind = crowded || chance.oneIn(2) ? 0 : 5_000;
    this.mostInAMessage = chance.oneIn(2) ? 50 : 2;
    this.trace = new Trace(time, traced);
    this.server = new ApiServer(time, chance);
    this.countsAcquired = seed % 2 == 0;
    this.beganLegacy = !crowded && seed % 3 == 1;
    this.losesJobs = !crowded && !clean && chance.oneIn(3);
    this.service = new Service(this, beganLegacy);
    this.runs = new Runs(this);
    this.node = new Node(this);
    this.rules = new Rules(this);
    this.users = new Users(this);
    this.room = crowded ? new Room(this) : null;
    this.weather = crowded ? new Weather(this) : null;
  }

  /** Two sets of one namespace, and most often one of another; some share their nodes. */
  private List<OneSet> crowd() {
    boolean fixed = chance.oneIn(2);
    boolean otherFixed = chance.oneIn(2);
    int scheduling = chance.oneIn(2) ? 1 : 10;
    int count = chance.oneIn(3) ? 2 : 3;
    var crowd = new ArrayList<OneSet>();
    for (int i = 0; i < count; i++) {
      boolean other = chance.oneIn(2);
      crowd.add(
          new OneSet(
              i == 0 ? SET : SET + "-" + i,
              i == 2 ? "far" : "team",
              3 + chance.random.nextInt(10),
              chance.random.nextInt(3),
              1 + chance.random.nextInt(2),
              other ? "pool-2" : "pool-1",
              other ? otherFixed : fixed,
              scheduling));
    }
    return List.copyOf(crowd);
  }

  OneSet set(String name) {
    return sets.stream().filter(set -> set.name().equals(name)).findFirst().orElseThrow();
  }

  /** Which of the sets with places gets a job; null if there is none. */
  SetQueue asked(List<SetQueue> withPlaces) {
    return withPlaces.size() > 1
        ? chance.oneOf(withPlaces)
        : withPlaces.stream().findFirst().orElse(null);
  }

  void assigned(Service.Job job, SetQueue to) {
    if (room != null) {
      rules.room.assigned(job, to);
    }
  }

  /** What a world that held came to. */
  record Result(int jobs, int faults, int lives, long seconds, int losses, int reruns) {}

  /** Plays the world; it and its strands share one thread of the machine. */
  Result run() {
    var played = new FutureTask<>(this::play);
    var _ = Thread.ofVirtual().start(played);
    try {
      return played.get();
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case Error failure -> throw failure;
        case RuntimeException failure -> throw failure;
        default -> throw new IllegalStateException(e);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private Result play() {
    server.shielded = chance.random.nextBoolean();
    server.watch(node);
    server.watch(this::counted);
    if (room != null) {
      server.admission = room::admit;
      server.watch(room);
      rules.room.begin();
    }
    var other =
        service.create(new NewScaleSet("other", RunnerGroupId.DEFAULT, List.of("other"))).id();
    var _ = service.register(other, FOREIGN, true);
    users.createSets();
    chance.faults(clean || room != null ? 0 : chance.random.nextInt(30));
    controller = new ControllerProcess(this, "controller" + ++lives);
    listener = new ListenerProcess(this, "listener" + ++lives);
    users.plan(clean ? 60_000 : 300_000);
    if (weather != null) {
      weather.plan(400_000);
    }
    time.in(clean ? 90_000 : FAULTS_END, this::faultsEnd);
    if (!clean && room == null && seed % 4 == 3) {
      time.in(chance.millis(10_000, 400_000), service::changesFlavour);
    }
    look();
    while (!over || !loops.isEmpty()) {
      loops.addAll(over ? List.of() : listener.begins());
      var due = loops.stream().filter(ListenerLoop::isDue).findFirst();
      due.ifPresentOrElse(
          ListenerLoop::goOn,
          () -> goOn(loops.stream().mapToLong(ListenerLoop::until).min().orElse(Long.MAX_VALUE)));
      loops.removeIf(ListenerLoop::isOver);
    }
    if (violation == null) {
      try {
        rules.nothingIsLeft();
      } catch (Violation e) {
        // thrown below
      }
    }
    if (violation != null) {
      throw violation;
    }
    return new Result(
        jobs.size(),
        chance.faultsHit(),
        lives,
        time.now() / 1000,
        rules.reruns.losses(),
        rules.reruns.reruns());
  }

  boolean isOver() {
    return over;
  }

  /** Ends the world: nothing that catches the violation can hide it. */
  Violation violated(String rule, String what) {
    var now = new Violation(rule, what);
    violation = violation == null ? now : violation;
    trace.say("WRONG", now.getMessage());
    over = true;
    return now;
  }

  /** The next thing happens. */
  void goOn(long until) {
    if (++steps > MOST_STEPS) {
      throw violated("settles", "something goes on and on");
    }
    try {
      var _ = time.step(until);
    } catch (Violation e) {
      // it stands in the world
    }
  }

  /** While a process waits for an answer, others act. */
  void othersAct() {
    var until = time.now() + chance.millis(1, 40);
    for (int i = 0; i < 20 && time.step(until); i++) {
      // one thing after the other
    }
  }

  private void counted(HasMetadata before, HasMetadata after, long version) {
    if (before == null && after instanceof EphemeralRunner) {
      made++;
    }
    if (after instanceof EphemeralRunner runner) {
      rules.known(runner);
      if (room != null) {
        roomUsed(before, runner);
      }
    }
    if (after instanceof AutoScalingRunnerSet set) {
      rules.reruns.known(set);
    }
  }

  private void roomUsed(HasMetadata before, EphemeralRunner runner) {
    var set = set(runner.getMetadata().getLabels().get(Labels.SET));
    if (before == null) {
      rules.room.progress(set);
    } else if (runner.statusOrNone().phase() == RunnerPhase.FAILED) {
      rules.room.failed(set);
    }
  }

  void eventRecorded(HasMetadata about, Reason reason, String message) {
    if (reason == EventReason.REGISTRATION_MAY_BE_LEFT || reason == EventReason.SCALE_SET_LEFT) {
      trace.say("controller", message);
      leftBehind |= reason == EventReason.REGISTRATION_MAY_BE_LEFT;
    }
    rules.reruns.recorded(reason, message);
  }

  boolean leftBehindIsReported() {
    return leftBehind;
  }

  void submit(Service.Job job) {
    runs.submitted(job);
    queue(job);
  }

  /** A job of a run waits for a runner. */
  void queue(Service.Job job) {
    jobs.add(job);
    service.submit(job);
  }

  int nextJob() {
    return jobs.size() + 1;
  }

  // --- processes

  void controllerDied() {
    rules.crashed();
    time.in(
        chance.millis(100, 16_000),
        () -> controller = new ControllerProcess(this, "controller" + ++lives));
  }

  void listenerDied(ListenerProcess dead) {
    if (over) {
      return;
    }
    rules.room.disturbed();
    time.in(
        chance.millis(100, 15_000),
        () -> listener = new ListenerProcess(this, "listener" + ++lives));
  }

  void killController() {
    trace.say("user", "kills the controller");
    controller.die();
  }

  void killListener() {
    trace.say("user", "kills the listener");
    listener.die();
  }

  void poll(ListenerLoop by, String session, Object poll, long after, int capacity) {
    var details = new ServiceError.Details("GET message", 404, "", "", "", "");
    var queue = service.open(session);
    if (service.down) {
      time.in(
          chance.millis(10, 5_000),
          () -> by.answered(poll, n -> new Polls.Failed(n, ServiceClient.unavailable("poll"))));
    } else if (queue == null || chance.fault(25)) {
      trace.say("service", "says that the session is lost");
      time.in(
          chance.millis(1, 100),
          () -> by.answered(poll, n -> new Polls.Failed(n, new ServiceError.SessionLost(details))));
    } else {
      queue.poll(
          poll, after, capacity, result -> by.answered(poll, n -> new Polls.Answered(n, result)));
    }
  }

  // --- the end

  private void faultsEnd() {
    chance.faults(0);
    service.down = false;
    trace.say("world", "nothing goes wrong from now on");
    users.leaveInPeace();
    if (weather != null) {
      weather.clears();
    }
    stage = Stage.SETTLING;
    deadline = time.now() + SETTLES_WITHIN;
  }

  private void look() {
    if (over) {
      return;
    }
    if (stage == Stage.SETTLING) {
      settling();
    } else if (stage == Stage.DELETING) {
      deleting();
    }
    time.in(2_000, this::look);
  }

  private String unsettled() {
    var open = jobs.stream().filter(job -> !job.over).toList();
    if (!open.isEmpty()) {
      return open + " not over";
    }
    var set = server.get(AutoScalingRunnerSet.class, SET);
    int wanted = users.warm();
    var runners =
        server.all(EphemeralRunner.class).stream()
            .filter(r -> !r.statusOrNone().isTerminal()) // those are kept for people
            .toList();
    if (runners.size() != wanted) {
      return runners.size() + " runners, wanted " + wanted + ": " + names(runners);
    }
    var toLeave = node.onCordonedNode();
    if (!toLeave.isEmpty()) {
      return "on a cordoned node still " + toLeave;
    }
    long online =
        service.registrations.values().stream().filter(r -> r.online && !r.foreign).count();
    if (online != wanted) {
      return online + " runners online, wanted " + wanted;
    }
    if (users.actsAreDue()) {
      return "people still act";
    }
    return set == null ? "no set" : rules.reruns.unsettled();
  }

  private static List<String> names(List<EphemeralRunner> runners) {
    return runners.stream()
        .map(r -> r.getMetadata().getName() + " " + r.statusOrNone().phase())
        .toList();
  }

  private void settling() {
    var why = unsettled();
    if (!why.isEmpty()) {
      quietSince = -1;
      if (time.now() > deadline) {
        throw violated(why.contains("not over") ? "I7" : "I4", "does not settle: " + why);
      }
      if (steadied) {
        throw violated("settles", "was settled, and is no longer: " + why);
      }
      return;
    }
    quietSince = quietSince < 0 ? time.now() : quietSince;
    if (time.now() - quietSince < 20_000) {
      return;
    }
    steadied = true;
    if (time.now() - quietSince < 90_000) {
      return;
    }
    if (clean) {
      rules.oneRunnerPerJob(made, jobs.size(), users.warm());
    }
    rules.reruns.noneIsForgotten();
    trace.say("user", "deletes the set");
    stage = Stage.DELETING;
    deadline = time.now() + SETTLES_WITHIN;
    for (var each : sets) {
      var _ =
          server.delete(
              AutoScalingRunnerSet.class, each.name(), new Preconditions(null, null), "user");
    }
  }

  private void deleting() {
    var left =
        Stream.of(
                AutoScalingRunnerSet.class,
                EphemeralRunnerSet.class,
                EphemeralRunner.class,
                AutoScalingListener.class,
                Pod.class,
                Secret.class,
                Role.class,
                RoleBinding.class,
                PodDisruptionBudget.class)
            .flatMap(kind -> server.all(kind.asSubclass(HasMetadata.class)).stream())
            .map(object -> object.getKind() + " " + object.getMetadata().getName())
            .toList();
    if (left.isEmpty()) {
      over = true;
      listener.die();
    } else if (time.now() > deadline) {
      throw violated("settles", "after the deletion of the set there still are " + left);
    }
  }

  @Override
  public String toString() {
    return "seed "
        + seed
        + (clean ? " (nothing goes wrong)" : "")
        + (kind == Kind.CROWDED ? " of a crowded world: " + sets : "");
  }
}
