package dev.runnerset.simulator.service;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * JIT configurations and registrations, as the controller sees them (protocol 3.8, protocol 3.9).
 */
final class RunnerAdminApi {
  private static final String SPACE = "GitHub.DistributedTask.WebApi.";
  private final ServiceState state;
  private final AdminAccess access;
  private final RunnerRegistry runners;
  private final JitKeys keys;

  RunnerAdminApi(ServiceState state, AdminAccess access, RunnerRegistry runners, JitKeys keys) {
    this.state = state;
    this.access = access;
    this.runners = runners;
    this.keys = keys;
  }

  Reply generate(Request request) {
    var name = Json.field(request.json(), "name").asText();
    var workFolder = Json.field(request.json(), "workFolder").asText();
    var id = request.segments().get(3);
    return access.with(
        request,
        (scope, now) -> {
          var set = access.set(scope, id);
          if (set.isEmpty()) {
            return AdminAccess.setNotFound(id);
          }
          if (name.isEmpty()) {
            return Reply.fault(400, SPACE + "TaskAgentInvalidException", "A name is needed.");
          }
          if (runners.byName(scope, name).isPresent()) {
            return Reply.fault(
                409,
                SPACE + "TaskAgentExistsException",
                "Already exists: a runner named " + name + ".");
          }
          var runner =
              runners.register(name, set.get(), keys.keyOf(state.nextNumber()), false, now);
          var node = Json.object();
          node.set("runner", runner.json());
          return Reply.json(
              200, node.put("encodedJITConfig", keys.blob(runner, workFolder, state.root())));
        });
  }

  Reply get(Request request) {
    var id = Numbers.parse(request.segments().getLast()).orElse(-1);
    return access.with(
        request,
        (scope, now) ->
            runners
                .byId(scope, id)
                .map(r -> Reply.json(200, r.json()))
                .orElseGet(() ->
                    Reply.fault(
                        404,
                        SPACE + "TaskAgentNotFoundException",
                        "No agent found with identifier " + id + ".")));
  }

  Reply find(Request request) {
    var name = request.parameter("agentName");
    return access.with(
        request,
        (scope, now) -> {
          var found =
              name.isEmpty()
                  ? new ArrayList<>(
                      runners.all().stream().filter(r -> r.set.scope.equals(scope)).toList())
                  : runners.byName(scope, name.get()).map(List::of).orElse(List.of());
          return Reply.json(200, Json.counted(found.stream().map(Runner::json).toList()));
        });
  }

  /** 204 also for an unknown id; 400 for a busy one or one with a job in flight (protocol 7.3). */
  Reply remove(Request request) {
    var id = Numbers.parse(request.segments().getLast()).orElse(-1);
    return access.with(
        request,
        (scope, now) -> {
          var found = runners.byId(scope, id);
          if (found.isEmpty()) {
            state.counters.count("removeRunner.unknown");
            return Reply.empty(204);
          }
          var runner = found.get();
          state.removals.requested(runner.name, now);
          if (runner.isBusy()) {
            state.counters.count("removeRunner.useless");
            state.removals.useless(runner, now);
            return Reply.fault(
                400,
                SPACE + "TaskAgentJobStillRunningException",
                "The job of agent " + runner.name + " is still running.");
          }
          removeIdle(runner, now);
          return Reply.empty(204);
        });
  }

  private void removeIdle(Runner runner, Instant now) {
    if (runner.foreign) {
      state.violations.add(
          now,
          Violation.Kind.REMOVED_FOREIGN,
          runner.name,
          "a registration of somebody else was removed");
    }
    state.counters.count("removeRunner.removed");
    state.removals.succeeded(runner.set);
    runners.remove(runner);
  }
}
