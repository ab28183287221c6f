package dev.runnerset.actions.http;

import static dev.runnerset.actions.http.ServiceUrls.AGENTS;
import static dev.runnerset.actions.http.ServiceUrls.GROUPS;
import static dev.runnerset.actions.http.ServiceUrls.SETS;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.CreateScaleSetResult;
import dev.runnerset.actions.JitConfig;
import dev.runnerset.actions.JitConfigResult;
import dev.runnerset.actions.NewScaleSet;
import dev.runnerset.actions.OpenSessionResult;
import dev.runnerset.actions.RemoveRunnerResult;
import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.RunnerList;
import dev.runnerset.actions.RunnerReference;
import dev.runnerset.actions.ScaleSet;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.actions.SessionId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The service over HTTP (protocol 3). */
final class HttpActionsService implements ActionsService {
  private final AdminCalls calls;
  private final RunnerPages pages;
  private final UserAgent userAgent;
  private final Duration pollCall;
  private final Runnable closed;

  HttpActionsService(
      AdminCalls calls,
      RunnerPages pages,
      UserAgent userAgent,
      Duration pollCall,
      Runnable closed) {
    this.closed = closed;
    this.calls = calls;
    this.pages = pages;
    this.userAgent = userAgent;
    this.pollCall = pollCall;
  }

  @Override
  public Optional<RunnerGroupId> runnerGroup(String name) {
    return calls
        .get(Endpoint.FIND_RUNNER_GROUP, GROUPS, Map.of("groupName", name))
        .expect(200)
        .atMostOne(Wire.Group.class)
        .map(group -> new RunnerGroupId(group.id()));
  }

  @Override
  public Optional<ScaleSet> findScaleSet(RunnerGroupId group, String name) {
    var query = Map.of("runnerGroupId", group.toString(), "name", name);
    return calls
        .get(Endpoint.FIND_SCALE_SET, SETS, query)
        .expect(200)
        .atMostOne(Wire.ScaleSet.class)
        .map(Wire.ScaleSet::toScaleSet);
  }

  @Override
  public Optional<ScaleSet> scaleSet(ScaleSetId id) {
    var outcome = calls.get(Endpoint.GET_SCALE_SET, path(id), Map.of());
    if (outcome.says(Fault.SCALE_SET_NOT_FOUND)
        || (outcome.is(200) && outcome.answer().body().strip().equals("null"))) {
      return Optional.empty();
    }
    return Optional.of(scaleSet(outcome));
  }

  @Override
  public CreateScaleSetResult createScaleSet(NewScaleSet wanted) {
    if (wanted.name().isBlank() && wanted.labels().isEmpty()) {
      throw new ServiceException(
          new ServiceError.Refused(
              new ServiceError.Details(
                  "POST " + SETS, 0, "", "not sent: a scale set needs a name or a label", "", "")));
    }
    var outcome = calls.post(Endpoint.CREATE_SCALE_SET, SETS, body(wanted));
    if (outcome.is(200)) {
      return new CreateScaleSetResult.Created(scaleSet(outcome));
    }
    var failure = outcome.failure();
    if (failure.fault() == Fault.SCALE_SET_EXISTS || isUntyped409(failure)) {
      return new CreateScaleSetResult.NameTaken();
    }
    throw failure.exception();
  }

  @Override
  public ScaleSet updateScaleSet(ScaleSetId id, NewScaleSet wanted) {
    return scaleSet(calls.patch(Endpoint.UPDATE_SCALE_SET, path(id), body(wanted)));
  }

  @Override
  public void deleteScaleSet(ScaleSetId id) {
    var outcome = calls.delete(Endpoint.DELETE_SCALE_SET, path(id));
    if (!outcome.says(Fault.SCALE_SET_NOT_FOUND)) {
      outcome.expect(204);
    }
  }

