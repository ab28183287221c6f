package dev.runnerset.actions.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.CreateScaleSetResult;
import dev.runnerset.actions.JitConfigResult;
import dev.runnerset.actions.NewScaleSet;
import dev.runnerset.actions.RemoveRunnerResult;
import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.actions.SessionId;
import java.util.List;
import java.util.function.Consumer;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.junit5.StartStop;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The shapes of errors (protocol 2.4, protocol 2.5, protocol 2.6) and what they are called here.
 */
final class ErrorsIT {
  private static final ScaleSetId ID = new ScaleSetId(7);

  @StartStop final MockWebServer server = new MockWebServer();

  /** The service's exception decides before the status (protocol 2.6). */
  @ParameterizedTest(name = "{0} {1}: {2}")
  @CsvSource({
    "409, 'GitHub.DistributedTask.WebApi.TaskAgentExistsException, GitHub.X', Conflict",
    "404, G.TaskAgentNotFoundException, NotFound",
    "401, G.TaskAgentNotFoundException, NotFound",
    "400, G.TaskAgentJobStillRunningException, Conflict",
    "400, GitHub.Actions.Runtime.WebApi.RunnerScaleSetExistsException, Conflict",
    "404, GitHub.Actions.Runtime.WebApi.RunnerScaleSetNotFoundException, NotFound",
    "409, GitHub.Actions.Runtime.WebApi.RunnerScaleSetSessionConflictException, Conflict",
    "400, GitHub.Actions.Runtime.WebApi.RunnerScaleSetSessionExpiredException, SessionLost",
    "403, GitHub.SomethingElseException, Forbidden",
  })
  void classifiesByTypeThenStatus(int status, String type, String error) {
    var body = "{\"$id\":\"1\",\"message\":\"words\",\"typeName\":\"%s\",\"eventId\":3000}";
    says(status, "application/json", body.formatted(type), error, type, "words");
  }

  /** An empty body (protocol 2.4 d). */
  @ParameterizedTest
  @CsvSource({
    "400, Refused",
    "401, Unauthorized",
    "403, Forbidden",
    "404, NotFound",
    "409, Conflict",
    "429, RateLimited",
    "501, Unavailable"
  })
  void classifiesByStatusAlone(int status, String error) {
    says(status, "", "", error, "", "");
  }

