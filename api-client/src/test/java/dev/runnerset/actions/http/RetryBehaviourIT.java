package dev.runnerset.actions.http;

import static dev.runnerset.actions.http.ErrorsIT.error;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.actions.JitConfigResult;
import dev.runnerset.actions.NewScaleSet;
import dev.runnerset.actions.PollResult;
import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.SocketEffect;
import mockwebserver3.junit5.StartStop;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the rules of protocol 5.1 do over a connection; no test waits. */
final class RetryBehaviourIT {
  private static final ScaleSetId ID = new ScaleSetId(7);
  private static final String SET = "{\"id\":7,\"name\":\"s\"}";

  @StartStop final MockWebServer server = new MockWebServer();

  @Test
  void asksAgainAfterDoubledWaitsAndAnswers() {
    var stub = new StubService(server).then(500, "").then(502, "").then(429, "").then(200, SET);
    assertThat(stub.connect().scaleSet(ID)).isPresent();
    assertThat(stub.waits).containsExactly(seconds(1), seconds(2), seconds(4));
  }

  @Test
  void givesUpAfterFiveAttemptsAndKeepsTheLastAnswer() {
    var stub = new StubService(server);
    for (int i = 1; i <= 6; i++) {
      stub.then(503, "{\"typeName\":\"G.X\",\"message\":\"attempt " + i + "\"}");
    }
    var error = error(stub.connect(), s -> s.scaleSet(ID));
    assertThat(error).isInstanceOf(ServiceError.Unavailable.class);
    assertThat(error.details().message()).isEqualTo("attempt 5");
    assertThat(stub.calls()).hasSize(5);
    assertThat(stub.waits).containsExactly(seconds(1), seconds(2), seconds(4), seconds(8));
  }

  @Test
  void comesBackWhenTheServiceSaysSo() {
    var busy = new MockResponse.Builder().code(429).setHeader("Retry-After", "17").build();
    var stub = new StubService(server).then(busy).then(200, SET);
    assertThat(stub.connect().scaleSet(ID)).isPresent();
    assertThat(stub.waits).containsExactly(seconds(17));
  }

  record Limit(int status, String header, String value, Duration asked) {}

  static Stream<Limit> limits() {
    return Stream.of(
        new Limit(429, "Retry-After", "3600", Duration.ofHours(1)),
        new Limit(429, "Retry-After", "86400", Duration.ofHours(1)),
        new Limit(503, "Retry-After", "31", seconds(31)),
        new Limit(403, "Retry-After", "600", Duration.ofMinutes(10)),
        new Limit(403, "X-RateLimit-Remaining", "0", Duration.ofMinutes(1)));
  }

  /** Protocol 5.1: Retry-After is heeded, by the connection and not by the call alone. */
  @ParameterizedTest
  @MethodSource("limits")
  void nothingIsSentUntilTheServiceWantsToHearFromUsAgain(Limit limit) {
    var busy =
        new MockResponse.Builder()
            .code(limit.status())
            .setHeader(limit.header(), limit.value())
            .build();
    var stub = new StubService(server).then(busy).then(200, SET);
    var service = stub.connect();
    error(service, s -> s.scaleSet(ID));
    assertThat(stub.waits).isEmpty();

    stub.clock.advance(limit.asked().minusSeconds(1).minusMillis(29_001));
    assertThat(error(service, s -> s.generateJitConfig(ID, "r", "")))
        .as("another call of the connection")
        .isInstanceOfSatisfying(
            ServiceError.RateLimited.class,
            limited -> {
              assertThat(limited.retryAfter()).isEqualTo(Duration.ofMillis(30_001));
              assertThat(limited.details().message())
                  .isEqualTo(
                      "not sent: %s asked to send nothing before %s"
                          .formatted(
                              URI.create(stub.url("/")).getHost(),
                              StubService.NOW.plus(limit.asked())));
            });
    assertThat(stub.calls()).hasSize(1);

    stub.clock.advance(Duration.ofMillis(30_001));
    assertThat(service.scaleSet(ID)).isPresent();
    assertThat(stub.calls()).hasSize(2);
  }

