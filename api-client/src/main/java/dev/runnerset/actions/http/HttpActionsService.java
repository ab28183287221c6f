package dev.runnerset.actions.http;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.CreateScaleSetResult;
import dev.runnerset.actions.JitConfig;
import dev.runnerset.actions.JitConfigResult;
import dev.runnerset.actions.JobDescription;
import dev.runnerset.actions.NewScaleSet;
import dev.runnerset.actions.OpenSessionResult;
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
import dev.runnerset.actions.VersionDates;
import dev.runnerset.actions.WorkflowJob;
import dev.runnerset.actions.WorkflowRun;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The service over HTTP (protocol 3). */
record HttpActionsService(
    AdminCalls calls,
    GitHubApi gitHub,
    WorkflowRuns runs,
    BearerSource bearers,
    UserAgent userAgent,
    Duration pollCall,
    Runnable closed)
    implements ActionsService {
  @Override
  public Optional<RunnerGroupId> runnerGroup(String name) {
    return calls
        .find(Endpoint.FIND_RUNNER_GROUP, Map.of("groupName", name))
        .atMostOne(Wire.Group.class)
        .map(group -> new RunnerGroupId(group.id()));
  }

  @Override
  public Optional<ScaleSet> findScaleSet(RunnerGroupId group, String name) {
    return calls
        .find(Endpoint.FIND_SCALE_SET, Map.of("runnerGroupId", group.toString(), "name", name))
        .atMostOne(Wire.ScaleSet.class)
        .map(Wire.ScaleSet::toScaleSet);
  }

  @Override
  public Optional<ScaleSet> scaleSet(ScaleSetId id) {
    var answer = calls.send(Endpoint.GET_SCALE_SET, null, id);
    return answer.isFault() || (answer.is(200) && answer.body().strip().equals("null"))
        ? Optional.empty()
        : Optional.of(scaleSet(answer));
  }

  @Override
  public CreateScaleSetResult createScaleSet(NewScaleSet wanted) {
    if (wanted.name().isBlank() && wanted.labels().isEmpty()) {
      throw new ServiceException(
          new ServiceError.Refused(
              ServiceError.Details.unanswered(
                  "POST " + Endpoint.CREATE_SCALE_SET.path(),
                  "not sent: a scale set needs a name or a label")));
    }
    var answer = calls.send(Endpoint.CREATE_SCALE_SET, body(wanted));
    return answer.isFault()
        ? new CreateScaleSetResult.NameTaken()
        : new CreateScaleSetResult.Created(scaleSet(answer));
  }

  @Override
  public ScaleSet updateScaleSet(ScaleSetId id, NewScaleSet wanted) {
    return scaleSet(calls.send(Endpoint.UPDATE_SCALE_SET, body(wanted), id));
  }

  @Override
  public void deleteScaleSet(ScaleSetId id) {
    var answer = calls.send(Endpoint.DELETE_SCALE_SET, null, id);
    if (!answer.isFault()) {
      var _ = answer.success();
    }
  }

  @Override
  public JitConfigResult generateJitConfig(ScaleSetId id, String runnerName, String workFolder) {
    var body = new Wire.NewRunner(runnerName, workFolder);
    var answer = calls.send(Endpoint.GENERATE_JIT_CONFIG, body, id);
    if (answer.isFault()) {
      return new JitConfigResult.NameTaken();
    }
    var jit = answer.read(Wire.Jit.class);
    var config = Fields.orEmpty(jit.encodedJITConfig());
    if (jit.runner() == null || jit.runner().id() == 0 || config.isEmpty()) {
      throw answer.malformed("a JIT config without its runner, or a runner without one");
    }
    return new JitConfigResult.Registered(jit.runner().toReference(), new JitConfig(config));
  }

  @Override
  public Optional<RunnerReference> runner(RunnerId id) {
    var answer = calls.send(Endpoint.GET_RUNNER, null, id);
    return answer.isFault()
        ? Optional.empty()
        : Optional.of(answer.read(Wire.Runner.class).toReference());
  }

  @Override
  public Optional<RunnerReference> runnerNamed(String name) {
    return calls
        .find(Endpoint.FIND_RUNNER, Map.of("agentName", name))
        .atMostOne(Wire.Runner.class)
        .map(Wire.Runner::toReference);
  }

  @Override
  public RunnerList runners(int mostPages) {
    return gitHub.runners(bearers.bearer(), mostPages);
  }

  @Override
  public Optional<RunnerVersion> listedVersion(RunnerId id) {
    return withKept(bearer -> gitHub.version(bearer, id));
  }

  @Override
  public Optional<VersionDates> versionDates(RunnerVersion version) {
    return withKept(bearer -> gitHub.dates(bearer, version));
  }

  @Override
  public Optional<WorkflowRun> workflowRun(RepositoryName repository, long run) {
    return withKept(bearer -> runs.run(bearer, repository, run));
  }

  @Override
  public Optional<List<WorkflowJob>> workflowJobs(
      RepositoryName repository, long run, int mostPages) {
    return withKept(bearer -> runs.jobs(bearer, repository, run, mostPages));
  }

  @Override
  public void rerunFailedJobs(RepositoryName repository, long run) {
    withKept(bearer -> {
      runs.rerunFailedJobs(bearer, repository, run);
      return Optional.empty();
    });
  }

  @Override
  public void rerunJob(RepositoryName repository, long job) {
    withKept(bearer -> {
      runs.rerunJob(bearer, repository, job);
      return Optional.empty();
    });
  }

  @Override
  public Optional<Boolean> mayRerun() {
    return gitHub.exchanges().rights().rerun();
  }

  /** A kept token that is refused is replaced once; the call was not carried out. */
  private <T> T withKept(Function<String, T> call) {
    var token = bearers.kept();
    try {
      return call.apply(token);
    } catch (ServiceException e) {
      if (e.error() instanceof ServiceError.Unauthorized && bearers.refused(token)) {
        return call.apply(bearers.kept());
      }
      throw e;
    }
  }

  @Override
  public RemoveRunnerResult removeRunner(RunnerId id) {
    try {
      var answer = calls.send(Endpoint.REMOVE_RUNNER, null, id);
      if (answer.says(Fault.JOB_STILL_RUNNING)) {
        return new RemoveRunnerResult.JobStillRunning();
      }
      if (answer.isFault()) {
        return new RemoveRunnerResult.NotFound();
      }
      var _ = answer.success();
      return new RemoveRunnerResult.Removed();
    } catch (ServiceException e) {
      return new RemoveRunnerResult.Failed(e.error());
    }
  }

  @Override
  public OpenSessionResult openSession(ScaleSetId id, String owner) {
    return HttpMessageSession.open(sessionCalls(id), id, owner, pollCall);
  }

  @Override
  public List<JobDescription> acquirableJobs(ScaleSetId id) {
    var answer = calls.send(Endpoint.LIST_OFFERS, null, id);
    return answer.is(204) || answer.isWithoutSuchCall()
        ? List.of()
        : answer.list(JobDescription.class);
  }

  @Override
  public void deleteSession(ScaleSetId id, SessionId session) {
    HttpMessageSession.delete(sessionCalls(id), id, session);
  }

  @Override
  public void close() {
    closed.run();
  }

  private AdminCalls sessionCalls(ScaleSetId id) {
    return calls.as(userAgent.withScaleSetId(id.value()));
  }

  private static ScaleSet scaleSet(Answer answer) {
    var set = answer.read(Wire.ScaleSet.class);
    if (set.id() == 0) {
      throw answer.malformed("a scale set without an id");
    }
    return set.toScaleSet();
  }

  private static Wire.WantedSet body(NewScaleSet wanted) {
    var names = wanted.labels().isEmpty() ? List.of(wanted.name()) : wanted.labels();
    return new Wire.WantedSet(
        wanted.name(),
        wanted.runnerGroupId().value(),
        names.stream().map(Wire.Label::new).toList(),
        new Wire.RunnerSetting(true));
  }
}
