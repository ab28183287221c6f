package dev.runnerset.listener.session;

import static dev.runnerset.listener.demand.Heard.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.ConfigUrl;
import dev.runnerset.actions.Credentials;
import dev.runnerset.actions.MessageSession;
import dev.runnerset.actions.PollResult;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.base.metrics.Metric;
import dev.runnerset.connection.ConnectionSettings;
import dev.runnerset.connection.InvalidConnectionException;
import dev.runnerset.crds.AutoScalingListenerSpecBuilder;
import dev.runnerset.crds.AutoScalingListenerStatus;
import dev.runnerset.crds.AutoScalingListenerStatusBuilder;
import dev.runnerset.crds.Demand;
import dev.runnerset.crds.ListenerTarget;
import dev.runnerset.crds.NamespacedReference;
import dev.runnerset.crds.ScaleSetIdentity;
import dev.runnerset.crds.condition.AccessReason;
import dev.runnerset.listener.config.ListenerSettings;
import dev.runnerset.listener.demand.DemandAction.Mark;
import dev.runnerset.listener.demand.DemandAction.WriteDemand;
import dev.runnerset.listener.session.context.DesiredState;
import dev.runnerset.listener.session.context.DesiredState.Hold;
import dev.runnerset.listener.session.context.DesiredState.Stop;
import dev.runnerset.listener.session.context.DesiredState.StopReason;
import dev.runnerset.listener.session.context.Inbox;
import dev.runnerset.listener.session.context.KubeRefusal;
import dev.runnerset.listener.session.context.KubeRefusal.Kind;
import dev.runnerset.listener.session.context.ListenerSnapshot;
import dev.runnerset.listener.session.context.LoopContext;
import dev.runnerset.listener.session.context.Polls;
import dev.runnerset.listener.session.context.SetSeries;
import dev.runnerset.listener.session.context.SetWriter;
import dev.runnerset.testsupport.CallerThread;
import dev.runnerset.testsupport.TestClock;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Everything a loop touches, on one thread and in virtual time: waiting is what makes things
 * happen. What the loop did stands in {@link #events}, in order, with the second it happened in.
 */
final class FakeWorld implements Inbox, Polls, SetWriter {
  private record Due(Instant at, long order, Runnable happening) {}

  /** A counter, and the values of its labels. */
  record Counted(Metric what, List<String> labels) {
    /** Fails if the counter shows no series of that kind. */
    void check() {
      var known = what.definition().labels();
      assertThat(labels).hasSameSizeAs(known);
      for (int i = 0; i < known.size(); i++) {
        assertThat(known.get(i).values()).contains(labels.get(i));
      }
    }
  }

  final List<String> events = new ArrayList<>();
  final FakeService service = new FakeService(this);
  final Map<Counted, Integer> counts = new HashMap<>();
  final Map<String, Deque<KubeRefusal>> refusals = new HashMap<>();

  /** Takes the marks instead of this world, if a test wants to look at them. */
  @Nullable Runners runners;

  interface Runners {
    Marked mark(ListenerTarget target, Mark mark, @Nullable Mark standing);
  }

  final TestClock clock = new TestClock(T0);
  @Nullable Instant renewedAt = T0;
  boolean renewing = true;

  /** The share of requests in which the loop dies of an Error. */
  double deadly;

  int deaths;
  String credentials = "token";
  long epoch;
  long messageId;
  int messageScaleSet;
  long marksVersion; // as the demand says
  private long runnersVersion = 100;
  AutoScalingListenerStatus status = AutoScalingListenerStatus.NONE;
  ListenerSnapshot listener = listener("u1", 10, false);

  private final PriorityQueue<Due> agenda =
      new PriorityQueue<>(Comparator.comparing(Due::at).thenComparing(Due::order));
  private DesiredState desired = new Hold(listener);
  private Polls.@Nullable Answer answer;
  private boolean news;
  private long order;
  private long polling;
  private Instant answeredAt = T0;
  double deafSeconds;
  private @Nullable AssertionError wrong; // what the first happening found that failed

  static ListenerSnapshot listener(String uid, int capacity, boolean deleting) {
    var spec =
        AutoScalingListenerSpecBuilder.builder()
            .runnerSet(new ListenerTarget("team", "linux", uid))
            .githubConfigUrl("https://github.com/acme")
            .githubConfigSecret(new NamespacedReference("team", "github"))
            .scaleSetId(1)
            .capacity(capacity)
            .build();
    return new ListenerSnapshot("trusted", "team-linux", "l1", 1, spec, deleting);
  }

  /** The same object once its user named another URL. */
  static ListenerSnapshot otherUrl(ListenerSnapshot from) {
    var spec = from.spec();
    return new ListenerSnapshot(
        from.namespace(),
        from.name(),
        from.uid(),
        from.generation() + 1,
        AutoScalingListenerSpecBuilder.builder(spec)
            .githubConfigUrl("https://github.com/other")
            .build(),
        false);
  }

  /** The same object with what its scale set is known by. */
  static ListenerSnapshot knowing(ListenerSnapshot from, ScaleSetIdentity identity) {
    return new ListenerSnapshot(
        from.namespace(),
        from.name(),
        from.uid(),
        from.generation(),
        AutoScalingListenerSpecBuilder.builder(from.spec()).scaleSet(identity).build(),
        from.deleting());
  }

  /** Lets something happen at a second of virtual time; what it asserts fails {@link #run}. */
  void at(double second, Runnable happening) {
    var at = T0.plusMillis((long) (second * 1000));
    agenda.add(new Due(at, order++, happening));
  }

  void desire(DesiredState latest) {
    desired = latest;
    news = true;
  }

  void seen(ListenerSnapshot latest) {
    listener = latest;
    desire(new Hold(latest));
  }

  /** At second 1, past the start of a loop: what follows is what the test is about. */
  void started(Runnable then) {
    at(
        1,
        () -> {
          events.clear();
          then.run();
        });
  }

  /** The condition as it stands in the status. */
  Condition condition(String type) {
    return status.conditions().stream()
        .filter(c -> c.getType().equals(type))
        .findFirst()
        .orElseThrow();
  }

  /** Runs a loop until the second, then shuts it down. */
  void run(double seconds) {
    run(seconds, StopReason.SHUTDOWN);
  }

  void run(double seconds, StopReason reason) {
    at(seconds, () -> desire(new Stop(reason)));
    new LastingLoop(context(), listener, false).run();
    counts.keySet().forEach(Counted::check);
    if (wrong != null) {
      throw wrong;
    }
  }

  LoopContext context() {
    return new LoopContext(
        new LoopContext.Cluster(
            this,
            () -> renewing && renewedAt != null ? clock.instant() : renewedAt,
            new CallerThread()),
        new LoopContext.Service(spec -> access(), this::connect),
        this,
        this,
        new Random(1),
        ListenerSettings.of("trusted", "me"), // a poll may take 70 s, a renewal be 7 s old
        new SetSeries() {
          @Override
          public void counted(Metric what, String... labels) {
            counts.merge(new Counted(what, List.of(labels)), 1, Integer::sum);
          }
        });
  }

  int counted(Metric what, String... labels) {
    var counted = new Counted(what, List.of(labels));
    counted.check();
    return counts.getOrDefault(counted, 0);
  }

  private FakeService connect(ConnectionSettings access) {
    event("connect");
    service.access = ((Credentials.Token) access.credentials()).value();
    return service;
  }

  private ConnectionSettings access() {
    if (credentials.isEmpty()) {
      throw new InvalidConnectionException(AccessReason.SECRET_NOT_FOUND, "create it");
    }
    return ConnectionSettings.direct(
        ConfigUrl.parse("https://github.com/acme"), new Credentials.Token(credentials));
  }

  void event(String text) {
    events.add(text);
  }

  List<String> takeEvents() {
    var taken = List.copyOf(events);
    events.clear();
    return taken;
  }

  double seconds() {
    return Duration.between(T0, clock.instant()).toMillis() / 1000.0;
  }

  // --- inbox

  @Override
  public Instant now() {
    return clock.instant();
  }

  @Override
  public DesiredState desired() {
    return desired;
  }

  @Override
  public Polls.@Nullable Answer takeAnswer() {
    var taken = answer;
    answer = null;
    return taken;
  }

  @Override
  public void await(@Nullable Instant until) {
    while (!news && (until == null || clock.instant().isBefore(until))) {
      var due = agenda.peek();
      if (due == null || (until != null && due.at().isAfter(until))) {
        if (until == null) {
          throw new AssertionError("waits for ever after " + events);
        }
        clock.set(until);
        return;
      }
      var _ = agenda.poll();
      clock.set(due.at().isAfter(clock.instant()) ? due.at() : clock.instant());
      happen(due.happening());
    }
    news = false;
  }

  /** What a test finds wrong is no death of a loop, which would start again. */
  private void happen(Runnable happening) {
    try {
      happening.run();
    } catch (AssertionError e) {
      wrong = wrong == null ? e : wrong;
    }
  }

  // --- polls

  @Override
  public void start(long number, MessageSession session, long lastMessageId, int capacity) {
    event("poll " + lastMessageId + " capacity " + capacity);
    polling = number;
    deafSeconds += Duration.between(answeredAt, clock.instant()).toMillis() / 1000.0;
    service.polled(lastMessageId);
  }

  @Override
  public void cancel() {
    event("cancel");
    answeredAt = polling == 0 ? answeredAt : clock.instant();
    polling = 0;
  }

  boolean isPolling() {
    return polling != 0;
  }

  void answer(PollResult result) {
    if (polling != 0) {
      answer = new Polls.Answered(polling, result);
      polling = 0;
      answeredAt = clock.instant();
      news = true;
    }
  }

  void answer(ServiceError error) {
    if (polling != 0) {
      answer = new Polls.Failed(polling, error);
      polling = 0;
      answeredAt = clock.instant();
      news = true;
    }
  }

  // --- Kubernetes

  /** The next requests of that name are refused so. */
  void refuse(String request, Kind... kinds) {
    for (var kind : kinds) {
      refusals
          .computeIfAbsent(request, k -> new ArrayDeque<>())
          .add(new KubeRefusal(kind, request + " refused"));
    }
  }

  private void ask(String request) {
    if (deadly > 0 && service.random.nextDouble() < deadly) {
      event("dies in " + request);
      deaths++;
      var death = new StackOverflowError("of the test");
      death.setStackTrace(new StackTraceElement[0]); // the log of thousands of seeds stays short
      throw death;
    }
    var refusal = refusals.getOrDefault(request, new ArrayDeque<>()).poll();
    if (refusal != null) {
      event(request + ": " + refusal.kind());
      throw refusal;
    }
  }

  @Override
  public FenceRead readFence(ListenerSnapshot of) {
    ask("readFence");
    long there = epochThere();
    event("read epoch " + there);
    var demand =
        new Demand(
            there,
            messageId,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            messageScaleSet == 0 ? null : messageScaleSet,
            marksVersion);
    var read =
        AutoScalingListenerStatusBuilder.builder(status)
            .epoch(there == 0 ? null : there)
            .demand(demand)
            .build();
    return new FenceRead("rv" + there, read, null);
  }

  /** The epoch of the listener object, which another holder may have raised. */
  private long epochThere() {
    return Math.max(epoch, status.epoch() == null ? 0 : status.epoch());
  }

  @Override
  public void raiseEpoch(ListenerSnapshot of, FenceRead read, long raised) {
    ask("raiseEpoch");
    if (!read.resourceVersion().equals("rv" + epochThere())) {
      throw new KubeRefusal(Kind.STALE, "changed");
    }
    epoch = raised;
    event("epoch " + raised);
  }

  @Override
  public void writeDemand(
      ListenerSnapshot of, long tested, int scaleSetId, long reckoned, WriteDemand demand) {
    ask("demand");
    if (tested != epoch) {
      event("demand: test failed");
      throw new KubeRefusal(Kind.TEST_FAILED, "epoch");
    }
    messageId = demand.messageId();
    messageScaleSet = scaleSetId;
    marksVersion = reckoned;
    event("demand " + demand.counts().assigned() + "@" + demand.messageId());
  }

  @Override
  public Marked mark(ListenerTarget target, Mark mark, @Nullable Mark standing) {
    if (runners != null) {
      return runners.mark(target, mark, standing);
    }
    ask("mark " + mark.runnerName());
    event((mark.isCompletion() ? "done " : "start ") + mark.runnerName());
    return new Marked(!mark.runnerName().startsWith("foreign"), ++runnersVersion);
  }

  @Override
  public void writeStatus(ListenerSnapshot of, long tested, AutoScalingListenerStatus wanted) {
    ask("status");
    if (tested != epoch) {
      throw new KubeRefusal(Kind.TEST_FAILED, "epoch");
    }
    status = wanted;
    var connected =
        wanted.conditions().stream().map(c -> c.getType() + "=" + c.getReason()).toList();
    event("status " + wanted.sessionId() + " " + connected);
  }

  /** A call to the service that takes so long and gets no answer. */
  ServiceException failureAfter(Duration time) {
    clock.advance(time);
    event("no answer");
    return new ServiceException(new ServiceError.Unavailable(details(0), null));
  }

  static ServiceError.Details details(int status) {
    return new ServiceError.Details("GET x", status, "", "", "", "");
  }
}
