package dev.runnerset.actions.http;

import static dev.runnerset.actions.http.StubService.body;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.CreateScaleSetResult;
import dev.runnerset.actions.JitConfigResult;
import dev.runnerset.actions.NewScaleSet;
import dev.runnerset.actions.OpenSessionResult;
import dev.runnerset.actions.RemoveRunnerResult;
import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.RunnerReference;
import dev.runnerset.actions.ScaleSet;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.SessionId;
import dev.runnerset.actions.Statistics;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import mockwebserver3.MockWebServer;
import mockwebserver3.junit5.StartStop;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every endpoint's request to the letter, and what is made of its answers (protocol 3). */
final class ActionsServiceIT {
  private static final String SET =
      """
      {"ID":7,"name":"s1","runnerGroupId":1,"runnerGroupName":"Default","unknown":[1],
       "labels":[{"type":"System","name":"s1"},{"type":"User","name":"gpu"}],
       "RunnerSetting":{"disableUpdate":true},"createdOn":"2026-01-01T00:00:00Z","status":"online",
       "statistics":{"totalAvailableJobs":1,"totalAcquiredJobs":2,"totalAssignedJobs":3,
       "totalRunningJobs":4,"totalRegisteredRunners":5,"TotalBusyRunners":6,"totalIdleRunners":7}}
      """;

  private static final ScaleSet READ_SET =
      new ScaleSet(
          new ScaleSetId(7),
          "s1",
          new RunnerGroupId(1),
          List.of("s1", "gpu"),
          new Statistics(1, 2, 3, 4, 5, 6, 7),
          Instant.parse("2026-01-01T00:00:00Z"),
          true);

  private static final String RUNNER = "{\"id\":42,\"name\":\"r-1\",\"runnerScaleSetId\":7}";

  private static final RunnerReference READ_RUNNER =
      new RunnerReference(new RunnerId(42), "r-1", new ScaleSetId(7));

  @StartStop final MockWebServer server = new MockWebServer();

  record Row(
      String what,
      Function<ActionsService, Object> call,
      String request,
      String body,
      int status,
      String answer,
      Object expected) {
    @Override
    public String toString() {
      return what + " " + status;
    }
  }

  static Row row(
      String what,
      Function<ActionsService, Object> call,
      String request,
      int status,
      String answer,
      Object expected) {
    return new Row(what, call, request, "", status, answer, expected);
  }

  static Row sending(
      String what,
      Function<ActionsService, Object> call,
      String request,
      String body,
      String answer,
      Object expected) {
    return new Row(what, call, request, body, 200, answer, expected);
  }

  static Object done(Runnable call) {
    call.run();
    return "done";
  }

  static Stream<Row> reads() {
    String sets = "GET /tenant/123/_apis/runtime/runnerscalesets";
    String agents = "/tenant/123/_apis/distributedtask/pools/0/agents";
    String v = "api-version=6.0-preview";
    var id = new ScaleSetId(7);
    return Stream.of(
        row(
            "protocol 3.1 group, slash kept",
            s -> s.runnerGroup("a b&c=#+%/é"),
            "GET /tenant/123/_apis/runtime/runnergroups/?"
                + v
                + "&groupName=a%20b%26c%3D%23%2B%25%2F%C3%A9",
            200,
            "{\"count\":1,\"value\":[{\"id\":3,\"name\":\"x\",\"isDefaultGroup\":false}]}",
            Optional.of(new RunnerGroupId(3))),
        row(
            "protocol 3.1 no group, by count",
            s -> s.runnerGroup("g"),
            "GET /tenant/123/_apis/runtime/runnergroups/?" + v + "&groupName=g",
            200,
            "{\"count\":0,\"value\":[{\"id\":3}]}",
            Optional.empty()),
        row(
            "protocol 3.2 find",
            s -> s.findScaleSet(new RunnerGroupId(1), "s1"),
            sets + "?" + v + "&name=s1&runnerGroupId=1",
            200,
            "\uFEFF{\"count\":1,\"value\":[" + SET + "]}",
            Optional.of(READ_SET)),
        row(
            "protocol 3.2 find none",
            s -> s.findScaleSet(new RunnerGroupId(1), "s1"),
            sets + "?" + v + "&name=s1&runnerGroupId=1",
            200,
            "{\"count\":0,\"value\":null}",
            Optional.empty()),
        row(
            "protocol 3.3 get",
            s -> s.scaleSet(id),
            sets + "/7?" + v,
            200,
            SET,
            Optional.of(READ_SET)),
        row(
            "protocol 3.3 null",
            s -> s.scaleSet(id),
            sets + "/7?" + v,
            200,
            "null",
            Optional.empty()),
        row(
            "protocol 3.3 gone",
            s -> s.scaleSet(id),
            sets + "/7?" + v,
            404,
            "{\"typeName\":\"GitHub.Actions.Runtime.WebApi.RunnerScaleSetNotFoundException\"}",
            Optional.empty()),
        row(
            "protocol 3.9 runner",
            s -> s.runner(new RunnerId(42)),
            "GET " + agents + "/42?" + v,
            200,
            RUNNER,
            Optional.of(READ_RUNNER)),
        row(
            "protocol 3.9 no runner",
            s -> s.runner(new RunnerId(42)),
            "GET " + agents + "/42?" + v,
            404,
            "{\"typeName\":\"GitHub.DistributedTask.WebApi.TaskAgentNotFoundException, x\"}",
            Optional.empty()),
        row(
            "protocol 3.9 by name",
            s -> s.runnerNamed("r 1"),
            "GET " + agents + "?agentName=r%201&" + v,
            200,
            "{\"count\":1,\"value\":[" + RUNNER + "]}",
            Optional.of(READ_RUNNER)),
        row(
            "protocol 3.9 none of that name",
            s -> s.runnerNamed("r-1"),
            "GET " + agents + "?agentName=r-1&" + v,
            200,
            "{\"count\":0,\"value\":[]}",
            Optional.empty()));
  }