  /** A session that is not polled dies; the queue has a token and limits of its own. */
  @Test
  void aLimitOfTheServiceHoldsNoQueueAndALimitOfAQueueHoldsNobody() {
    var stub = new StubService(server);
    stub.then(StubService.opened(stub.url("/queue"), "t"));
    var service = stub.connect();
    var session = StubService.open(service);
    stub.then(limited());
    assertThat(error(service, s -> s.scaleSet(ID))).isInstanceOf(ServiceError.RateLimited.class);
    stub.then(202, "");
    assertThat(session.poll(0, 5)).isInstanceOf(PollResult.Nothing.class);

    stub.clock.advance(Duration.ofHours(1));
    stub.adminToken = StubService.jwt(stub.clock.instant().plusSeconds(3600));
    stub.then(limited());
    assertThatThrownBy(() -> session.poll(0, 5)).isInstanceOf(ServiceException.class);
    stub.then(200, SET);
    assertThat(service.scaleSet(ID)).isPresent();
  }

  /** What api.github.com limits says nothing of the host that hands out the jobs. */
  @Test
  void aLimitHoldsTheCallsToItsOwnHostOnly() {
    var stub = new StubService(server);
    stub.adminToken = StubService.jwt(StubService.NOW.plusSeconds(300));
    var other = stub.url("/tenant/123/").replace("localhost", "127.0.0.1");
    stub.registration =
        request ->
            request.getUrl().encodedPath().endsWith("/runner-registration")
                ? StubService.json(
                    200, "{\"url\":\"" + other + "\",\"token\":\"" + stub.adminToken + "\"}")
                : stub.registrationStep(request);
    var service = stub.connect();
    stub.then(limited());
    assertThat(error(service, s -> s.scaleSet(ID))).isInstanceOf(ServiceError.RateLimited.class);
    stub.clock.advance(Duration.ofMinutes(10));
    var before = stub.registrations();
    assertThat(error(service, s -> s.scaleSet(ID))).isInstanceOf(ServiceError.RateLimited.class);
    assertThat(stub.registrations()).as("the other host is asked").isEqualTo(before + 1);
  }

  private static MockResponse limited() {
    return new MockResponse.Builder().code(429).setHeader("Retry-After", "3600").build();
  }

  @Test
  void a403ThatIsNoRateLimitHoldsNobody() {
    var stub = new StubService(server).then(403, "{\"message\":\"no\"}").then(200, SET);
    var service = stub.connect();
    assertThat(error(service, s -> s.scaleSet(ID))).isInstanceOf(ServiceError.Forbidden.class);
    assertThat(service.scaleSet(ID)).isPresent();
  }

  /** What comes back by itself does not wait in a thread that others need. */
  @Test
  void whoeverComesBackByHimselfIsReportedAtOnce() {
    var stub = new StubService(server).then(500, "").then(429, "");
    var service = stub.connect(stub.settings().withRetry(RetryRules.ONCE));
    assertThat(error(service, s -> s.scaleSet(ID))).isInstanceOf(ServiceError.Unavailable.class);
    assertThat(error(service, s -> s.scaleSet(ID))).isInstanceOf(ServiceError.RateLimited.class);
    assertThat(stub.calls()).hasSize(2);
    assertThat(stub.waits).isEmpty();
  }

  @Test
  void allTriesOfACallTogetherHaveADeadline() {
    var stub = new StubService(server);
    stub.service =
        request -> {
          stub.clock.advance(seconds(4));
          return StubService.json(500, "");
        };
    assertThat(error(stub.connect(), s -> s.scaleSet(ID)))
        .isInstanceOf(ServiceError.Unavailable.class);
    assertThat(stub.calls()).as("4 s, 1 s, 4 s, 2 s, 4 s; 4 s more would be 19 s").hasSize(4);
    assertThat(stub.clock.instant()).isBeforeOrEqualTo(StubService.NOW.plusSeconds(23));
  }

  @Test
  void callersThatFailTogetherDoNotComeBackTogether() {
    var stub = new StubService(server).then(500, "").then(500, "").then(200, SET);
    var chance = new AtomicInteger();
    var service =
        stub.connect(stub.settings().withRandom(() -> chance.incrementAndGet() == 1 ? 0L : -1L));
    assertThat(service.scaleSet(ID)).isPresent();
    assertThat(stub.waits).containsExactly(seconds(1), seconds(1)); // of 2 s a half is taken off
  }