  @Override
  public JitConfigResult generateJitConfig(ScaleSetId id, String runnerName, String workFolder) {
    var body = Json.object().put("name", runnerName).put("workFolder", workFolder);
    var outcome = calls.post(Endpoint.GENERATE_JIT_CONFIG, path(id) + "/generatejitconfig", body);
    if (outcome.is(200)) {
      var jit = outcome.read(Wire.Jit.class);
      var config = Wire.text(jit.encodedJITConfig());
      if (jit.runner() == null || jit.runner().id() == 0 || config.isEmpty()) {
        throw outcome.malformed("a JIT config without its runner, or a runner without one");
      }
      return new JitConfigResult.Registered(jit.runner().toReference(), new JitConfig(config));
    }
    var failure = outcome.failure();
    if (failure.fault() == Fault.RUNNER_EXISTS || isUntyped409(failure)) {
      return new JitConfigResult.NameTaken();
    }
    throw failure.exception();
  }

  @Override
  public Optional<RunnerReference> runner(RunnerId id) {
    var outcome = calls.get(Endpoint.GET_RUNNER, AGENTS + "/" + id, Map.of());
    if (outcome.says(Fault.RUNNER_NOT_FOUND)) {
      return Optional.empty();
    }
    return Optional.of(outcome.expect(200).read(Wire.Runner.class).toReference());
  }

  @Override
  public Optional<RunnerReference> runnerNamed(String name) {
    return calls
        .get(Endpoint.FIND_RUNNER, AGENTS, Map.of("agentName", name))
        .expect(200)
        .atMostOne(Wire.Runner.class)
        .map(Wire.Runner::toReference);
  }

  @Override
  public RunnerList runners(int mostPages) {
    return pages.read(mostPages);
  }

  @Override
  public RemoveRunnerResult removeRunner(RunnerId id) {
    try {
      var outcome = calls.delete(Endpoint.REMOVE_RUNNER, AGENTS + "/" + id);
      if (outcome.is(204)) {
        return new RemoveRunnerResult.Removed();
      }
      if (outcome.says(Fault.RUNNER_NOT_FOUND)) {
        return new RemoveRunnerResult.NotFound();
      }
      var failure = outcome.failure();
      return failure.fault() == Fault.JOB_STILL_RUNNING
          ? new RemoveRunnerResult.JobStillRunning()
          : new RemoveRunnerResult.Failed(failure.error());
    } catch (ServiceException e) {
      return new RemoveRunnerResult.Failed(e.error());
    }
  }

  @Override
  public OpenSessionResult openSession(ScaleSetId id, String owner) {
    return sessions(id).open(owner, pollCall);
  }

  @Override
  public void deleteSession(ScaleSetId id, SessionId session) {
    sessions(id).delete(session);
  }

  @Override
  public void close() {
    closed.run();
  }

  private SessionCalls sessions(ScaleSetId id) {
    return new SessionCalls(calls.as(userAgent.withScaleSetId(id.value())), id);
  }

  private static ScaleSet scaleSet(CallResult outcome) {
    var set = outcome.expect(200).read(Wire.ScaleSet.class);
    if (set.id() == 0) {
      throw outcome.malformed("a scale set without an id");
    }
    return set.toScaleSet();
  }

  private static JsonNode body(NewScaleSet wanted) {
    var body =
        Json.object()
            .put("name", wanted.name())
            .put("runnerGroupId", wanted.runnerGroupId().value());
    var labels = body.putArray("labels");
    var names = wanted.labels().isEmpty() ? List.of(wanted.name()) : wanted.labels();
    names.forEach(name -> labels.addObject().put("type", "System").put("name", name));
    body.putObject("RunnerSetting").put("disableUpdate", true); // absent would mean false
    return body;
  }

  /** A conflict in an answer that names no exception is about the name (protocol 2.4 c, d). */
  private static boolean isUntyped409(Failure failure) {
    return failure.status() == 409 && failure.isUntyped();
  }

  private static String path(ScaleSetId id) {
    return SETS + "/" + id;
  }
}
