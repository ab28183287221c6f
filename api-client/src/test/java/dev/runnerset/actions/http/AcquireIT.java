package dev.runnerset.actions.http;

import static dev.runnerset.actions.http.ErrorsIT.error;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.JobDescription;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceException;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.junit5.StartStop;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs that are offered and asked for (protocol 3.12). */
final class AcquireIT {
  private static final ScaleSetId ID = new ScaleSetId(7);
  private static final String SET = "/tenant/123/_apis/runtime/runnerscalesets/7";

  @StartStop final MockWebServer server = new MockWebServer();

  /** Answers: a status, and the body: JSON, {@code text}, {@code page}, or a renewed session. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      emptyValue = "",
      textBlock =
          """
          # what | answers | what comes of it | calls
          all are won                   | 200 {"count":2,"value":[5,30]}               | 5 30         | POST queue-1
          others were quicker           | 200 {"count":1,"value":[30]}                 | 30           | POST queue-1
          nothing is won                | 200 {"count":0,"value":[]}                   | ''           | POST queue-1
          the token is over             | 401; renewed; 200 {"count":1,"value":[5]}    | 5            | POST queue-1, PATCH, POST queue-2
          the new token is refused      | 401; renewed; 401                            | SessionLost  | POST queue-1, PATCH, POST queue-2
          the renewal is refused        | 401; 403                                     | Forbidden    | POST queue-1, PATCH
          the service assigns by itself | 404 text                                     | ''           | POST queue-1
          the same, in HTML             | 404 page                                     | ''           | POST queue-1
          a dead session, broker        | 404 {"typeName":"RunnerAdminException"}      | SessionLost  | POST queue-1
          a dead session, legacy        | 400 {"typeName":"G.RunnerScaleSetSessionExpiredException"} | SessionLost | POST queue-1
          a scale set that is gone      | 404 {"typeName":"G.RunnerScaleSetNotFoundException"} | SessionLost | POST queue-1
          a job that cannot be had      | 400 {"typeName":"G.X"}                       | Refused      | POST queue-1
          a gateway                     | 400 text                                     | Refused      | POST queue-1
          not permitted                 | 403                                          | Forbidden    | POST queue-1
          a lost answer is asked again  | 500; 200 {"count":1,"value":[5]}             | 5            | POST queue-1, POST queue-1
          no list                       | 200 {"count":1,"value":["MARKER"]}           | Malformed    | POST queue-1
          nothing                       | 200                                          | Malformed    | POST queue-1
          """)
  void acquires(String what, String answers, String result, String calls) {
    var stub = new StubService(server).then(renewed("queue-1"));
    var session = StubService.open(stub.connect());
    planned(stub, answers);
    assertThat(
            outcome(() ->
                new TreeSet<>(session.acquire(List.of(30L, 5L)))
                    .stream().map(Object::toString).collect(Collectors.joining(" "))))
        .isEqualTo(result);

    var sent = stub.calls().stream().skip(1).toList();
    assertThat(sent)
        .extracting(r ->
            r.getMethod().equals("PATCH")
                ? "PATCH"
                : "POST "
                    + String.valueOf(r.getHeaders().get("Authorization")).replace("Bearer ", ""))
        .isEqualTo(List.of(calls.split(", ")));
    assertThat(sent.getFirst().getTarget()).isEqualTo(SET + "/acquirejobs?api-version=6.0-preview");
    assertThat(StubService.body(sent.getFirst())).as("in the order given").isEqualTo("[30,5]");
  }

  @Test
  void withoutAJobNothingIsSent() {
    var stub = new StubService(server).then(renewed("queue-1"));
    var session = StubService.open(stub.connect());
    assertThat(session.acquire(List.of())).isEmpty();
    assertThat(stub.calls()).hasSize(1);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      emptyValue = "",
      textBlock =
          """
          # what | answers | what comes of it | calls
          offers, in their order        | 200 {"count":2,"value":[{"runnerRequestId":30},{"RunnerRequestId":5}]} | 30 5 | 1
          no offer                      | 200 {"count":0,"value":[]}                    | ''           | 1
          no offer, without a body      | 204                                           | ''           | 1
          the service assigns by itself | 404 text                                      | ''           | 1
          the same, in HTML             | 404 page                                      | ''           | 1
          the token is refused          | 401; 200 {"count":1,"value":[{"runnerRequestId":5}]} | 5     | 2
          the new token is refused      | 401; 401                                      | Unauthorized | 2
          a scale set that is gone      | 404 {"typeName":"G.RunnerScaleSetNotFoundException"} | NotFound | 1
          another refusal               | 400 {"typeName":"G.X"}                        | Refused      | 1
          no list                       | 200 []                                        | Malformed    | 1
          """)
  void listsOffers(String what, String answers, String result, int calls) {
    var stub = new StubService(server);
    planned(stub, answers);
    var service = stub.connect();
    assertThat(
            outcome(() ->
                service.acquirableJobs(ID).stream()
                    .map(JobDescription::runnerRequestId)
                    .map(Object::toString)
                    .collect(Collectors.joining(" "))))
        .isEqualTo(result);
    assertThat(stub.calls())
        .hasSize(calls)
        .allSatisfy(r ->
            assertThat(r.getMethod() + " " + r.getTarget())
                .isEqualTo("GET " + SET + "/acquirablejobs?api-version=6.0-preview"))
        .allSatisfy(r ->
            assertThat(r.getHeaders().get("Authorization")).isEqualTo("Bearer " + stub.adminToken));
  }

  /** Any other 404 of a router may mean that the service has moved. */
  @Test
  void aServiceThatDoesNotKnowTheCallHasNotMoved() {
    var stub = new StubService(server);
    planned(stub, "404 text; 404 text; 404 text");
    ActionsService service = stub.connect();
    assertThat(service.acquirableJobs(ID)).isEmpty();
    assertThat(service.acquirableJobs(ID)).isEmpty();
    assertThat(stub.registrations()).isEqualTo(1);
    assertThat(error(service, s -> s.scaleSet(ID))).isNotNull();
    stub.then(200, "{\"id\":7}");
    assertThat(service.scaleSet(ID)).isPresent();
    assertThat(stub.registrations()).as("after the 404 of another call").isEqualTo(2);
  }

  private static String outcome(Supplier<String> call) {
    try {
      return call.get();
    } catch (ServiceException e) {
      assertThat(e).hasMessageNotContaining("MARKER").hasMessageNotContaining("queue-1");
      return e.error().getClass().getSimpleName();
    }
  }

  private void planned(StubService stub, String answers) {
    for (var answer : answers.split("; ")) {
      if (answer.equals("renewed")) {
        stub.then(renewed("queue-2"));
        continue;
      }
      int status = Integer.parseInt(answer.substring(0, 3));
      var body = answer.substring(3).strip();
      switch (body) {
        case "text" -> stub.then(routers(status, "text/plain", "404 page not found"));
        case "page" -> stub.then(routers(status, "text/html", "<h1>404</h1>"));
        default -> stub.then(status, body);
      }
    }
  }

  private static MockResponse routers(int status, String type, String body) {
    return new MockResponse.Builder()
        .code(status)
        .setHeader("Content-Type", type)
        .body(body)
        .build();
  }

  private MockResponse renewed(String token) {
    return StubService.opened(server.url("/queue?s=1"), token);
  }
}
