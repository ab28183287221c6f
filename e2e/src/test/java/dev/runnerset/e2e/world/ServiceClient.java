package dev.runnerset.e2e.world;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.CreateScaleSetResult;
import dev.runnerset.actions.JitConfig;
import dev.runnerset.actions.JitConfigResult;
import dev.runnerset.actions.JobDescription;
import dev.runnerset.actions.MessageSession;
import dev.runnerset.actions.NewScaleSet;
import dev.runnerset.actions.OpenSessionResult;
import dev.runnerset.actions.PollResult;
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
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The Actions service as one process sees it. A call may find the process dead, or be the last of
 * it, before or after its effect; it may be lost, or its answer.
 */
final class ServiceClient implements ActionsService {
  private final World world;
  private final LivingProcess process;

  ServiceClient(World world, LivingProcess process) {
    this.world = world;
    this.process = process;
  }

  private Service service() {
    return world.service;
  }

  static ServiceError unavailable(String call) {
    var details = new ServiceError.Details(call, 0, "", "no answer", "", "");
    return new ServiceError.Unavailable(details, null);
  }

  private <T> T call(String what, Supplier<T> effect) {
    process.beforeRequest();
    if (service().down) {
      throw new ServiceException(unavailable(what));
    }
    if (!world.chance.fault(14)) {
      world.trace.say(process.name(), what);
      return effect.get();
    }
    switch (world.chance.random.nextInt(4)) {
      case 0 -> {
        world.trace.say(process.name(), what + ": the process dies before it");
        process.die();
        throw new Crash();
      }
      case 1 -> {
        world.trace.say(process.name(), what + ": the process dies after it");
        attempt(effect);
        process.die();
        throw new Crash();
      }
      case 2 -> {
        world.trace.say(process.name(), what + ": lost");
        throw new ServiceException(unavailable(what));
      }
      default -> {
        world.trace.say(process.name(), what + ": carried out, the answer is lost");
        world.rules.unheard();
        attempt(effect);
        throw new ServiceException(unavailable(what));
      }
    }
  }

  private static void attempt(Supplier<?> effect) {
    try {
      var _ = effect.get();
    } catch (ServiceException e) {
      // nobody waits for the answer
    }
  }

  @Override
  public Optional<RunnerGroupId> runnerGroup(String name) {
    return Optional.of(RunnerGroupId.DEFAULT);
  }

  @Override
  public Optional<ScaleSet> findScaleSet(RunnerGroupId group, String name) {
    return call(
        "find scale set " + name,
        () ->
            service().scaleSets.values().stream()
                .filter(set -> set.name().equalsIgnoreCase(name))
                .findFirst()
                .map(service()::withStatistics));
  }

  @Override
  public Optional<ScaleSet> scaleSet(ScaleSetId id) {
    return call(
        "read scale set " + id,
        () ->
            Optional.ofNullable(service().scaleSets.get(id.value()))
                .map(service()::withStatistics));
  }

  @Override
  public CreateScaleSetResult createScaleSet(NewScaleSet wanted) {
    return call(
        "create scale set " + wanted.name(),
        () ->
            service().scaleSets.values().stream().anyMatch(s -> s.name().equals(wanted.name()))
                ? new CreateScaleSetResult.NameTaken()
                : new CreateScaleSetResult.Created(service().create(wanted)));
  }

  @Override
  public ScaleSet updateScaleSet(ScaleSetId id, NewScaleSet wanted) {
    throw new IllegalStateException("no user changes a scale set here");
  }

  @Override
  public void deleteScaleSet(ScaleSetId id) {
    var _ =
        call(
            "delete scale set " + id,
            () -> {
              service().scaleSets.remove(id.value());
              return true;
            });
  }

  @Override
  public JitConfigResult generateJitConfig(ScaleSetId id, String name, String workFolder) {
    return call(
        "register " + name,
        () -> {
          if (service().named(name) != null) {
            return new JitConfigResult.NameTaken();
          }
          var made = service().register(id, name, false).reference;
          return new JitConfigResult.Registered(made, new JitConfig(made.id().toString()));
        });
  }

