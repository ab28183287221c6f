package dev.runnerset.actions.http;

import static dev.runnerset.actions.http.StubService.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.runnerset.actions.JobDescription;
import dev.runnerset.actions.JobEvent;
import dev.runnerset.actions.MessageSession;
import dev.runnerset.actions.OpenSessionResult;
import dev.runnerset.actions.PollResult;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.actions.SessionId;
import dev.runnerset.actions.Statistics;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.junit5.StartStop;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Protocol 3.10, protocol 3.11 and 4. */
final class MessageSessionIT {
  static final ScaleSetId ID = new ScaleSetId(7);
  private static final String STATISTICS = StubService.STATISTICS;
  private static final String STARTED =
      "{'messageType':'JobStarted','jobId':'j','runnerName':'r','runnerId':4}";
  private static final String SESSIONS = "/tenant/123/_apis/runtime/runnerscalesets/7/sessions";

  @StartStop final MockWebServer server = new MockWebServer();

  @Test
  void opensPollsAcknowledgesAndCloses() {
    var stub = new StubService(server).then(opened("queue-1"));
    var session = open(stub);
    assertThat(session.id()).isEqualTo(new SessionId("a-1"));
    assertThat(session.statistics()).isEqualTo(new Statistics(0, 0, 3, 2, 0, 0, 0));
    stub.then(202, "").then(204, "").then(204, "");
    assertThat(session.poll(100_000_001L, 5)).isEqualTo(new PollResult.Nothing());
    session.acknowledge(4);
    session.close();
    session.close();

    var calls = stub.calls();
    assertThat(calls)
        .extracting(r -> r.getMethod() + " " + r.getTarget())
        .containsExactly(
            "POST " + SESSIONS + "?api-version=6.0-preview",
            "GET /queue?lastMessageId=100000001&s=1",
            "DELETE /queue/4?s=1",
            "DELETE " + SESSIONS + "/a-1?api-version=6.0-preview");
    assertThat(body(calls.get(0)))
        .isEqualTo("{\"sessionId\":\"00000000-0000-0000-0000-000000000000\",\"ownerName\":\"me\"}");
    var poll = calls.get(1).getHeaders();
    assertThat(poll.get("Authorization")).isEqualTo("Bearer queue-1");
    assertThat(poll.get("X-ScaleSetMaxCapacity")).isEqualTo("5");
    assertThat(poll.get("Accept")).isEqualTo("application/json; api-version=6.0-preview");
    assertThat(poll.get("Content-Type")).isNull();
    assertThat(poll.get("User-Agent")).contains("\"scale_set_id\":7");
    assertThat(calls.get(2).getHeaders().get("Authorization")).isEqualTo("Bearer queue-1");
    assertThat(calls.get(2).getHeaders().get("X-ScaleSetMaxCapacity")).isNull();
    assertThat(calls.get(3).getHeaders().get("Authorization"))
        .isEqualTo("Bearer " + stub.adminToken);
  }

  @ParameterizedTest(name = "[{index}] {0}")
  @CsvSource(
      value = {
        "empty body|''",
        "no id|{'messageQueueUrl':'http://q/','messageQueueAccessToken':'t','statistics':{}}",
        "zero id|{'sessionId':'00000000-0000-0000-0000-000000000000','messageQueueUrl':'http://q/','messageQueueAccessToken':'t','statistics':{}}",
      },
      delimiter = '|',
      quoteCharacter = '"')
  void refusesAnOpeningThatIsNone(String what, String body) {
    var stub = new StubService(server).then(200, body.equals("''") ? "" : body.replace('\'', '"'));
    var failure =
        catchThrowableOfType(ServiceException.class, () -> stub.connect().openSession(ID, "me"));
    assertThat(failure.error()).as(what).isInstanceOf(ServiceError.Malformed.class);
  }

