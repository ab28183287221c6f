package dev.runnerset.listener.session;

import static dev.runnerset.listener.demand.Heard.counts;
import static dev.runnerset.listener.demand.Heard.job;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.CreateScaleSetResult;
import dev.runnerset.actions.JitConfigResult;
import dev.runnerset.actions.JobDescription;
import dev.runnerset.actions.MessageSession;
import dev.runnerset.actions.NewScaleSet;
import dev.runnerset.actions.OpenSessionResult;
import dev.runnerset.actions.PollResult;
import dev.runnerset.actions.PollResult.Message;
import dev.runnerset.actions.RemoveRunnerResult;
import dev.runnerset.actions.RepositoryName;
import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.RunnerList;
import dev.runnerset.actions.RunnerReference;
import dev.runnerset.actions.RunnerVersion;
import dev.runnerset.actions.ScaleSet;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.actions.SessionId;
import dev.runnerset.actions.Statistics;
import dev.runnerset.actions.VersionDates;
import dev.runnerset.actions.WorkflowJob;
import dev.runnerset.actions.WorkflowRun;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A service that keeps messages until they are acknowledged, and one session, which it forgets only
 * 90 s after its last contact (protocol 4.7): a session that a listener lost is still open.
 */
final class FakeService implements ActionsService {
  private static final double SESSION_LIFE = 90;

  /**
   * What goes wrong with sessions, each in a share of the requests.
   *
   * @param lostOnPoll polls that are answered as if the session were gone: a 404, a 400 that is no
   *     text, or a second 401
   * @param tokenExpires polls that stand for 30 s before they are answered so
   * @param unusable openings whose answer lacks the URL of the queue, or the token
   * @param noStatistics openings whose answer lacks statistics
   * @param openingUnheard openings that are carried out, but whose answer is lost
   * @param deletionFails deletions that are not carried out
   */
  record SessionFaults(
      double lostOnPoll,
      double tokenExpires,
      double unusable,
      double noStatistics,
      double openingUnheard,
      double deletionFails) {
    static final SessionFaults NONE = new SessionFaults(0, 0, 0, 0, 0, 0);
  }

  private final FakeWorld world;
  private final TreeMap<Long, Message> queue = new TreeMap<>();
  final Deque<ServiceError> failures = new ArrayDeque<>();
  Function<String, @Nullable ServiceError> refuses = access -> null;
  String access = "";
  Statistics atStart = counts("");
  @Nullable Statistics ofScaleSet;

  /** How often the list of offers cannot be read. */
  int failsToList;

  /** Offered jobs, by request. */
  final Set<Long> offered = new TreeSet<>();

  String open = "";
  int sessions;
  boolean deaf;

  /** How long each call takes until it is given up without an answer. */
  Duration silent = Duration.ZERO;

  SessionFaults faults = SessionFaults.NONE;
  Random random = new Random(1);
  int faultsHit;
  String conflictWords = "";
  private double lastContact;
  private long after;

  FakeService(FakeWorld world) {
    this.world = world;
  }

  void say(Message message) {
    queue.put(message.messageId(), message);
    if (world.isPolling() && message.messageId() > after) {
      world.answer(message);
    }
  }

  void polled(long after) {
    this.after = after;
    if (deaf) {
      deaf = false; // this poll never ends
      return;
    }
    var refusal = refuses.apply(access);
    if (refusal != null) {
      world.at(world.seconds() + 1, () -> world.answer(refusal));
      return;
    }
    lastContact = world.seconds();
    if (hits(faults.lostOnPoll)) {
      world.at(world.seconds() + 0.05, () -> world.answer(lost()));
      return;
    }
    if (hits(faults.tokenExpires)) {
      world.at(world.seconds() + 30, () -> world.answer(lost()));
      return;
    }
    var next = queue.higherEntry(after);
    var due = world.seconds() + (next == null ? 50 : 0);
    world.at(due, () -> world.answer(next == null ? new PollResult.Nothing() : next.getValue()));
  }

  static ServiceError lost() {
    return new ServiceError.SessionLost(FakeWorld.details(404));
  }

