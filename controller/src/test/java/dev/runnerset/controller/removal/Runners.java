package dev.runnerset.controller.removal;

import dev.runnerset.crds.Demand;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSpec;
import dev.runnerset.crds.GoDuration;
import dev.runnerset.crds.NameReference;
import dev.runnerset.crds.RunnerPhase;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Views of runners for tests: {@code Runners.idle("a").since(at).view()}. */
public final class Runners {
  /** The instant that tests count from. */
  public static final Instant T0 = Instant.parse("2026-01-01T00:00:00Z");

  private static final EphemeralRunner WITHOUT_STATUS = new EphemeralRunner(); // costly: once

  private final String name;
  private RunnerPhase phase = RunnerPhase.RUNNING;
  private boolean podMade = true;
  private boolean ready = true;
  private Instant idleSince = T0;
  private boolean busy;
  private @Nullable Long completedIn;
  private @Nullable Instant completionSeenAt;
  private @Nullable Instant suspectUntil;
  private boolean terminating;
  private boolean askedToGo;
  private boolean resourceLeft;
  private @Nullable Instant retryAt;
  private boolean failed;
  private @Nullable Instant endedAt;
  private boolean registered = true;
  private @Nullable Instant registeredAt;
  private boolean kept;
  private boolean pinned;
  private boolean retired;
  private @Nullable Instant created;
  private boolean older;
  private boolean ofAnotherScaleSet;
  private NodeFate node = NodeFate.STAYS;
  private EphemeralRunner resource = WITHOUT_STATUS;

  private Runners(String name) {
    this.name = name;
  }

  /**
   * A runner in words: its name, its kind unless it is idle, what else is known of it with seconds
   * from {@link Situation#NOW}, as {@code a:busy,done7,ended-30}.
   */
  public static Runners of(String words) {
    var parts = words.split(",");
    var name = parts[0].split(":");
    var runner =
        switch (name.length == 1 ? "idle" : name[1]) {
          case "idle" -> idle(name[0]);
          case "busy" -> busy(name[0]);
          case "pending" -> pending(name[0]);
          default -> throw new IllegalArgumentException(words);
        };
    Arrays.stream(parts).skip(1).forEach(runner::read);
    return runner;
  }

  private void read(String text) {
    var word = Word.of(text);
    var at = word.time();
    var _ =
        switch (word.name()) {
          case "since" -> since(at);
          case "made" -> created(at);
          case "podMade" -> podMade();
          case "unready" -> unready();
          case "unregistered" -> unregistered();
          case "done" -> completedIn(word.number());
          case "seenDone" -> completionSeenAt(at);
          case "suspect" -> suspectUntil(at);
          case "terminating" -> terminating();
          case "asked" -> askedToGo();
          case "left" -> resourceLeft();
          case "retry" -> retryAt(at);
          case "failing" -> removalFailed();
          case "ended" -> endedAt(at);
          case "kept" -> kept();
          case "pinned" -> pinned();
          case "retired" -> retired();
          case "older" -> older();
          case "former" -> ofAnotherScaleSet();
          case "lifetime" -> lifetime(Duration.ofSeconds(word.number()));
          case "cordoned" -> onCordonedNode();
          case "candidate" -> onCandidateNode();
          default -> phase(RunnerPhase.valueOf(text));
        };
  }

  /** Registered, online, no job, since {@link #T0}. */
  public static Runners idle(String name) {
    return new Runners(name);
  }

  /** Its container has not started. */
  public static Runners pending(String name) {
    var runner = new Runners(name);
    runner.phase = RunnerPhase.PENDING;
    runner.podMade = false;
    runner.ready = false;
    runner.registered = false;
    return runner;
  }

  /** Marked with a job. */
  public static Runners busy(String name) {
    var runner = new Runners(name);
    runner.busy = true;
    return runner;
  }

  public Runners since(Instant at) {
    idleSince = at;
    return this;
  }

  /** Its status names its pod. */
  public Runners podMade() {
    podMade = true;
    return this;
  }

  public Runners unready() {
    ready = false;
    return unregistered();
  }

  /** Its container runs, and the service is not known to have it online. */
  public Runners unregistered() {
    registered = false;
    return this;
  }

  /** The service was not known to have it online before that. */
  public Runners registeredAt(Instant at) {
    registeredAt = at;
    return this;
  }

