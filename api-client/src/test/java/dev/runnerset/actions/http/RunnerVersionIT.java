package dev.runnerset.actions.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.RunnerVersion;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import java.time.Instant;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.junit5.StartStop;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Protocol 3.16: the version of a runner, and until when GitHub serves it. */
final class RunnerVersionIT {
  private static final RunnerId RUNNER = new RunnerId(42);
  private static final RunnerVersion VERSION = new RunnerVersion("2.336.0");

  @StartStop final MockWebServer server = new MockWebServer();
  private StubService stub = new StubService(server);

  @BeforeEach
  void begin() {
    stub = new StubService(server);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"id\":42,\"name\":\"ci-1\",\"version\":\"2.336.0\"} | 2.336.0",
        "{\"id\":42,\"name\":\"ci-1\",\"version\":null} | ''",
        "{\"id\":42,\"name\":\"ci-1\"} | ''",
        "{\"id\":42,\"name\":\"ci-1\",\"version\":\"../x\"} | ''",
        "{\"id\":42,\"name\":\"ci-1\",\"version\":{\"a\":[1]}} | ''"
      })
  void theServiceAndTheListNameAVersionOrNone(String body, String version) {
    stub.then(200, body).then(200, body);
    try (var service = stub.connect()) {
      assertThat(service.runner(RUNNER).orElseThrow().version())
          .isEqualTo(RunnerVersion.parse(version).orElse(null));
      assertThat(service.listedVersion(RUNNER)).isEqualTo(RunnerVersion.parse(version));
    }
    assertThat(stub.calls())
        .last()
        .satisfies(call ->
            assertThat(call.getTarget()).isEqualTo("/api/v3/orgs/my-org/actions/runners/42"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"runner_version\":\"2.336.0\",\"runtime_deprecates_at\":\"2026-11-05T00:00:00Z\","
            + "\"registration_deprecates_at\":\"2026-12-05T00:00:00Z\"}"
            + " | 2026-11-05T00:00:00Z | 2026-12-05T00:00:00Z",
        "{\"runtime_deprecates_at\":null} | |",
        "{} | |",
        "{\"runtime_deprecates_at\":\"0001-01-01T00:00:00Z\"} | |",
        "{\"runtime_deprecates_at\":\"soon\",\"registration_deprecates_at\":7} | |"
      })
  void aDateIsATimeOrThereIsNone(String body, Instant jobs, Instant registration) {
    stub.then(200, body);
    try (var service = stub.connect()) {
      var dates = service.versionDates(VERSION).orElseThrow();
      assertThat(dates.receivesJobsUntil()).isEqualTo(jobs);
      assertThat(dates.registersUntil()).isEqualTo(registration);
    }
    var call = stub.call();
    assertThat(call.getTarget())
        .isEqualTo("/api/v3/orgs/my-org/actions/runners/deprecations/2.336.0");
    assertThat(call.getHeaders().get("X-GitHub-Api-Version")).isEqualTo("2026-03-10");
  }

  @Test
  void aVersionThatWasNeverReleasedHasNoDates() {
    stub.then(404, "{\"message\":\"Not Found\"}").then(404, "{\"message\":\"Not Found\"}");
    try (var service = stub.connect()) {
      assertThat(service.versionDates(VERSION)).isEmpty();
      assertThat(service.listedVersion(RUNNER)).isEmpty();
    }
  }

  @Test
  void anAnswerThatIsNoneIsAFailure() {
    stub.then(200, "[1, 2]");
    try (var service = stub.connect()) {
      var failure =
          catchThrowableOfType(ServiceException.class, () -> service.versionDates(VERSION));
      assertThat(failure.error()).isInstanceOf(ServiceError.Malformed.class);
    }
  }

  /** Protocol 5.3: what can wait is held alone. */
  @Test
  void aRateLimitOfTheseCallsHoldsNoOther() {
    stub.then(limited()).then(200, "{\"id\":7,\"name\":\"linux\"}");
    try (var service = stub.connect()) {
      for (int i = 0; i < 2; i++) {
        var failure =
            catchThrowableOfType(ServiceException.class, () -> service.versionDates(VERSION));
        assertThat(failure.error()).isInstanceOf(ServiceError.RateLimited.class);
      }
      assertThat(stub.calls()).as("the second one was not sent").hasSize(1);
      assertThat(service.scaleSet(new ScaleSetId(7))).isPresent();
    }
  }

  private static MockResponse limited() {
    return new MockResponse.Builder().code(429).setHeader("Retry-After", "3600").build();
  }
}