  /**
   * The session holds the scale set all the same: its id must be known, so that it can be ended.
   */
  @ParameterizedTest(name = "[{index}] {0}")
  @CsvSource(
      value = {
        "empty queue URL|'messageQueueUrl':'','messageQueueAccessToken':'t','statistics':{}",
        "null queue URL|'messageQueueUrl':null,'messageQueueAccessToken':'t','statistics':{}",
        "odd queue URL|'messageQueueUrl':{},'messageQueueAccessToken':'t','statistics':{}",
        "no queue URL|'messageQueueAccessToken':'t','statistics':{}",
        "other scheme|'messageQueueUrl':'ftp://q/','messageQueueAccessToken':'t','statistics':{}",
        "no token|'messageQueueUrl':'http://q/','statistics':{}",
        "endless queue URL|'messageQueueUrl':'http://q/?LONG','messageQueueAccessToken':'t'",
        "endless token|'messageQueueUrl':'http://q/','messageQueueAccessToken':'LONG'",
        "odd token|'messageQueueUrl':'http://q/','messageQueueAccessToken':[],'statistics':{}",
      },
      delimiter = '|',
      quoteCharacter = '"')
  void aSessionThatCannotBePolledIsReportedWithItsId(String what, String fields) {
    var body =
        ("{'sessionId':'a-1'," + fields + "}")
            .replace('\'', '"')
            .replace("LONG", "a&".repeat(10_000)); // A1: each session keeps both
    var opened = new StubService(server).then(200, body).connect().openSession(ID, "me");
    assertThat(opened)
        .as(what)
        .isInstanceOfSatisfying(
            OpenSessionResult.Unusable.class,
            unusable -> assertThat(unusable.session()).isEqualTo(new SessionId("a-1")));
  }

  @ParameterizedTest(name = "statistics {0}")
  @CsvSource({"absent", "null", "7", "[]", "{'totalAssignedJobs':{}}"})
  void aSessionWithoutStatisticsThatCanBeReadIsOpenAndItsCountsAreUnknown(String statistics) {
    var field = statistics.equals("absent") ? "" : ",'statistics':" + statistics;
    var fields = "{'sessionId':'a','messageQueueUrl':'http://q/','messageQueueAccessToken':'t'";
    var stub = new StubService(server).then(200, (fields + field + "}").replace('\'', '"'));
    assertThat(open(stub).statistics()).isNull();
  }

  @ParameterizedTest(name = "renewed without {0}")
  @CsvSource({"messageQueueUrl", "messageQueueAccessToken"})
  void aRenewalThatBringsNoQueueEndsTheSession(String field) {
    var stub = new StubService(server).then(opened("queue-1"));
    var session = open(stub);
    var renewed =
        "{\"sessionId\":\"a-1\",\"messageQueueUrl\":\"http://q/\",\"messageQueueAccessToken\":\"t\"}";
    stub.then(401, "").then(200, renewed.replace(field, "other"));
    assertThat(failure(session).error()).isInstanceOf(ServiceError.SessionLost.class);
  }

  @ParameterizedTest(name = "{0} {1} {2}")
  @CsvSource({
    "404, text/plain, '', false",
    "404, application/json, '', false",
    "404, application/json, GitHub.Services.RunnerScaleSetSessionExpiredException, true",
    "400, application/json, GitHub.Services.RunnerScaleSetSessionExpiredException, true",
    "204, application/json, '', true"
  })
  void aSessionIsEndedOnceTheServiceItselfSaysSo(
      int status, String type, String exception, boolean ended) {
    var stub = new StubService(server).then(opened("q"));
    var session = open(stub);
    var body =
        exception.isEmpty() ? "" : "{\"typeName\":\"%s\",\"message\":\"m\"}".formatted(exception);
    stub.then(
        new MockResponse.Builder().code(status).setHeader("Content-Type", type).body(body).build());
    session.close();
    assertThat(session.isEnded()).isEqualTo(ended);
  }