  @Override
  public Optional<RunnerReference> runner(RunnerId id) {
    return call(
        "read runner " + id,
        () -> Optional.ofNullable(service().registrations.get(id.value())).map(r -> r.reference));
  }

  @Override
  public Optional<RunnerReference> runnerNamed(String name) {
    return call(
        "find runner " + name,
        () -> Optional.ofNullable(service().named(name)).map(r -> r.reference));
  }

  @Override
  public RunnerList runners(int mostPages) {
    return call("list runners", service()::list);
  }

  @Override
  public Optional<RunnerVersion> listedVersion(RunnerId id) {
    return Optional.empty();
  }

  @Override
  public Optional<VersionDates> versionDates(RunnerVersion version) {
    return Optional.empty();
  }

  @Override
  public Optional<WorkflowRun> workflowRun(RepositoryName repository, long run) {
    return call("read run " + run, () -> world.runs.read(repository, run));
  }

  @Override
  public Optional<List<WorkflowJob>> workflowJobs(
      RepositoryName repository, long run, int mostPages) {
    return call("list jobs of run " + run, () -> world.runs.jobs(repository, run));
  }

  @Override
  public void rerunFailedJobs(RepositoryName repository, long run) {
    var _ =
        call(
            "run failed jobs of run " + run + " again",
            () -> {
              world.runs.rerunFailedJobs(repository, run, false);
              return true;
            });
  }

  @Override
  public void rerunJob(RepositoryName repository, long job) {
    var _ =
        call(
            "run execution " + job + " again",
            () -> {
              world.runs.rerunJob(repository, job, false);
              return true;
            });
  }

  @Override
  public Optional<Boolean> mayRerun() {
    return Optional.of(true);
  }

  @Override
  public RemoveRunnerResult removeRunner(RunnerId id) {
    try {
      return call("remove runner " + id, () -> service().remove(id, process.name()));
    } catch (ServiceException e) {
      return new RemoveRunnerResult.Failed(e.error());
    }
  }

  @Override
  public OpenSessionResult openSession(ScaleSetId id, String owner) {
    return call(
        "open a session",
        () -> {
          var opened = service().openSession(id);
          return opened.isEmpty()
              ? new OpenSessionResult.Conflict("another session is open")
              : new OpenSessionResult.Opened(
                  new Session(new SessionId(opened), service().queue(id)));
        });
  }

  @Override
  public void deleteSession(ScaleSetId id, SessionId session) {
    var _ =
        call(
            "delete " + session,
            () -> {
              service().queue(id).close(session.value());
              return true;
            });
  }

  @Override
  public void close() {}

  @Override
  public List<JobDescription> acquirableJobs(ScaleSetId id) {
    return call("list offered jobs", service()::offers);
  }

  private final class Session implements MessageSession {
    private final SessionId id;
    private final SetQueue queue;
    private final Statistics statistics;
    private boolean ended;

    Session(SessionId id, SetQueue queue) {
      this.id = id;
      this.queue = queue;
      this.statistics = queue.statistics();
    }

    @Override
    public SessionId id() {
      return id;
    }

    @Override
    public Statistics statistics() {
      return statistics;
    }

    @Override
    public PollResult poll(long lastMessageId, int capacity) {
      throw new IllegalStateException("polls are played beside the loop");
    }

    @Override
    public Set<Long> acquire(List<Long> requestIds) {
      world.rules.asked();
      var won =
          call(
              "acquire " + requestIds,
              () -> service().acquire(requestIds, ((ListenerProcess) process).capacity()));
      world.rules.answered();
      return won;
    }

    @Override
    public void acknowledge(long messageId) {
      queue.applied(messageId);
      var _ =
          call(
              "acknowledge " + messageId,
              () -> {
                queue.acknowledge(messageId);
                return true;
              });
    }

    @Override
    public void cancel() {}

    @Override
    public boolean isEnded() {
      return ended;
    }

    @Override
    public void close() {
      try {
        var _ =
            call(
                "delete " + id,
                () -> {
                  queue.close(id.value());
                  return true;
                });
        ended = true;
      } catch (ServiceException e) {
        // it may still be open
      }
    }
  }
}