  int backlog() {
    return queue.size();
  }

  private boolean hits(double share) {
    var hit = share > 0 && random.nextDouble() < share;
    faultsHit += hit ? 1 : 0;
    return hit;
  }

  private boolean isFree() {
    return open.isEmpty() || (!world.isPolling() && world.seconds() >= lastContact + SESSION_LIFE);
  }

  private void ask() {
    if (silent.isPositive()) {
      throw world.failureAfter(silent);
    }
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
    if (!isFree()) {
      world.event("conflict");
      return new OpenSessionResult.Conflict(conflictWords);
    }
    open = "s" + ++sessions;
    lastContact = world.seconds();
    if (hits(faults.openingUnheard)) {
      world.event("open " + open + " unheard");
      throw new ServiceException(new ServiceError.Unavailable(FakeWorld.details(0), null));
    }
    if (hits(faults.unusable)) {
      world.event("open " + open + " unusable");
      return new OpenSessionResult.Unusable(new SessionId(open), "the URL of its queue");
    }
    world.event("open " + open);
    return new OpenSessionResult.Opened(
        new Session(new SessionId(open), hits(faults.noStatistics) ? null : atStart));
  }

  @Override
  public void deleteSession(ScaleSetId id, SessionId session) {
    ask();
    if (hits(faults.deletionFails)) {
      world.event("delete " + session + " fails");
      throw new ServiceException(new ServiceError.Unavailable(FakeWorld.details(503), null));
    }
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
            id, "linux", RunnerGroupId.DEFAULT, java.util.List.of(), ofScaleSet, null, null));
  }

  @Override
  public List<JobDescription> acquirableJobs(ScaleSetId id) {
    ask();
    if (failsToList-- > 0) {
      world.event("Unavailable");
      throw new ServiceException(new ServiceError.Unavailable(FakeWorld.details(503), null));
    }
    world.event("list offers");
    return offered.stream().map(request -> job("#" + request)).toList();
  }

  private final class Session implements MessageSession {
    private final SessionId id;
    private final @Nullable Statistics statistics;
    private boolean ended;

    Session(SessionId id, @Nullable Statistics statistics) {
      this.id = id;
      this.statistics = statistics;
    }

    @Override
    public SessionId id() {
      return id;
    }

    @Override
    public @Nullable Statistics statistics() {
      return statistics;
    }

    @Override
    public boolean isEnded() {
      return ended;
    }

    @Override
    public PollResult poll(long lastMessageId, int capacity) {
      throw new AssertionError("polls go through Polls");
    }

    @Override
    public Set<Long> acquire(List<Long> requestIds) {
      ask();
      world.event("acquire " + requestIds);
      var won = requestIds.stream().filter(offered::contains).collect(Collectors.toSet());
      offered.removeAll(won);
      return won;
    }

    @Override
    public void acknowledge(long messageId) {
      ask();
      lastContact = world.seconds();
      queue.remove(messageId);
      world.event("ack " + messageId);
    }

    @Override
    public void cancel() {}

    @Override
    public void close() {
      if (silent.isPositive()) {
        var _ = world.failureAfter(silent);
        return;
      }
      if (hits(faults.deletionFails)) {
        world.event("close " + id + " fails");
        return;
      }
      world.event("close " + id);
      ended = true;
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
  public ScaleSet updateScaleSet(ScaleSetId id, NewScaleSet wanted) {
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
  public RunnerList runners(int mostPages) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<RunnerVersion> listedVersion(RunnerId id) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<VersionDates> versionDates(RunnerVersion version) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<WorkflowRun> workflowRun(RepositoryName repository, long run) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<List<WorkflowJob>> workflowJobs(
      RepositoryName repository, long run, int mostPages) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void rerunFailedJobs(RepositoryName repository, long run) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void rerunJob(RepositoryName repository, long job) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Optional<Boolean> mayRerun() {
    throw new UnsupportedOperationException();
  }

  @Override
  public RemoveRunnerResult removeRunner(RunnerId id) {
    throw notAListenersCall();
  }

  private static AssertionError notAListenersCall() {
    return new AssertionError("a listener does not call this");
  }
}
