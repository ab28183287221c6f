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
import java.util.stream.Stream;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.junit5.StartStop;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The shapes of errors (protocol 2.4, protocol 2.5, protocol 2.6) and what they are called here.
 */
final class ErrorsIT {
  private static final ScaleSetId ID = new ScaleSetId(7);

  @StartStop final MockWebServer server = new MockWebServer();

  record Row(
      String what,
      int status,
      String contentType,
      String body,
      Class<? extends ServiceError> error,
      String typeName,
      String message) {
    @Override
    public String toString() {
      return what + ", " + status;
    }
  }

  static Row typed(int status, String type, Class<? extends ServiceError> error) {
    var body =
        "{\"$id\":\"1\",\"message\":\"words\",\"typeName\":\"" + type + "\",\"eventId\":3000}";
    return new Row("protocol 2.6 " + type, status, "application/json", body, error, type, "words");
  }

  static Row bare(int status, Class<? extends ServiceError> error) {
    return new Row("protocol 2.4 d", status, "", "", error, "", "");
  }

  static Stream<Row> rows() {
    String exists = "GitHub.DistributedTask.WebApi.TaskAgentExistsException, GitHub.X";
    String runtime = "GitHub.Actions.Runtime.WebApi.RunnerScaleSet";
    String nested =
        "{\"error\":\"Bad Request\",\"details\":\"failed: \\\"{\\\\\\\"typeName\\\\\\\":"
            + " \\\\\\\"A.RunnerScaleSetSessionExpiredException\\\\\\\","
            + " \\\\\\\"message\\\\\\\": \\\\\\\"inner\\\\\\\"}\\\"\"}";
    return Stream.of(
        typed(409, exists, ServiceError.Conflict.class),
        typed(404, "G.TaskAgentNotFoundException", ServiceError.NotFound.class),
        typed(500 - 99, "G.TaskAgentNotFoundException", ServiceError.NotFound.class),
        typed(400, "G.TaskAgentJobStillRunningException", ServiceError.Conflict.class),
        typed(400, runtime + "ExistsException", ServiceError.Conflict.class),
        typed(404, runtime + "NotFoundException", ServiceError.NotFound.class),
        typed(409, runtime + "SessionConflictException", ServiceError.Conflict.class),
        typed(400, runtime + "SessionExpiredException", ServiceError.SessionLost.class),
        typed(403, "GitHub.SomethingElseException", ServiceError.Forbidden.class),
        new Row(
            "protocol 2.4 b nested",
            400,
            "application/json",
            nested,
            ServiceError.SessionLost.class,
            "A.RunnerScaleSetSessionExpiredException",
            "inner"),
        new Row(
            "protocol 2.4 b nested, unescaped",
            400,
            "application/json",
            "{\"error\":\"x\",\"details\":\"failed: {\\\"typeName\\\":\\\"A.B\\\"} end\"}",
            ServiceError.Refused.class,
            "",
            ProblemText.NOT_QUOTED),
        new Row(
            "protocol 2.4 b, nothing nested",
            400,
            "application/json",
            "{\"error\":\"Bad Request\",\"details\":\"no {braces\"}",
            ServiceError.Refused.class,
            "",
            ProblemText.NOT_QUOTED),
        new Row(
            "protocol 2.4 c",
            404,
            "text/plain; charset=utf-8",
            "404 page\nnot found",
            ServiceError.NotFound.class,
            "",
            ProblemText.NOT_QUOTED),
        new Row(
            "protocol 2.4 c is not looked into",
            409,
            "text/plain",
            "{\"typeName\":\"G.TaskAgentNotFoundException\"}",
            ServiceError.Conflict.class,
            "",
            ProblemText.NOT_QUOTED),
        new Row(
            "no content type",
            400,
            "",
            "{\"typeName\":\"G.X\",\"message\":\"m\"}",
            ServiceError.Refused.class,
            "G.X",
            "m"),
        new Row(
            "BOM, other case",
            400,
            "application/json",
            "\uFEFF{\"TypeName\":\"G.X\",\"MESSAGE\":\"m\"}",
            ServiceError.Refused.class,
            "G.X",
            "m"),
        new Row(
            "REST",
            422,
            "application/json",
            "{\"message\":\"Validation\",\"documentation_url\":\"x\",\"errors\":[1]}",
            ServiceError.Refused.class,
            "",
            "Validation"),
        new Row(
            "HTML",
            400,
            "text/html",
            "<p>no</p>",
            ServiceError.Refused.class,
            "",
            ProblemText.NOT_QUOTED),
        new Row(
            "not an object",
            400,
            "",
            "[1]",
            ServiceError.Refused.class,
            "",
            ProblemText.NOT_QUOTED),
        bare(400, ServiceError.Refused.class),
        bare(401, ServiceError.Unauthorized.class),
        bare(403, ServiceError.Forbidden.class),
        bare(404, ServiceError.NotFound.class),
        bare(409, ServiceError.Conflict.class),
        bare(429, ServiceError.RateLimited.class),
        bare(501, ServiceError.Unavailable.class));
  }

