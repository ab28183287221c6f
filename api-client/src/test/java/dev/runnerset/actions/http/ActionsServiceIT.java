package dev.runnerset.actions.http;

import static dev.runnerset.actions.http.StubService.body;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.CreateScaleSetResult;
import dev.runnerset.actions.JitConfig;
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
import mockwebserver3.MockWebServer;
import mockwebserver3.junit5.StartStop;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
      new RunnerReference(new RunnerId(42), "r-1", new ScaleSetId(7), null);

  @StartStop final MockWebServer server = new MockWebServer();

  private static final ScaleSetId ID = new ScaleSetId(7);
  private static final RunnerId RUNNER_ID = new RunnerId(42);

  private static Object call(ActionsService s, String name) {
    return switch (name) {
      case "find group, odd name" -> s.runnerGroup("a b&c=#+%/é");
      case "find group" -> s.runnerGroup("g");
      case "find set" -> s.findScaleSet(new RunnerGroupId(1), "s1");
      case "read set" -> s.scaleSet(ID);
      case "read runner" -> s.runner(RUNNER_ID);
      case "find runner" -> s.runnerNamed("r 1");
      case "create set" -> s.createScaleSet(wanted("s1", 1, "s1", "gpu"));
      case "create set, no labels" -> s.createScaleSet(wanted("s1", 1));
      case "update set" -> s.updateScaleSet(ID, wanted("s2", 9, "s2", "gpu"));
      case "delete set" -> {
        s.deleteScaleSet(ID);
        yield "done";
      }
      case "JIT config" -> s.generateJitConfig(ID, "r-1", "");
      case "remove runner" -> s.removeRunner(RUNNER_ID);
      case "delete session" -> {
        s.deleteSession(ID, new SessionId("abc"));
        yield "done";
      }
      case "open session" -> s.openSession(ID, "me");
      default -> throw new IllegalArgumentException(name);
    };
  }

  private static NewScaleSet wanted(String name, int group, String... labels) {
    return new NewScaleSet(name, new RunnerGroupId(group), List.of(labels));
  }

  private static Object expected(String name) {
    return switch (name) {
      case "done" -> name;
      case "none" -> Optional.empty();
      case "group 3" -> Optional.of(new RunnerGroupId(3));
      case "a set" -> Optional.of(READ_SET);
      case "the set" -> READ_SET;
      case "created" -> new CreateScaleSetResult.Created(READ_SET);
      case "a runner" -> Optional.of(READ_RUNNER);
      case "registered" -> new JitConfigResult.Registered(READ_RUNNER, new JitConfig("abc"));
      case "removed" -> new RemoveRunnerResult.Removed();
      case "not found" -> new RemoveRunnerResult.NotFound();
      case "job still running" -> new RemoveRunnerResult.JobStillRunning();
      case "conflict" -> new OpenSessionResult.Conflict("for owner x");
      default -> throw new IllegalArgumentException(name);
    };
  }

  /** Call, request, status and body of the answer, result; the numbers are the protocol's. */
  @ParameterizedTest(name = "protocol {0}: {1} {3}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      emptyValue = "",
      textBlock =
          """
          3.1 | find group, odd name | GET /tenant/123/_apis/runtime/runnergroups/?V&groupName=a%20b%26c%3D%23%2B%25%2F%C3%A9 | 200 | {"count":1,"value":[{"id":3,"name":"x","isDefaultGroup":false}]} | group 3
          3.1 | find group | GET /tenant/123/_apis/runtime/runnergroups/?V&groupName=g | 200 | {"count":0,"value":[{"id":3}]} | none
          3.2 | find set | GET SETS?V&name=s1&runnerGroupId=1 | 200 | \uFEFF{"count":1,"value":[SET]} | a set
          3.2 | find set | GET SETS?V&name=s1&runnerGroupId=1 | 200 | {"count":0,"value":null} | none
          3.3 | read set | GET SETS/7?V | 200 | SET | a set
          3.3 | read set | GET SETS/7?V | 200 | null | none
          3.3 | read set | GET SETS/7?V | 404 | {"typeName":"GitHub.Actions.Runtime.WebApi.RunnerScaleSetNotFoundException"} | none
          3.9 | read runner | GET AGENTS/42?V | 200 | RUNNER | a runner
          3.9 | read runner | GET AGENTS/42?V | 404 | {"typeName":"GitHub.DistributedTask.WebApi.TaskAgentNotFoundException, x"} | none
          3.9 | find runner | GET AGENTS?agentName=r%201&V | 200 | {"count":1,"value":[RUNNER]} | a runner
          3.9 | find runner | GET AGENTS?agentName=r%201&V | 200 | {"count":0,"value":[]} | none
          3.4 | create set | POST SETS?V | 200 | SET | created
          3.4 | create set, no labels | POST SETS?V | 200 | SET | created
          3.5 | update set | PATCH SETS/7?V | 200 | SET | the set
          3.6 | delete set | DELETE SETS/7?V | 204 | `` | done
          3.6 | delete set | DELETE SETS/7?V | 404 | {"typeName":"G.RunnerScaleSetNotFoundException"} | done
          3.8 | JIT config | POST SETS/7/generatejitconfig?V | 200 | {"runner":RUNNER,"encodedJITConfig":"abc"} | registered
          3.9 | remove runner | DELETE AGENTS/42?V | 204 | `` | removed
          3.9 | remove runner | DELETE AGENTS/42?V | 404 | {"typeName":"G.TaskAgentNotFoundException"} | not found
          3.9 | remove runner | DELETE AGENTS/42?V | 400 | {"typeName":"GitHub.DistributedTask.WebApi.TaskAgentJobStillRunningException, x"} | job still running
          3.9 | remove runner | DELETE AGENTS/42?V | 409 | {"typeName":"GitHub.DistributedTask.WebApi.TaskAgentJobStillRunningException, x"} | job still running
          3.10 | delete session | DELETE SETS/7/sessions/abc?V | 204 | `` | done
          3.10 | delete session | DELETE SETS/7/sessions/abc?V | 404 | {"typeName":"RunnerAdminException"} | done
          3.10 | delete session | DELETE SETS/7/sessions/abc?V | 404 | {"typeName":"G.A.RunnerScaleSetNotFoundException"} | done
          3.10 | delete session | DELETE SETS/7/sessions/abc?V | 400 | {"typeName":"G.A.RunnerScaleSetSessionExpiredException"} | done
          3.10 | open session | POST SETS/7/sessions?V | 409 | {"typeName":"G.A.RunnerScaleSetSessionConflictException","message":"for owner x"} | conflict
          """)
  void sendsTheRequestAndReadsTheAnswer(
      String section, String call, String request, int status, String answer, String expected) {
    var stub =
        new StubService(server).then(status, answer.replace("SET", SET).replace("RUNNER", RUNNER));
    var result = call(stub.connect(), call);

    var sent = stub.call();
    assertThat(sent.getMethod() + " " + sent.getTarget())
        .isEqualTo(
            request
                .replace("SETS", "/tenant/123/_apis/runtime/runnerscalesets")
                .replace("AGENTS", "/tenant/123/_apis/distributedtask/pools/0/agents")
                .replace("V", "api-version=6.0-preview"));
    assertThat(sent.getHeaders().get("Authorization")).isEqualTo("Bearer " + stub.adminToken);
    assertThat(sent.getHeaders().values("Content-Type")).containsExactly("application/json");
    assertThat(sent.getHeaders().get("User-Agent"))
        .startsWith("{\"system\":\"runnerset\",\"version\":\"1.2.3\",\"commit_sha\":\"\"");
    assertThat(result).isEqualTo(expected(expected));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          create set | {"name":"s1","runnerGroupId":1,"labels":[{"type":"System","name":"s1"},{"type":"System","name":"gpu"}],"RunnerSetting":{"disableUpdate":true}}
          create set, no labels | {"name":"s1","runnerGroupId":1,"labels":[{"type":"System","name":"s1"}],"RunnerSetting":{"disableUpdate":true}}
          update set | {"name":"s2","runnerGroupId":9,"labels":[{"type":"System","name":"s2"},{"type":"System","name":"gpu"}],"RunnerSetting":{"disableUpdate":true}}
          JIT config | {"name":"r-1","workFolder":""}
          """)
  void sendsTheBody(String call, String body) {
    var config = "{\"runner\":" + RUNNER + ",\"encodedJITConfig\":\"abc\"}";
    var stub = new StubService(server).then(200, call.equals("JIT config") ? config : SET);
    assertThat(call(stub.connect(), call)).isNotNull();
    assertThat(body(stub.call())).isEqualTo(body);
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