  /** One odd element must not hold up the queue: what can be read is used, the rest is named. */
  @ParameterizedTest(name = "[{index}] {0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          null element | [null,START] | 1 | ""
          null as body text | null | 0 | ""
          element without type | [{'runnerId':'x'},START] | 1 | ""
          unknown type with other ids | [{'messageType':'JobRebalanced','runnerId':'x','runnerRequestId':{}},START] | 1 | ""
          odd fields that nothing hangs on | [{'messageType':'JobStarted','runnerName':'r','queueTime':7,'workflowRunId':'x'}] | 1 | ""
          type no text | [{'messageType':7},START] | 1 | element 1
          element no object | [7,START] | 1 | element 1
          no runner name | [START,{'messageType':'JobCompleted','runnerName':{}}] | 1 | element 2
          body no list | {} | 0 | not a list
          body no JSON | [{ | 0 | not a list
          body that ends within an object | {'a': | 0 | not a list
          """)
  void oddMessages(String what, String body, int events, String unread) {
    var inner = body.replace("START", STARTED).replace('\'', '"');
    readsAllButTheOdd(envelope(inner, "{\"totalAssignedJobs\":3}"), events, unread);
  }

  @ParameterizedTest(name = "[{index}] {0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          null body | 'messageId':4,'messageType':'RunnerScaleSetJobMessages','body':null | 0 | ""
          list as body | 'messageId':'4','messageType':'RunnerScaleSetJobMessages','body':[START] | 1 | ""
          other type of message | 'messageId':4,'messageType':'X','body':7 | 0 | unknown type
          """)
  void oddEnvelopes(String what, String fields, int events, String unread) {
    var envelope =
        "{" + fields.replace("START", STARTED) + ",'statistics':{'totalAssignedJobs':3}}";
    readsAllButTheOdd(envelope.replace('\'', '"'), events, unread);
  }

  private void readsAllButTheOdd(String envelope, int events, String unread) {
    var session = open(new StubService(server).then(opened("q")), s -> s.then(200, envelope));
    var message = (PollResult.Message) session.poll(0, 1);
    assertThat(message.events()).hasSize(events);
    assertThat(message.statistics()).isEqualTo(new Statistics(0, 0, 3, 0, 0, 0, 0));
    if (unread.isEmpty()) {
      assertThat(message.unread()).isEmpty();
    } else {
      assertThat(message.unread()).singleElement().asString().contains(unread);
    }
  }

  @Test
  void statisticsThatCannotBeReadAreAbsent() {
    var session =
        open(
            new StubService(server).then(opened("q")),
            s -> s.then(200, envelope("", "{\"totalAssignedJobs\":[]}")));
    assertThat(((PollResult.Message) session.poll(0, 1)).statistics()).isNull();
  }

  @Test
  void readsEveryKindOfEventInOrder() {
    var body =
        """
        [{"messageType":"JobAvailable","acquireJobUrl":"x",COMMON},
         {"messageType":"JobAssigned",COMMON},
         {"messageType":"NewKind"},
         {"messageType":"JobStarted","runnerId":42,"runnerName":"r",COMMON},
         {"messageType":"JobCompleted","result":"canceled",COMMON}]
        """
            .replace(
                "COMMON",
                """
                "runnerRequestId":0,"jobId":"j-1","repositoryName":"repo","ownerName":"org",
                "jobWorkflowRef":"ref","jobDisplayName":"build","workflowRunId":9000000000,
                "eventName":"push","requestLabels":null,"QUEUETIME":"2026-11-20T12:00:00Z",
                "scaleSetAssignTime":"2026-11-20T14:00:01.5+02:00",
                "runnerAssignTime":"0001-01-01T00:00:00Z","finishTime":"later\"\
                """);
    var session =
        open(
            new StubService(server).then(opened("q")),
            stub -> stub.then(200, envelope(body, STATISTICS)));
    var job =
        new JobDescription(
            0,
            "j-1",
            "org/repo",
            "ref",
            "build",
            9_000_000_000L,
            "push",
            Instant.parse("2026-11-20T12:00:00Z"),
            Instant.parse("2026-11-20T12:00:01.5Z"),
            null,
            null);
    assertThat(session.poll(0, 1))
        .isEqualTo(
            new PollResult.Message(
                100_000_004L,
                new Statistics(0, 0, 3, 2, 0, 0, 0),
                List.of(
                    new JobEvent.JobAvailable(job),
                    new JobEvent.JobAssigned(job),
                    new JobEvent.JobStarted(job, new RunnerId(42), "r"),
                    new JobEvent.JobCompleted(job, "canceled", new RunnerId(0), "")),
                List.of(),
                false));
  }

  @Test
  void aMessageOfFiftyElementsIsFull() {
    var element = "{\"messageType\":\"JobAssigned\",\"jobId\":\"j\"}";
    var session =
        open(
            new StubService(server).then(opened("q")),
            stub -> {
              for (int elements : new int[] {49, 50}) {
                var body = "[" + String.join(",", Collections.nCopies(elements, element)) + "]";
                stub.then(200, envelope(body, STATISTICS));
              }
            });
    assertThat(((PollResult.Message) session.poll(0, 1)).full()).isFalse();
    assertThat(((PollResult.Message) session.poll(0, 1)).full()).isTrue();
  }

  @Test
  void aMessageMayBeStatisticsAloneOrHaveNone() {
    var session =
        open(
            new StubService(server).then(opened("q")),
            stub -> {
              stub.then(200, envelope("", "null"));
              stub.then(
                  200,
                  "{\"messageId\":5,\"messageType\":\"RunnerScaleSetJobMessages\",\"statistics\":{}}");
            });
    assertThat(session.poll(0, 0))
        .isEqualTo(new PollResult.Message(100_000_004L, null, List.of(), List.of(), false));
    assertThat(session.poll(0, 0))
        .isEqualTo(
            new PollResult.Message(
                5, new Statistics(0, 0, 0, 0, 0, 0, 0), List.of(), List.of(), false));
  }

  @ParameterizedTest(name = "[{index}] {0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          empty body | 200 | "" | Malformed
          no id | 200 | {'messageType':'RunnerScaleSetJobMessages'} | Malformed
          other success | 204 | "" | Malformed
          dead, broker | 404 | "" | SessionLost
          dead, legacy | 400 | {'typeName':'G.SessionExpiredException'} | SessionLost
          forbidden | 403 | "" | Forbidden
          """)
  void pollFailuresHaveNames(String what, int status, String body, String error) {
    failsAs(error, StubService.json(status, body.replace('\'', '"')));
  }

  @Test
  void aCapacityThatTheServiceRefusesIsRefused() {
    failsAs(
        "Refused",
        new MockResponse.Builder()
            .code(400)
            .setHeader("Content-Type", "text/plain")
            .body("capacity")
            .build());
  }

  private void failsAs(String error, MockResponse answer) {
    var session = open(new StubService(server).then(opened("q")), s -> s.then(answer));
    assertThat(failure(session).error().getClass().getSimpleName()).isEqualTo(error);
  }

  @Test
  void aRefusedTokenIsRenewedOnceAndTheCallRepeated() {
    var stub = new StubService(server).then(opened("queue-1"));
    var session = open(stub);
    stub.then(401, "expired").then(opened("queue-2")).then(202, "").then(204, "");
    assertThat(session.poll(3, 1)).isEqualTo(new PollResult.Nothing());
    session.acknowledge(4);
    assertThat(stub.calls())
        .extracting(r -> r.getMethod() + " " + r.getHeaders().get("Authorization"))
        .containsExactly(
            "POST Bearer " + stub.adminToken,
            "GET Bearer queue-1",
            "PATCH Bearer " + stub.adminToken,
            "GET Bearer queue-2",
            "DELETE Bearer queue-2");
    var patch = stub.calls().get(2);
    assertThat(patch.getTarget()).isEqualTo(SESSIONS + "/a-1?api-version=6.0-preview");
    assertThat(body(patch)).isEmpty();
  }

  @Test
  void aSecondRefusalEndsTheSession() {
    var stub = new StubService(server).then(opened("queue-1"));
    var session = open(stub);
    stub.then(401, "").then(opened("queue-2")).then(401, "");
    assertThat(failure(session).error()).isInstanceOf(ServiceError.SessionLost.class);
    assertThat(stub.calls()).hasSize(4);
  }

  @ParameterizedTest(name = "renewal answers {0}")
  @CsvSource({"400,SessionLost", "404,SessionLost", "401,Unauthorized", "403,Forbidden"})
  void aRenewalThatFailsSaysWhy(int status, String error) {
    var stub = new StubService(server).then(opened("queue-1"));
    var session = open(stub);
    stub.then(401, "").then(status, "").then(status, "");
    assertThat(failure(session).error().getClass().getSimpleName()).isEqualTo(error);
    // an admin token that is refused is replaced once
    assertThat(stub.calls()).hasSize(status == 401 ? 4 : 3);
  }

  @Test
  void anAcknowledgementOfWhatIsGoneIsNoError() {
    var stub = new StubService(server).then(opened("q"));
    var session = open(stub);
    stub.then(404, "").then(200, "");
    session.acknowledge(4);
    assertThatThrownBy(() -> session.acknowledge(5)).isInstanceOf(ServiceException.class);
  }

  @Test
  void aNegativeCapacityIsRefusedHere() {
    var session = open(new StubService(server).then(opened("q")));
    assertThatThrownBy(() -> session.poll(0, -1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void afterCancelNothingIsPolledButAcknowledged() {
    var stub = new StubService(server).then(opened("q"));
    var session = open(stub);
    session.cancel();
    assertThat(failure(session).error()).isInstanceOf(ServiceError.Cancelled.class);
    stub.then(204, "");
    session.acknowledge(4);
    assertThat(stub.calls()).hasSize(2);
  }

  static String envelope(String inner, String statistics) {
    return "{\"messageId\":100000004,\"messageType\":\"RunnerScaleSetJobMessages\",\"body\":\""
        + inner.replace("\n", "").replace("\"", "\\\"")
        + "\",\"statistics\":"
        + statistics
        + "}";
  }

  private MockResponse opened(String token) {
    return StubService.opened(server.url("/queue?s=1"), token);
  }

  private static ServiceException failure(MessageSession session) {
    var failure = catchThrowableOfType(ServiceException.class, () -> session.poll(0, 1));
    assertThat(failure).isNotNull();
    return failure;
  }

  private static MessageSession open(StubService stub) {
    return StubService.open(stub.connect());
  }

  private static MessageSession open(StubService stub, Consumer<StubService> then) {
    var session = open(stub);
    then.accept(stub);
    return session;
  }
}
