package dev.runnerset.actions.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.RepositoryName;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.actions.WorkflowRun;
import java.util.List;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import mockwebserver3.junit5.StartStop;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Protocol 3.17: runs are read by their ETag, and run again once. */
final class WorkflowRunsIT {
  private static final RepositoryName REPOSITORY = new RepositoryName("my-org", "app");
  private static final long RUN = 17_000_000_001L;
  private static final String OF_RUN = "/api/v3/repos/my-org/app/actions/runs/" + RUN;
  private static final String RUNNING = "{\"status\":\"in_progress\",\"run_attempt\":1}";
  private static final String FAILED =
      "{\"status\":\"completed\",\"conclusion\":\"failure\",\"run_attempt\":1}";

  @StartStop final MockWebServer server = new MockWebServer();
  private StubService stub = new StubService(server);

  @BeforeEach
  void begin() {
    stub = new StubService(server);
    stub.registration =
        request -> isRerun(request) ? stub.service.apply(request) : stub.registrationStep(request);
  }

  private static boolean isRerun(RecordedRequest request) {
    return StubService.path(request).contains("/rerun");
  }

  private List<RecordedRequest> reruns() {
    return stub.requests.stream().filter(WorkflowRunsIT::isRerun).toList();
  }

  @Test
  void aRunThatHasNotChangedIsNotSentAgain() {
    stub.then(tagged("W/\"1\"", RUNNING))
        .then(new MockResponse.Builder().code(304).setHeader("ETag", "W/\"1\"").build())
        .then(tagged("W/\"2\"", FAILED))
        .then(new MockResponse.Builder().code(304).build());
    try (var service = stub.connect()) {
      var running = new WorkflowRun(REPOSITORY, 1, false, "");
      var failed = new WorkflowRun(REPOSITORY, 1, true, "failure");
      for (var expected : List.of(running, running, failed, failed)) {
        assertThat(service.workflowRun(REPOSITORY, RUN)).contains(expected);
      }
    }
    assertThat(stub.calls())
        .allSatisfy(call -> assertThat(call.getTarget()).isEqualTo(OF_RUN))
        .extracting(call -> call.getHeaders().get("If-None-Match"))
        .containsExactly(null, "W/\"1\"", "W/\"1\"", "W/\"2\"");
  }

  /** The run of a pull request from a fork is one of the repository that it asks. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "a fork's | \"repository\":{\"full_name\":\"my-org/app\"},"
            + "\"head_repository\":{\"full_name\":\"stranger/app\"} | my-org/app",
        "one that moved | \"repository\":{\"full_name\":\"my-org/moved\"} | my-org/moved",
        "the fork is gone | \"repository\":{\"full_name\":\"my-org/app\"},\"head_repository\":null"
            + " | my-org/app",
        "none is named | \"head_repository\":{\"full_name\":\"stranger/app\"} | my-org/app",
        "an odd name | \"repository\":{\"full_name\":\"my-org/..\"} | my-org/app"
      })
  void theRepositoryOfARunIsTheOneThatHasIt(String row, String fields, String repository) {
    stub.then(200, "{\"status\":\"queued\"," + fields + "}");
    try (var service = stub.connect()) {
      assertThat(service.workflowRun(REPOSITORY, RUN).map(run -> run.repository()))
          .isEqualTo(RepositoryName.parse(repository));
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "a secondary limit | 403 | Retry-After: 60 | You have exceeded a secondary rate limit. | limit",
        "without the header | 403 | X-Other: 1 | You have exceeded a secondary rate limit. | limit",
        "the primary limit | 403 | X-RateLimit-Remaining: 0 | API rate limit exceeded | limit",
        "the same as 429 | 429 | X-RateLimit-Remaining: 0 | API rate limit exceeded | limit",
        "SAML | 403 | X-GitHub-SSO: required | Resource protected by organization SAML enforcement. | no",
        "an IP allow list | 403 | X-Other: 1 | the organization has an IP allow list enabled | no",
        "the right is missing | 403 | X-Other: 1 | Resource not accessible by integration | no",
        "the run runs | 403 | X-RateLimit-Remaining: 4000 | This workflow is already running | no",
        "it is old | 403 | X-Other: 1 | Unable to retry this workflow run because it was created over a"
            + " month ago | no"
      })
  void aRefusalOfARerunIsALimitOrFinalAndHoldsNoOtherCall(
      String row, int status, String header, String message, String is) {
    var name = header.substring(0, header.indexOf(':'));
    stub.then(
            StubService.json(status, "{\"message\":\"" + message + "\"}")
                .newBuilder()
                .setHeader(name, header.substring(header.indexOf(' ') + 1))
                .build())
        .then(200, "{\"id\":7,\"name\":\"linux\"}");
    try (var service = connectOnce()) {
      var failure =
          catchThrowableOfType(
              ServiceException.class, () -> service.rerunFailedJobs(REPOSITORY, RUN));
      assertThat(failure.error())
          .isInstanceOf(
              is.equals("limit") ? ServiceError.RateLimited.class : ServiceError.Forbidden.class);
      assertThat(service.scaleSet(new ScaleSetId(7))).isPresent();
    }
    assertThat(reruns()).hasSize(1);
  }

  @Test
  void aRerunWhoseAnswerIsLostIsNotSentAgain() {
    stub.then(500, "{}").then(500, "{}");
    try (var service = stub.connect()) {
      var failure =
          catchThrowableOfType(ServiceException.class, () -> service.rerunJob(REPOSITORY, 48));
      assertThat(failure.error()).isInstanceOf(ServiceError.Unavailable.class);
    }
    assertThat(reruns()).hasSize(1);
    assertThat(StubService.path(reruns().getFirst()))
        .isEqualTo("/api/v3/repos/my-org/app/actions/jobs/48/rerun");
  }

  /** As the controller does: every call is sent once. */
  private ActionsService connectOnce() {
    return stub.connect(stub.settings().withRetry(RetryRules.ONCE));
  }

  private static MockResponse tagged(String tag, String body) {
    return StubService.json(200, body).newBuilder().setHeader("ETag", tag).build();
  }
}