  static Stream<Row> writes() {
    String sets = "/tenant/123/_apis/runtime/runnerscalesets";
    String v = "?api-version=6.0-preview";
    String agent = "/tenant/123/_apis/distributedtask/pools/0/agents/42" + v;
    var id = new ScaleSetId(7);
    var wanted = new NewScaleSet("s1", RunnerGroupId.DEFAULT, List.of("s1", "gpu"));
    String running =
        "{\"typeName\":\"GitHub.DistributedTask.WebApi.TaskAgentJobStillRunningException, x\"}";
    return Stream.of(
        sending(
            "protocol 3.4 create",
            s -> s.createScaleSet(wanted),
            "POST " + sets + v,
            "{\"name\":\"s1\",\"runnerGroupId\":1,\"labels\":[{\"type\":\"System\",\"name\":\"s1\"},"
                + "{\"type\":\"System\",\"name\":\"gpu\"}],"
                + "\"RunnerSetting\":{\"disableUpdate\":true}}",
            SET,
            new CreateScaleSetResult.Created(READ_SET)),
        sending(
            "protocol 3.4 labels default to the name",
            s -> s.createScaleSet(new NewScaleSet("s1", RunnerGroupId.DEFAULT, List.of())),
            "POST " + sets + v,
            "{\"name\":\"s1\",\"runnerGroupId\":1,\"labels\":[{\"type\":\"System\",\"name\":\"s1\"}],"
                + "\"RunnerSetting\":{\"disableUpdate\":true}}",
            SET,
            new CreateScaleSetResult.Created(READ_SET)),
        sending(
            "protocol 3.5 update",
            s ->
                s.updateScaleSet(
                    id, new NewScaleSet("s2", new RunnerGroupId(9), List.of("s2", "gpu"))),
            "PATCH " + sets + "/7" + v,
            "{\"name\":\"s2\",\"runnerGroupId\":9,\"labels\":[{\"type\":\"System\",\"name\":\"s2\"},"
                + "{\"type\":\"System\",\"name\":\"gpu\"}],"
                + "\"RunnerSetting\":{\"disableUpdate\":true}}",
            SET,
            READ_SET),
        row(
            "protocol 3.6 delete",
            s -> done(() -> s.deleteScaleSet(id)),
            "DELETE " + sets + "/7" + v,
            204,
            "",
            "done"),
        row(
            "protocol 3.6 delete gone",
            s -> done(() -> s.deleteScaleSet(id)),
            "DELETE " + sets + "/7" + v,
            404,
            "{\"typeName\":\"G.RunnerScaleSetNotFoundException\"}",
            "done"),
        sending(
            "protocol 3.8 JIT config",
            s -> s.generateJitConfig(id, "r-1", ""),
            "POST " + sets + "/7/generatejitconfig" + v,
            "{\"name\":\"r-1\",\"workFolder\":\"\"}",
            "{\"runner\":" + RUNNER + ",\"encodedJITConfig\":\"abc\"}",
            new JitConfigResult.Registered(
                READ_RUNNER, new dev.runnerset.actions.JitConfig("abc"))),
        row(
            "protocol 3.9 remove",
            s -> s.removeRunner(new RunnerId(42)),
            "DELETE " + agent,
            204,
            "",
            new RemoveRunnerResult.Removed()),
        row(
            "protocol 3.9 remove unknown",
            s -> s.removeRunner(new RunnerId(42)),
            "DELETE " + agent,
            404,
            "{\"typeName\":\"G.TaskAgentNotFoundException\"}",
            new RemoveRunnerResult.NotFound()),
        row(
            "protocol 3.9 remove busy, 400",
            s -> s.removeRunner(new RunnerId(42)),
            "DELETE " + agent,
            400,
            running,
            new RemoveRunnerResult.JobStillRunning()),
        row(
            "protocol 3.9 remove busy, 409",
            s -> s.removeRunner(new RunnerId(42)),
            "DELETE " + agent,
            409,
            running,
            new RemoveRunnerResult.JobStillRunning()),
        row(
            "protocol 3.10 delete session",
            s -> done(() -> s.deleteSession(id, new SessionId("abc"))),
            "DELETE " + sets + "/7/sessions/abc" + v,
            204,
            "",
            "done"),
        row(
            "protocol 3.10 delete dead session, broker",
            s -> done(() -> s.deleteSession(id, new SessionId("abc"))),
            "DELETE " + sets + "/7/sessions/abc" + v,
            404,
            "{\"typeName\":\"RunnerAdminException\"}",
            "done"),
        row(
            "protocol 3.10 delete session of a scale set that is gone",
            s -> done(() -> s.deleteSession(id, new SessionId("abc"))),
            "DELETE " + sets + "/7/sessions/abc" + v,
            404,
            "{\"typeName\":\"G.A.RunnerScaleSetNotFoundException\"}",
            "done"),
        row(
            "protocol 3.10 delete dead session, legacy",
            s -> done(() -> s.deleteSession(id, new SessionId("abc"))),
            "DELETE " + sets + "/7/sessions/abc" + v,
            400,
            "{\"typeName\":\"G.A.RunnerScaleSetSessionExpiredException\"}",
            "done"),
        row(
            "protocol 3.10 session conflict",
            s -> s.openSession(id, "me"),
            "POST " + sets + "/7/sessions" + v,
            409,
            "{\"typeName\":\"G.A.RunnerScaleSetSessionConflictException\",\"message\":\"for owner x\"}",
            new OpenSessionResult.Conflict("for owner x")));
  }