  /** Protocol 2.4 b and c, and what is none of the service's shapes. */
  @ParameterizedTest(name = "[{index}] {0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # what | status | content type | body | error | type | message
          nested | 400 | application/json | {"error":"Bad Request","details":"failed: \\"{\\\\\\"typeName\\\\\\": \\\\\\"A.RunnerScaleSetSessionExpiredException\\\\\\", \\\\\\"message\\\\\\": \\\\\\"inner\\\\\\"}\\""} | SessionLost | A.RunnerScaleSetSessionExpiredException | inner
          nested, unescaped | 400 | application/json | {"error":"x","details":"failed: {\\"typeName\\":\\"A.B\\"} end"} | Refused | | NOT QUOTED
          nothing nested | 400 | application/json | {"error":"Bad Request","details":"no {braces"} | Refused | | NOT QUOTED
          plain text | 404 | text/plain; charset=utf-8 | '404 page\nnot found' | NotFound | | NOT QUOTED
          plain text is not looked into | 409 | text/plain | {"typeName":"G.TaskAgentNotFoundException"} | Conflict | | NOT QUOTED
          no content type | 400 | | {"typeName":"G.X","message":"m"} | Refused | G.X | m
          BOM, other case | 400 | application/json | \uFEFF{"TypeName":"G.X","MESSAGE":"m"} | Refused | G.X | m
          REST | 422 | application/json | {"message":"Validation","documentation_url":"x","errors":[1]} | Refused | | Validation
          HTML | 400 | text/html | <p>no</p> | Refused | | NOT QUOTED
          not an object | 400 | | [1] | Refused | | NOT QUOTED
          """)
  void readsEachShape(
      String what,
      int status,
      @Nullable String contentType,
      String body,
      String error,
      @Nullable String type,
      String message) {
    says(
        status,
        contentType == null ? "" : contentType,
        body,
        error,
        type == null ? "" : type,
        message.equals("NOT QUOTED") ? ProblemText.NOT_QUOTED : message);
  }

  private void says(
      int status, String contentType, String body, String error, String type, String message) {
    var answer =
        new MockResponse.Builder()
            .code(status)
            .setHeader("ActivityId", "act-1")
            .setHeader("X-GitHub-Request-Id", "req-1")
            .body(body);
    if (!contentType.isEmpty()) {
      answer.setHeader("Content-Type", contentType);
    }
    var stub = new StubService(server).then(answer.build()).then(answer.build());
    var found =
        error(
            stub.connect(stub.settings().withRetry(RetryRules.NONE)),
            s -> s.updateScaleSet(ID, new NewScaleSet("a", RunnerGroupId.DEFAULT, List.of())));
    assertThat(found.getClass().getSimpleName()).isEqualTo(error);
    assertThat(found.details())
        .isEqualTo(
            new ServiceError.Details(
                "PATCH " + stub.url("/tenant/123/_apis/runtime/runnerscalesets/7"),
                status,
                type,
                message,
                "act-1",
                "req-1"));
  }

  @Test
  void aTakenNameIsAnAnswer() {
    var stub = new StubService(server);
    var service = stub.connect();
    var type = "{\"typeName\":\"G.%s\"}";
    stub.then(409, type.formatted("TaskAgentExistsException"));
    assertThat(service.generateJitConfig(ID, "r", "")).isEqualTo(new JitConfigResult.NameTaken());
    stub.then(409, "");
    assertThat(service.generateJitConfig(ID, "r", "")).isEqualTo(new JitConfigResult.NameTaken());
    stub.then(400, type.formatted("RunnerScaleSetExistsException"));
    assertThat(service.createScaleSet(new NewScaleSet("s", RunnerGroupId.DEFAULT, List.of())))
        .isEqualTo(new CreateScaleSetResult.NameTaken());
    stub.then(409, type.formatted("OtherException"));
    assertThat(error(service, s -> s.generateJitConfig(ID, "r", "")))
        .isInstanceOf(ServiceError.Conflict.class);
  }

  /**
   * Only the service's own exception says that a runner, a set or a session is gone (protocol 2.6).
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          text/plain | 404 page not found
          text/html | <h1>404 Not Found</h1>
          application/json | {"error":{"code":404,"message":"no route"}}
          application/json | {"status":404,"error":"Not Found","path":"/x"}
          application/json | {"message":"Not Found","documentation_url":"x"}
          application/json | {"typeName":"G.SomethingElseException"}
          application/json | {}
          application/json | ''
          '' | ''
          """)
  void theNotFoundOfAGatewaySaysNothingOfTheRunnerNorTheSet(String contentType, String body) {
    var stub = new StubService(server);
    var service = stub.connect();
    stub.service =
        request -> {
          var answer = new MockResponse.Builder().code(404).body(body);
          if (!contentType.isEmpty()) {
            answer.setHeader("Content-Type", contentType);
          }
          return answer.build();
        };
    assertThat(service.removeRunner(new RunnerId(42)))
        .isInstanceOf(RemoveRunnerResult.Failed.class);
    assertThat(error(service, s -> s.scaleSet(ID))).isInstanceOf(ServiceError.NotFound.class);
    assertThat(error(service, s -> s.runner(new RunnerId(4))))
        .isInstanceOf(ServiceError.NotFound.class);
    assertThat(error(service, s -> s.deleteScaleSet(ID))).isInstanceOf(ServiceError.NotFound.class);
    assertThat(error(service, s -> s.deleteSession(ID, new SessionId("abc"))))
        .isInstanceOf(ServiceError.NotFound.class);
  }

  @Test
  void theServicesOwnNotFoundIsGone() {
    var stub = new StubService(server);
    var service = stub.connect();
    var type = "{\"typeName\":\"G.%s, G\"}";
    stub.then(404, type.formatted("TaskAgentNotFoundException"));
    assertThat(service.removeRunner(new RunnerId(4))).isEqualTo(new RemoveRunnerResult.NotFound());
    stub.then(404, type.formatted("TaskAgentNotFoundException"));
    assertThat(service.runner(new RunnerId(4))).isEmpty();
    stub.then(404, type.formatted("RunnerScaleSetNotFoundException"));
    assertThat(service.scaleSet(ID)).isEmpty();
    stub.then(404, type.formatted("RunnerScaleSetNotFoundException"));
    service.deleteScaleSet(ID);
    stub.then(404, type.formatted("RunnerScaleSetNotFoundException"));
    assertThat(service.removeRunner(new RunnerId(4))).isInstanceOf(RemoveRunnerResult.Failed.class);
  }