  @ParameterizedTest(name = "[{index}] {0}")
  @MethodSource("rows")
  void classifiesByTypeThenStatus(Row row) {
    var answer =
        new MockResponse.Builder()
            .code(row.status())
            .setHeader("ActivityId", "act-1")
            .setHeader("X-GitHub-Request-Id", "req-1")
            .body(row.body());
    if (!row.contentType().isEmpty()) {
      answer.setHeader("Content-Type", row.contentType());
    }
    var stub = new StubService(server).then(answer.build()).then(answer.build());
    var once = stub.settings().withRetry(RetryRules.NONE);

    var error =
        error(
            stub.connect(once),
            s -> s.updateScaleSet(ID, new NewScaleSet("a", RunnerGroupId.DEFAULT, List.of())));

    assertThat(error).isInstanceOf(row.error());
    assertThat(error.details())
        .isEqualTo(
            new ServiceError.Details(
                "PATCH " + stub.url("/tenant/123/_apis/runtime/runnerscalesets/7"),
                row.status(),
                row.typeName(),
                row.message(),
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

  record Gateway(String contentType, String body) {}

  static Stream<Gateway> gateways() {
    return Stream.of(
        new Gateway("text/plain", "404 page not found"),
        new Gateway("text/html", "<h1>404 Not Found</h1>"),
        new Gateway("application/json", "{\"error\":{\"code\":404,\"message\":\"no route\"}}"),
        new Gateway("application/json", "{\"status\":404,\"error\":\"Not Found\",\"path\":\"/x\"}"),
        new Gateway("application/json", "{\"message\":\"Not Found\",\"documentation_url\":\"x\"}"),
        new Gateway("application/json", "{\"typeName\":\"G.SomethingElseException\"}"),
        new Gateway("application/json", "{}"),
        new Gateway("application/json", ""),
        new Gateway("", ""));
  }

  /**
   * Only the service's own exception says that a runner, a set or a session is gone (protocol 2.6).
   */
  @ParameterizedTest
  @MethodSource("gateways")
  void theNotFoundOfAGatewaySaysNothingOfTheRunnerNorTheSet(Gateway gateway) {
    var stub = new StubService(server);
    var service = stub.connect();
    stub.service =
        request -> {
          var answer = new MockResponse.Builder().code(404).body(gateway.body());
          if (!gateway.contentType().isEmpty()) {
            answer.setHeader("Content-Type", gateway.contentType());
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

  @ParameterizedTest
  @ValueSource(ints = {300, 301, 302, 303})
  void noRedirectTurnsWhatChangesSomethingIntoARead(int status) {
    var stub = new StubService(server);
    var away =
        new MockResponse.Builder()
            .code(status)
            .setHeader("Location", stub.url("/elsewhere"))
            .build();
    stub.then(away).then(200, "{}").then(away).then(200, "{}");
    var service = stub.connect();
    assertThat(service.removeRunner(new RunnerId(4)))
        .isInstanceOfSatisfying(
            RemoveRunnerResult.Failed.class,
            failed -> assertThat(failed.error()).isInstanceOf(ServiceError.Malformed.class));
    assertThat(stub.call().getMethod()).isEqualTo("DELETE");
  }

  @ParameterizedTest
  @ValueSource(ints = {307, 308})
  void aRedirectThatKeepsTheMethodIsFollowed(int status) {
    var stub = new StubService(server);
    var away =
        new MockResponse.Builder()
            .code(status)
            .setHeader("Location", stub.url("/elsewhere"))
            .build();
    stub.then(away).then(204, "");
    assertThat(stub.connect().removeRunner(new RunnerId(4)))
        .isEqualTo(new RemoveRunnerResult.Removed());
    assertThat(stub.calls()).extracting(r -> r.getMethod()).containsExactly("DELETE", "DELETE");
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
        new StubService(server).then(200, "{\"id\":7}" + " ".repeat(Exchanges.LONGEST_BODY - 7));
    assertThat(error(stub.connect(), s -> s.scaleSet(ID)))
        .isInstanceOf(ServiceError.Malformed.class);
    stub.then(200, "{\"id\":7}" + " ".repeat(Exchanges.LONGEST_BODY - 8));
    assertThat(stub.connect().scaleSet(ID)).isPresent();
  }

  static ServiceError error(ActionsService service, Consumer<ActionsService> call) {
    var failure = catchThrowableOfType(ServiceException.class, () -> call.accept(service));
    assertThat(failure).isNotNull();
    return failure.error();
  }
}