  public Runners phase(RunnerPhase value) {
    phase = value;
    return this;
  }

  public Runners completedIn(long message) {
    completedIn = message;
    return this;
  }

  /** When this process saw that its job is over. */
  public Runners completionSeenAt(Instant at) {
    completionSeenAt = at;
    return this;
  }

  public Runners suspectUntil(Instant until) {
    suspectUntil = until;
    return this;
  }

  public Runners terminating() {
    terminating = true;
    return this;
  }

  public Runners askedToGo() {
    askedToGo = true;
    return this;
  }

  /** Its registration is removed, and its resource could not be deleted. */
  public Runners resourceLeft() {
    resourceLeft = true;
    return askedToGo();
  }

  public Runners retryAt(Instant at) {
    retryAt = at;
    return this;
  }

  /** A removal of it ended with an error. */
  public Runners removalFailed() {
    failed = true;
    return this;
  }

  public Runners endedAt(Instant at) {
    endedAt = at;
    return this;
  }

  /** A rule of retention keeps it. */
  public Runners kept() {
    kept = true;
    return this;
  }

  /** Its annotation says that it must be retained. */
  public Runners pinned() {
    pinned = true;
    return this;
  }

  /** A person marked it to go. */
  public Runners retired() {
    retired = true;
    return this;
  }

  /** Made at that instant; without it, when it became idle. */
  public Runners created(Instant at) {
    created = at;
    return this;
  }

  /** Of another revision than its set. */
  public Runners older() {
    older = true;
    return this;
  }

  /** Registered for another scale set than its set has now. */
  public Runners ofAnotherScaleSet() {
    older = true;
    ofAnotherScaleSet = true;
    return this;
  }

  /** Its node takes no pods any more. */
  public Runners onCordonedNode() {
    return onNode(new NodeFate(T0, null, null, false));
  }

  /** Its node has that taint, which counts from {@link #T0} on. */
  public Runners onTaintedNode(String taint) {
    return onNode(new NodeFate(T0, taint, T0, false));
  }

  /** The cluster autoscaler considers to remove its node. */
  public Runners onCandidateNode() {
    return onNode(new NodeFate(null, null, null, true));
  }

  /** That is to become of its node. */
  public Runners onNode(NodeFate fate) {
    node = fate;
    return this;
  }

  /** Its pod may run for that time. */
  public Runners lifetime(Duration time) {
    resource = new EphemeralRunner();
    resource.setSpec(
        EphemeralRunnerSpec.builder("", new NameReference("s"), 1)
            .maxLifetime(GoDuration.text(time))
            .build());
    return this;
  }

  public Runners resource(EphemeralRunner value) {
    resource = value;
    return this;
  }

  /** The view; its uid is its name with {@code uid-} before. */
  public RunnerView view() {
    return new RunnerView(
        name,
        "uid-" + name,
        phase,
        created == null ? idleSince : created,
        podMade,
        ready ? idleSince : null,
        endedAt,
        registered,
        registeredAt,
        kept,
        pinned,
        retired,
        busy,
        completedIn,
        completionSeenAt,
        terminating,
        new RunnerView.Removal(false, askedToGo, resourceLeft, suspectUntil, retryAt, 0, failed),
        older,
        ofAnotherScaleSet,
        node,
        resource,
        new RunnerView.OfSet(0, true, Duration.ZERO));
  }

  /** The resource of a runner whose registration is removed. */
  public static EphemeralRunner deregistered() {
    return Serialization.unmarshal(
        """
        status:
          conditions: [{type: RegistrationMade, status: "False", reason: Deregistered}]
        """,
        EphemeralRunner.class);
  }

  /** The next moment of a set: it has exactly those runners then. */
  public static RunnersOfSet next(RunnersOfSet before, List<RunnerView> runners, Instant now) {
    var gone = before.all().map(RunnerView::uid).collect(Collectors.toSet());
    runners.forEach(runner -> gone.remove(runner.uid()));
    before.advance(now);
    gone.forEach(before::remove);
    runners.forEach(before::put);
    return before;
  }

  /** The service's counts, heard at that instant. */
  public static Demand demand(Instant at, int assigned, int running, int busy, int idle) {
    return new Demand(1, 1, at, assigned, running, busy + idle, busy, idle, null, null, null);
  }
}
