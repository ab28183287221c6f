package dev.runnerset.actions.http;

import static dev.runnerset.actions.http.ErrorsIT.error;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.JitConfigResult;
import dev.runnerset.actions.MessageSession;
import dev.runnerset.actions.NewScaleSet;
import dev.runnerset.actions.PollResult;
import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.testcluster.FreePort;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.SocketEffect;
import mockwebserver3.junit5.StartStop;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the rules of protocol 5.1 do over a connection: a rule, and what shows it. No test waits.
 */
final class RetryBehaviourIT {
  private static final ScaleSetId ID = new ScaleSetId(7);
  private static final String SET = "{\"id\":7,\"name\":\"s\"}";
  private static final NewScaleSet WANTED = new NewScaleSet("s", RunnerGroupId.DEFAULT, List.of());

  @StartStop final MockWebServer server = new MockWebServer();

  /**
   * One row for each rule of protocol 5.1. Answers: a status with its headers or the words of an
   * error; {@code ok}; {@code lost}, the service had the request and the connection ends; {@code
   * cut}, it ends in the body; {@code unsent}, nobody listens at the service's port. Calls: a read,
   * a change, a creation, a session, a JIT config, a poll, the registration. The end: what the
   * caller gets.
   */
  @ParameterizedTest(name = "{0}: {1} | {2}")
  @CsvSource(
      delimiter = '|',
      emptyValue = "",
      textBlock =
          """
          # rule | call | answers | sent | waits in seconds | end
          five attempts, doubled waits         | change  | 500; 500; 500; 500; 500     | 5 | 1 2 4 8 | Unavailable
          the same for a read                  | read    | 500; 502; 503; 504; 599     | 5 | 1 2 4 8 | Unavailable
          what helps is an answer              | read    | 500; 502; 429; ok           | 4 | 1 2 4   | done
          the controller sends once            | change once | 500                         | 1 | ''      | Unavailable
          the controller sends once            | change once | 429                         | 1 | ''      | RateLimited
          the controller sends once            | change once | lost                        | 1 | ''      | Unavailable
          429 of any call                      | change  | 429; ok                     | 2 | 1       | done
          429: nothing was carried out         | create  | 429; ok                     | 2 | 1       | done
          429: nothing was carried out         | session | 429; ok                     | 2 | 1       | done
          5xx                                  | poll    | 503; ok                     | 2 | 1       | done
          5xx that may have been carried out   | create  | 500                         | 1 | ''      | Unavailable
          5xx that may have been carried out   | session | 503                         | 1 | ''      | Unavailable
          501 will not change                  | change  | 501                         | 1 | ''      | Unavailable
          a connection that fails              | change  | lost; ok                    | 2 | 1       | done
          a connection that fails              | change  | cut; ok                     | 2 | 1       | done
          a kept connection that is at its end | read    | lost; ok                    | 2 | ''      | done
          a JIT config of our own first try    | JIT     | lost; 409                   | 2 | 1       | name taken
          a lost answer, carried out or not    | create  | lost                        | 1 | ''      | Unavailable
          a lost answer, carried out or not    | session | lost                        | 1 | ''      | Unavailable
          a lost answer, carried out or not    | session | cut                         | 1 | ''      | Unavailable
          not sent at all                      | create  | unsent                      | 0 | 1 2 4 8 | Unavailable
          not sent at all                      | session | unsent                      | 0 | 1 2 4 8 | Unavailable
          any other 4xx is an answer           | change  | 400                         | 1 | ''      | Refused
          any other 4xx is an answer           | change  | 403                         | 1 | ''      | Forbidden
          any other 4xx is an answer           | change  | 404                         | 1 | ''      | NotFound
          any other 4xx is an answer           | change  | 408                         | 1 | ''      | Refused
          any other 4xx is an answer           | change  | 409                         | 1 | ''      | Conflict
          any other 4xx is an answer           | change  | 422                         | 1 | ''      | Refused
          a refused admin token, once replaced | change  | 401; ok                     | 2 | ''      | done
          a refused admin token, once replaced | change  | 401; 401                    | 2 | ''      | Unauthorized
          the registration: its token spreads  | register | 401; 403; 401; ok          | 4 | 1 2 4   | done
          the registration: its token spreads  | register | 403; 403; 403; 403; 403    | 5 | 1 2 4 8 | Forbidden
          the registration, by the controller  | register once | 401; 401; 401; 401    | 4 | 1 2 4   | Unauthorized
          the registration: other answers      | register | 404                        | 1 | ''      | NotFound
          Retry-After of a 429                 | read    | 429 Retry-After: 17; ok     | 2 | 17      | done
          Retry-After of a 503                 | read    | 503 Retry-After: 17; ok     | 2 | 17      | done
          Retry-After of a 500 says nothing    | read    | 500 Retry-After: 17; ok     | 2 | 1       | done
          Retry-After as a date                | read    | 429 Retry-After: Fri, 20 Nov 2026 12:00:09 GMT; ok | 2 | 9 | done
          Retry-After in the past              | read    | 429 Retry-After: Fri, 20 Nov 2026 11:00:00 GMT; ok | 2 | 0 | done
          Retry-After below zero               | read    | 429 Retry-After: -3; ok     | 2 | 1       | done
          no time for Retry-After              | read    | 429 Retry-After: 21         | 1 | ''      | RateLimited
          30 s at most                         | poll    | 429 Retry-After: 30; ok     | 2 | 30      | done
          30 s at most                         | poll    | 429 Retry-After: 31         | 1 | ''      | RateLimited
          30 s at most                         | poll    | 503 Retry-After: 31         | 1 | ''      | Unavailable
          403 with Retry-After is a limit      | change  | 403 Retry-After: 7; ok      | 2 | 7       | done
          403 with Retry-After is a limit      | change  | 403 Retry-After: 600        | 1 | ''      | RateLimited
          403 with nothing left is a limit     | change  | 403 X-RateLimit-Remaining: 0 | 1 | ''     | RateLimited
          403 with something left is none      | change  | 403 X-RateLimit-Remaining: 17 | 1 | ''    | Forbidden
          403 that says so is a limit          | change  | 403 You have exceeded a secondary rate limit. | 1 | '' | RateLimited
          403 that says so is a limit          | register | 403 API rate limit exceeded | 1 | ''      | RateLimited
          403 with other words is none         | change  | 403 Resource not accessible by integration | 1 | '' | Forbidden
          a redirect that would make it a GET  | change  | 302 Location: /elsewhere    | 1 | ''      | Malformed
          a redirect that would make it a GET  | change  | 303 Location: /elsewhere    | 1 | ''      | Malformed
          a redirect that keeps the method     | change  | 307 Location: /elsewhere; ok | 2 | ''     | done
          a redirect that keeps the method     | change  | 308 Location: /elsewhere; ok | 2 | ''     | done
          a redirect to another host           | change  | 307 Location: https://github.com/x | 1 | '' | Unavailable
          a redirect to another host           | read    | 302 Location: https://github.com/x | 1 | '' | Unavailable
          """)
  void whatIsSentAgain(String rule, String call, String answers, int sent, String waits, String end)
      throws IOException {
    var stub = new StubService(server);
    var settings = stub.settings();
    var service =
        stub.connect(call.endsWith("once") ? settings.withRetry(RetryRules.ONCE) : settings);
    var session = call.equals("poll") ? open(stub, service) : null;
    boolean registers = call.startsWith("register");
    if (registers) {
      stub.service = request -> StubService.json(200, SET);
      stub.registration =
          request ->
              StubService.path(request).endsWith("/runner-registration")
                  ? stub.answers.remove()
                  : stub.registrationStep(request);
    }
    var success =
        switch (call) {
          case "session" -> StubService.opened(stub.url("/queue"), "t");
          case "poll" -> StubService.json(202, "");
          case "register" -> stub.register();
          default -> StubService.json(200, SET);
        };
    for (var answer : answers.split("; ")) {
      if (answer.equals("unsent")) {
        var nobody = stub.register("http://127.0.0.1:" + FreePort.find() + "/");
        stub.registration =
            request ->
                StubService.path(request).endsWith("/runner-registration")
                    ? nobody
                    : stub.registrationStep(request);
      } else {
        stub.then(answer(answer, success));
      }
    }

    var before = stub.calls().size();
    assertThat(end(service, session, call)).isEqualTo(end);
    assertThat(registers ? stub.registrations() : stub.calls().size() - before).isEqualTo(sent);
    assertThat(stub.waits.stream().map(wait -> "" + wait.toSeconds()))
        .containsExactlyElementsOf(List.of(waits.isEmpty() ? new String[0] : waits.split(" ")));
  }

