package dev.runnerset.listener.session;

import static dev.runnerset.listener.demand.Heard.counts;

import dev.runnerset.service.ActionsService;
import dev.runnerset.service.CreateScaleSetResult;
import dev.runnerset.service.JitConfigResult;
import dev.runnerset.service.MessageSession;
import dev.runnerset.service.NewScaleSet;
import dev.runnerset.service.OpenSessionResult;
import dev.runnerset.service.PollResult;
import dev.runnerset.service.PollResult.Message;
import dev.runnerset.service.RemoveRunnerResult;
import dev.runnerset.service.RunnerGroupId;
import dev.runnerset.service.RunnerId;
import dev.runnerset.service.RunnerReference;
import dev.runnerset.service.ScaleSet;
import dev.runnerset.service.ScaleSetId;
import dev.runnerset.service.ServiceError;
import dev.runnerset.service.ServiceException;
import dev.runnerset.service.SessionId;
import dev.runnerset.service.Statistics;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A service that keeps messages until they are acknowledged, and one session. */
final class FakeService implements ActionsService {
  private final FakeWorld world;
  private final TreeMap<Long, Message> queue = new TreeMap<>();
  final Deque<ServiceError> failures = new ArrayDeque<>();
  Function<String, @Nullable ServiceError> refuses = access -> null;
  String access = "";
  Statistics atStart = counts("");
  @Nullable Statistics ofScaleSet;
  String open = "";
  int sessions;
  boolean deaf;

  FakeService(FakeWorld world) {
    this.world = world;
  }

  void say(Message message) {
    queue.put(message.messageId(), message);
    if (world.isPolling()) {
      world.answer(message);
    }
  }

  void polled(long after) {
    if (deaf) {
      deaf = false; // this poll never ends
      return;
    }
    var refusal = refuses.apply(access);
    if (refusal != null) {
      world.at(world.seconds() + 1, () -> world.answer(refusal));
      return;
    }
    var next = queue.higherEntry(after);
    var due = world.seconds() + (next == null ? 50 : 0);
    world.at(due, () -> world.answer(next == null ? new PollResult.Nothing() : next.getValue()));
  }

  private void ask() {
    var refusal = refuses.apply(access);
    var failure = refusal == null ? failures.poll() : refusal;
    if (failure != null) {
      world.event(failure.getClass().getSimpleName());
      throw new ServiceException(failure);
    }
  }

  @Override
  public OpenSessionResult openSession(ScaleSetId id, String owner) {
    ask();
    if (!open.isEmpty()) {
      world.event("conflict");
      return new OpenSessionResult.Conflict();
    }
    open = "s" + ++sessions;
    world.event("open " + open);
    return new OpenSessionResult.Opened(new Session(new SessionId(open)));
  }

  @Override
  public void deleteSession(ScaleSetId id, SessionId session) {
    ask();
    world.event("delete " + session);
    if (open.equals(session.value())) {
      open = "";
    }
  }

  @Override
  public Optional<ScaleSet> scaleSet(ScaleSetId id) {
    ask();
    world.event("read scale set");
    return Optional.of(
        new ScaleSet(
            id, "linux", RunnerGroupId.DEFAULT, "Default", java.util.List.of(), ofScaleSet));
  }

  private final class Session implements MessageSession {
    private final SessionId id;

    Session(SessionId id) {
      this.id = id;
    }

    @Override
    public SessionId id() {
      return id;
    }

    @Override
    public Statistics statistics() {
      return atStart;
    }

    @Override
    public PollResult poll(long lastMessageId, int capacity) {
      throw new AssertionError("polls go through Polls");
    }

    @Override
    public void acknowledge(long messageId) {
      ask();
      queue.remove(messageId);
      world.event("ack " + messageId);
    }

    @Override
    public void cancel() {}

    @Override
    public void close() {
      world.event("close " + id);
      if (open.equals(id.value())) {
        open = "";
      }
    }
  }

  @Override
  public void close() {}

  @Override
  public Optional<RunnerGroupId> runnerGroup(String name) {
    throw notAListenersCall();
  }

  @Override
  public Optional<ScaleSet> findScaleSet(RunnerGroupId group, String name) {
    throw notAListenersCall();
  }

  @Override
  public CreateScaleSetResult createScaleSet(NewScaleSet wanted) {
    throw notAListenersCall();
  }

  @Override
  public ScaleSet updateScaleSet(ScaleSetId id, String name, RunnerGroupId group) {
    throw notAListenersCall();
  }

  @Override
  public void deleteScaleSet(ScaleSetId id) {
    throw notAListenersCall();
  }

  @Override
  public JitConfigResult generateJitConfig(ScaleSetId id, String runnerName, String workFolder) {
    throw notAListenersCall();
  }

  @Override
  public Optional<RunnerReference> runner(RunnerId id) {
    throw notAListenersCall();
  }

  @Override
  public Optional<RunnerReference> runnerNamed(String name) {
    throw notAListenersCall();
  }

  @Override
  public RemoveRunnerResult removeRunner(RunnerId id) {
    throw notAListenersCall();
  }

  private static AssertionError notAListenersCall() {
    return new AssertionError("a listener does not call this");
  }
}
