package dev.runnerset.actions.http;

import static dev.runnerset.actions.http.ErrorsIT.error;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.NewScaleSet;
import dev.runnerset.actions.RemoveRunnerResult;
import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.SessionId;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.SocketEffect;
import mockwebserver3.junit5.StartStop;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A process that lost the right to change something sends no change that it had begun (WR8). */
final class MaySendIT {
  private static final ScaleSetId ID = new ScaleSetId(7);
  private static final RunnerId RUNNER = new RunnerId(3);
  private static final String SET = "{\"id\":7,\"name\":\"s\"}";

  @StartStop final MockWebServer server = new MockWebServer();
  private volatile boolean may = true;

  private ActionsService connect(StubService stub) {
    return stub.connect(stub.settings().withMaySend(() -> may));
  }

  record Change(String name, Consumer<ActionsService> call) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Change> changes() {
    var wanted = new NewScaleSet("s", new RunnerGroupId(1), List.of());
    return Stream.of(
        new Change("create scale set", s -> s.createScaleSet(wanted)),
        new Change("update scale set", s -> s.updateScaleSet(ID, wanted)),
        new Change("delete scale set", s -> s.deleteScaleSet(ID)),
        new Change("JIT config", s -> s.generateJitConfig(ID, "r", "")),
        new Change("open session", s -> s.openSession(ID, "me")),
        new Change("delete session", s -> s.deleteSession(ID, new SessionId("a"))));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void aChangeIsNotSentAndSaysSo(Change change) {
    may = false;
    var stub = new StubService(server);
    assertThat(error(connect(stub), change.call())).isInstanceOf(ServiceError.NotSent.class);
    assertThat(stub.calls()).isEmpty();
  }

  @Test
  void aRemovalIsNotSentAndSaysSo() {
    may = false;
    var stub = new StubService(server);
    assertThat(connect(stub).removeRunner(RUNNER))
        .isInstanceOfSatisfying(
            RemoveRunnerResult.Failed.class,
            failed -> assertThat(failed.error()).isInstanceOf(ServiceError.NotSent.class));
    assertThat(stub.calls()).isEmpty();
  }

  /** The pause comes after the call began: while it waits for its token. */
  @Test
  void aPauseDuringTheRegistrationIsNoticed() {
    var stub = new StubService(server);
    stub.registration =
        request -> {
          may = false;
          return stub.registrationStep(request);
        };
    assertThat(connect(stub).removeRunner(RUNNER)).isInstanceOf(RemoveRunnerResult.Failed.class);
    assertThat(stub.registrations()).isEqualTo(1);
    assertThat(stub.calls()).isEmpty();
  }

  record First(String what, MockResponse answer, Class<? extends ServiceError> error) {
    @Override
    public String toString() {
      return what;
    }
  }

  static Stream<First> firsts() {
    var lost =
        new MockResponse.Builder()
            .onResponseStart(SocketEffect.ShutdownConnection.INSTANCE)
            .build();
    var redirect = new MockResponse.Builder().code(307).setHeader("Location", "/elsewhere").build();
    return Stream.of(
        new First("what it did is not known", json(503), ServiceError.Unavailable.class),
        new First("its answer was lost", lost, ServiceError.Unavailable.class),
        new First("a rate limit: nothing was done", json(429), ServiceError.NotSent.class),
        new First("a token to be renewed", json(401), ServiceError.NotSent.class),
        new First("a redirect to be followed", redirect, ServiceError.NotSent.class));
  }

  private static MockResponse json(int status) {
    return StubService.json(status, "{\"typeName\":\"G.X\",\"message\":\"the first\"}");
  }

  /** The pause comes between two sendings; each asks again. */
  @ParameterizedTest
  @MethodSource("firsts")
  void aRepetitionAsksAgainAndAnEarlierAttemptIsNotCalledUnsent(First first) {
    var stub = new StubService(server);
    stub.service =
        request -> {
          may = false;
          return first.answer();
        };
    var error = error(connect(stub), s -> s.generateJitConfig(ID, "r", ""));
    assertThat(error).isInstanceOf(first.error());
    if (first.what().startsWith("what it did")) {
      assertThat(error.details().message()).isEqualTo("the first");
    }
    assertThat(stub.calls()).hasSize(1);
  }

  @Test
  void readsGoOn() {
    may = false;
    var stub = new StubService(server).then(200, SET);
    assertThat(connect(stub).scaleSet(ID)).isPresent();
    assertThat(stub.calls()).hasSize(1);
  }

  /** The breaker hears nothing of a service from calls that were not sent. */
  @Test
  void callsThatWereNotSentOpenNoBreaker() {
    may = false;
    var stub = new StubService(server).then(200, SET);
    var limits = CallLimits.atMost(1);
    var service = stub.connect(stub.settings().withMaySend(() -> may).withLimits(limits));
    for (int i = 0; i < 2 * Math.min(50, limits.failures()); i++) {
      assertThat(service.removeRunner(RUNNER)).isInstanceOf(RemoveRunnerResult.Failed.class);
    }
    assertThat(service.scaleSet(ID)).isPresent();
    may = true;
    stub.then(204, "");
    assertThat(service.removeRunner(RUNNER)).isEqualTo(new RemoveRunnerResult.Removed());
  }
}