  @Test
  void aScaleSetWithNeitherNameNorLabelsIsNeverSent() {
    var stub = new StubService(server);
    var wanted = new NewScaleSet(" ", RunnerGroupId.DEFAULT, List.of());
    assertThat(error(stub.connect(), s -> s.createScaleSet(wanted)))
        .isInstanceOf(ServiceError.Refused.class);
    assertThat(stub.requests).isEmpty();
  }

  @Test
  void aRegistrationUrlWithABraceIsQuoted() {
    var stub = new StubService(server).then(200, "{\"id\":7}");
    stub.registration =
        request ->
            StubService.path(request).endsWith("/runner-registration")
                ? StubService.json(
                    200,
                    "{\"url\":\"%s\",\"token\":\"%s\"}"
                        .formatted(stub.url("/{tenant}/?a={b}|c"), stub.adminToken))
                : stub.registrationStep(request);
    assertThat(stub.connect().scaleSet(ID)).isPresent();
    assertThat(stub.call().getUrl().encodedPath()).startsWith("/%7Btenant%7D/_apis/");
    assertThat(stub.call().getUrl().queryParameter("a")).isEqualTo("{b}|c");
  }

  @Test
  void removingARunnerNeverThrows() {
    var stub = new StubService(server);
    stub.registration = request -> StubService.json(401, "{\"message\":\"Bad credentials\"}");
    assertThat(stub.connect().removeRunner(new RunnerId(42)))
        .isInstanceOfSatisfying(
            RemoveRunnerResult.Failed.class,
            failed -> assertThat(failed.error()).isInstanceOf(ServiceError.Unauthorized.class));
  }

  @ParameterizedTest(name = "[{index}] {0}")
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "{\"count\":2,\"value\":[{\"id\":1},{\"id\":2}]}",
        "{\"count\":1,\"value\":[]}",
        "{\"count\":1}",
        "{\"count\":1,\"value\":[null]}"
      })
  void listsThatAreNotOneOrNoneAreMalformed(String body) {
    var stub = new StubService(server).then(200, body);
    assertThat(error(stub.connect(), s -> s.runnerNamed("r")))
        .isInstanceOf(ServiceError.Malformed.class);
  }

  @ParameterizedTest(name = "[{index}] {0}")
  @ValueSource(
      strings = {
        "",
        "null",
        "{}",
        "{\"runner\":{\"id\":1}}",
        "{\"runner\":{\"id\":0},\"encodedJITConfig\":\"MARKER\"}",
        "{\"runner\":{\"id\":\"MARKER\"},\"encodedJITConfig\":\"MARKER\"}",
        "{\"encodedJITConfig\":\"MARKER\""
      })
  void aJitConfigThatIsNoneIsMalformedAndNotQuoted(String body) {
    var stub = new StubService(server).then(200, body);
    var failure =
        catchThrowableOfType(
            ServiceException.class, () -> stub.connect().generateJitConfig(ID, "r", ""));
    assertThat(failure.error()).isInstanceOf(ServiceError.Malformed.class);
    assertThat(failure).hasMessageNotContaining("MARKER").hasNoCause();
  }

  @Test
  void anAnswerOfWrongSuccessIsMalformedAndNotQuoted() {
    var stub = new StubService(server).then(201, "{\"encodedJITConfig\":\"MARKER\"}");
    var error = error(stub.connect(), s -> s.generateJitConfig(ID, "r", ""));
    assertThat(error).isInstanceOf(ServiceError.Malformed.class);
    assertThat(error.details().sentence()).doesNotContain("MARKER");
  }

  @Test
  void anAnswerLongerThanTheBoundIsMalformed() {
    var stub =
        new StubService(server).then(200, "{\"id\":7}" + " ".repeat(Endpoint.LONGEST_OTHER - 7));
    assertThat(error(stub.connect(), s -> s.scaleSet(ID)))
        .isInstanceOf(ServiceError.Malformed.class);
    stub.then(200, "{\"id\":7}" + " ".repeat(Endpoint.LONGEST_OTHER - 8));
    assertThat(stub.connect().scaleSet(ID)).isPresent();
  }

  static ServiceError error(ActionsService service, Consumer<ActionsService> call) {
    var failure = catchThrowableOfType(ServiceException.class, () -> call.accept(service));
    assertThat(failure).isNotNull();
    return failure.error();
  }
}