  private static MessageSession open(StubService stub, ActionsService service) {
    stub.then(StubService.opened(stub.url("/queue"), "t"));
    return StubService.open(service);
  }

  private static MockResponse answer(String script, MockResponse success) {
    switch (script) {
      case "ok":
        return success;
      case "lost":
        return lost();
      case "cut":
        return success
            .newBuilder()
            .onResponseBody(SocketEffect.ShutdownConnection.INSTANCE)
            .build();
      default:
    }
    int status = Integer.parseInt(script.substring(0, 3));
    var rest = script.substring(3).strip();
    var header = rest.split(": ", 2);
    if (header.length == 2) {
      return new MockResponse.Builder().code(status).setHeader(header[0], header[1]).build();
    }
    return StubService.json(
        status, rest.isEmpty() ? "" : "{\"message\":\"" + rest + "\",\"documentation_url\":\"x\"}");
  }

  private static String end(ActionsService service, @Nullable MessageSession session, String call) {
    try {
      var result =
          session != null
              ? session.poll(0, 1)
              : switch (call) {
                case "change", "change once" -> service.updateScaleSet(ID, WANTED);
                case "create" -> service.createScaleSet(WANTED);
                case "session" -> service.openSession(ID, "me");
                case "JIT" -> service.generateJitConfig(ID, "r", "");
                default -> service.scaleSet(ID);
              };
      return result.equals(new JitConfigResult.NameTaken()) ? "name taken" : "done";
    } catch (ServiceException e) {
      return e.error().getClass().getSimpleName();
    }
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