  @ParameterizedTest(name = "[{index}] {0}")
  @MethodSource({"reads", "writes"})
  void sendsTheRequestAndReadsTheAnswer(Row row) {
    var stub = new StubService(server).then(row.status(), row.answer());
    var result = row.call().apply(stub.connect());

    var sent = stub.call();
    assertThat(sent.getMethod() + " " + sent.getTarget()).isEqualTo(row.request());
    if (!row.body().isEmpty()) {
      assertThat(body(sent)).isEqualTo(row.body());
    }
    assertThat(sent.getHeaders().get("Authorization")).isEqualTo("Bearer " + stub.adminToken);
    assertThat(sent.getHeaders().values("Content-Type")).containsExactly("application/json");
    assertThat(sent.getHeaders().get("User-Agent"))
        .startsWith("{\"system\":\"runnerset\",\"version\":\"1.2.3\",\"commit_sha\":\"\"");
    assertThat(result).isEqualTo(row.expected());
  }

  @Test
  void registersOnFirstUseAndOnlyOnce() {
    var stub = new StubService(server).then(200, SET).then(200, SET);
    try (var service = stub.connect()) {
      assertThat(stub.requests).isEmpty();
      assertThat(service.scaleSet(new ScaleSetId(7))).isPresent();
      assertThat(service.scaleSet(new ScaleSetId(7))).isPresent();
    }

    var token = stub.requests.get(0);
    assertThat(token.getMethod() + " " + token.getTarget())
        .isEqualTo("POST /api/v3/orgs/my-org/actions/runners/registration-token");
    assertThat(token.getHeaders().get("Authorization")).isEqualTo("Bearer " + StubService.PAT);
    assertThat(token.getHeaders().get("Content-Type")).isEqualTo("application/vnd.github.v3+json");
    assertThat(body(token)).isEmpty();
    var registration = stub.requests.get(1);
    assertThat(registration.getMethod() + " " + registration.getTarget())
        .isEqualTo("POST /api/v3/actions/runner-registration");
    assertThat(registration.getHeaders().get("Authorization")).isEqualTo("RemoteAuth MARKER-REG");
    assertThat(body(registration))
        .isEqualTo("{\"url\":\"" + stub.url("/my-org") + "\",\"runner_event\":\"register\"}");
    assertThat(stub.registrations()).isEqualTo(1);
    assertThat(stub.requests).hasSize(4);
  }
}