  @Test
  void anAnswerIsNotAskedForTwice() {
    for (int status : new int[] {400, 403, 404, 409, 422, 501}) {
      var stub = new StubService(server).then(status, "");
      error(
          stub.connect(),
          s -> s.updateScaleSet(ID, new NewScaleSet("s", RunnerGroupId.DEFAULT, List.of())));
      assertThat(stub.calls()).as("status %d", status).hasSize(1);
      assertThat(stub.registrations()).as("status %d", status).isEqualTo(1);
    }
  }

  @Test
  void aLostAnswerToARegistrationShowsAsATakenName() {
    var stub =
        new StubService(server)
            .then(lost())
            .then(409, "{\"typeName\":\"G.TaskAgentExistsException\"}");
    assertThat(stub.connect().generateJitConfig(ID, "r", ""))
        .isEqualTo(new JitConfigResult.NameTaken());
    assertThat(stub.calls()).hasSize(2);
    assertThat(stub.waits).containsExactly(seconds(1));
  }

  @Test
  void aLostAnswerToACreationOrASessionIsNotAskedAgain() {
    var stub = new StubService(server).then(lost()).then(lost());
    var service = stub.connect();
    assertThat(error(service, s -> s.openSession(ID, "me")))
        .isInstanceOf(ServiceError.Unavailable.class);
    var wanted = new NewScaleSet("s", RunnerGroupId.DEFAULT, List.of());
    assertThat(error(service, s -> s.createScaleSet(wanted)))
        .isInstanceOf(ServiceError.Unavailable.class);
    assertThat(stub.calls()).hasSize(2);
    assertThat(stub.waits).isEmpty();
  }

  @Test
  void theRegistrationWaitsForItsTokenToSpread() {
    var stub = new StubService(server).then(200, SET);
    var refusals = new AtomicInteger(3);
    stub.registration =
        request ->
            StubService.path(request).endsWith("runner-registration")
                    && refusals.getAndDecrement() > 0
                ? StubService.json(refusals.get() % 2 == 0 ? 401 : 403, "")
                : stub.registrationStep(request);
    assertThat(stub.connect().scaleSet(ID)).isPresent();
    assertThat(stub.registrations()).isEqualTo(4);
    assertThat(stub.requests).hasSize(6);
  }

  /** A gateway that no longer knows the service answers 404 in words of its own. */
  @Test
  void aServiceThatMovedIsFoundWithoutWaitingForTheEndOfTheToken() {
    var stub =
        new StubService(server)
            .then(404, "404 page not found")
            .then(200, SET)
            .then(404, "404 page not found")
            .then(200, SET);
    var service = stub.connect();
    assertThat(error(service, s -> s.scaleSet(ID))).isInstanceOf(ServiceError.NotFound.class);
    assertThat(service.scaleSet(ID)).isPresent();
    assertThat(stub.registrations()).isEqualTo(2);
    assertThat(error(service, s -> s.scaleSet(ID))).isInstanceOf(ServiceError.NotFound.class);
    assertThat(service.scaleSet(ID)).isPresent();
    assertThat(stub.registrations()).as("no more than once a minute").isEqualTo(2);
  }

  @Test
  void aScaleSetThatIsGoneIsNoServiceThatMoved() {
    var stub =
        new StubService(server)
            .then(
                404,
                "{\"typeName\":\"GitHub.Actions.Runtime.WebApi.RunnerScaleSetNotFoundException, x\"}");
    assertThat(stub.connect().scaleSet(ID)).isEmpty();
    assertThat(stub.registrations()).isEqualTo(1);
  }

  @Test
  void theRegistrationThatStaysRefusedSaysWhy() {
    var stub = new StubService(server);
    stub.registration =
        request ->
            StubService.path(request).endsWith("runner-registration")
                ? StubService.json(403, "{\"message\":\"not allowed\",\"documentation_url\":\"x\"}")
                : stub.registrationStep(request);
    var error = error(stub.connect(), s -> s.scaleSet(ID));
    assertThat(error).isInstanceOf(ServiceError.Forbidden.class);
    assertThat(error.details().message()).isEqualTo("not allowed");
    assertThat(stub.registrations()).isEqualTo(5);
  }

  private static MockResponse lost() {
    return new MockResponse.Builder()
        .onResponseStart(SocketEffect.ShutdownConnection.INSTANCE)
        .build();
  }

  private static Duration seconds(long seconds) {
    return Duration.ofSeconds(seconds);
  }
}
