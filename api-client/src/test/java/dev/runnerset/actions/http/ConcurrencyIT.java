package dev.runnerset.actions.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.MessageSession;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import mockwebserver3.junit5.StartStop;
import org.junit.jupiter.api.Test;

/** Many callers at once, and callers who no longer want to wait (protocol 3.14). */
final class ConcurrencyIT {
  private static final ScaleSetId ID = MessageSessionIT.ID;

  @StartStop final MockWebServer server = new MockWebServer();

  private final CountDownLatch open = new CountDownLatch(1);
  private final CountDownLatch arrived = new CountDownLatch(1);

  @Test
  void fiftyFirstCallsRegisterOnce() throws Exception {
    var stub = new StubService(server);
    stub.registration =
        request -> {
          await(open);
          return stub.registrationStep(request);
        };
    stub.service = request -> StubService.json(200, "{\"id\":7}");
    try (var service = stub.connect()) {
      var callers = new ArrayList<Thread>();
      var found = Collections.synchronizedList(new ArrayList<Object>());
      for (int i = 0; i < 50; i++) {
        callers.add(Thread.ofVirtual().start(() -> found.add(service.scaleSet(ID))));
      }
      for (var caller : callers) {
        while (caller.getState() != Thread.State.TIMED_WAITING) {
          Thread.onSpinWait();
        }
      }
      open.countDown();
      join(callers);
      assertThat(found).hasSize(50);
    }
    assertThat(stub.registrations()).isEqualTo(1);
    assertThat(stub.requests).hasSize(52);
  }

  @Test
  void aTokenRefusedToManyIsRenewedOnce() throws Exception {
    var stub = new StubService(server);
    var refused = new AtomicInteger();
    var allRefused = new CountDownLatch(20);
    stub.service =
        request -> {
          if (!StubService.path(request).startsWith("/queue")) {
            boolean renewal = request.getMethod().equals("PATCH");
            if (renewal) {
              await(allRefused); // all hold the old token when the new one comes
            }
            return session(renewal ? "queue-2" : "queue-1");
          }
          if ("Bearer queue-2".equals(request.getHeaders().get("Authorization"))) {
            return StubService.json(204, "");
          }
          refused.incrementAndGet();
          allRefused.countDown();
          return StubService.json(401, "");
        };
    var session = StubService.open(stub.connect());
    var callers = new ArrayList<Thread>();
    var failures = Collections.synchronizedList(new ArrayList<Throwable>());
    for (int i = 1; i <= 20; i++) {
      long id = i;
      callers.add(
          Thread.ofVirtual()
              .uncaughtExceptionHandler((thread, e) -> failures.add(e))
              .start(() -> session.acknowledge(id)));
    }
    join(callers);
    assertThat(failures).isEmpty();
    assertThat(refused).hasValue(20);
    assertThat(stub.calls()).filteredOn(r -> r.getMethod().equals("PATCH")).hasSize(1);
  }

  @Test
  void anAdminTokenRefusedToManyIsReplacedOnce() throws Exception {
    var stub = new StubService(server);
    var refused = new AtomicInteger();
    var allRefused = new CountDownLatch(20);
    var second = StubService.jwt(StubService.NOW.plusSeconds(7200));
    stub.service =
        request -> {
          if (("Bearer " + second).equals(request.getHeaders().get("Authorization"))) {
            return StubService.json(200, "{\"id\":7}");
          }
          refused.incrementAndGet();
          stub.adminToken = second;
          allRefused.countDown();
          await(allRefused); // all hold the old token when the new one comes
          return StubService.json(401, "");
        };
    try (var service = stub.connect()) {
      var found = Collections.synchronizedList(new ArrayList<Object>());
      var callers = new ArrayList<Thread>();
      for (int i = 0; i < 20; i++) {
        callers.add(Thread.ofVirtual().start(() -> found.add(service.scaleSet(ID))));
      }
      join(callers);
      assertThat(found).hasSize(20);
    }
    assertThat(refused).hasValue(20);
    assertThat(stub.registrations()).isEqualTo(2);
  }

  @Test
  void anAdminTokenThatStaysRefusedIsNotReplacedByEachCall() {
    var stub = new StubService(server);
    stub.service = request -> StubService.json(401, "{\"message\":\"no\"}");
    var service = stub.connect();
    for (int i = 0; i < 50; i++) {
      assertThat(ErrorsIT.error(service, s -> s.generateJitConfig(ID, "r", "")))
          .isInstanceOf(ServiceError.Unauthorized.class);
    }
    assertThat(stub.registrations()).isEqualTo(2);
    assertThat(stub.calls()).hasSize(51);
    stub.clock.advance(Duration.ofSeconds(30));
    stub.service = request -> StubService.json(401, "");
    ErrorsIT.error(service, s -> s.scaleSet(ID));
    assertThat(stub.registrations()).isEqualTo(3);
  }

  @Test
  void aRefusalThatComesLateUsesTheTokenThatOthersGot() throws Exception {
    var stub = new StubService(server);
    stub.service =
        request -> {
          if (!StubService.path(request).startsWith("/queue")) {
            return session(request.getMethod().equals("PATCH") ? "queue-2" : "queue-1");
          }
          if ("Bearer queue-2".equals(request.getHeaders().get("Authorization"))) {
            return StubService.json(204, "");
          }
          if (StubService.path(request).endsWith("/1")) {
            arrived.countDown();
            await(open); // until the other call has had its renewal
          }
          return StubService.json(401, "");
        };
    var session = StubService.open(stub.connect());
    var late = inBackground(session, s -> s.acknowledge(1));
    assertThat(arrived.await(20, TimeUnit.SECONDS)).isTrue();
    session.acknowledge(2);
    open.countDown();
    assertThat(late.get(10, TimeUnit.SECONDS)).isNull();
    assertThat(stub.calls()).filteredOn(r -> r.getMethod().equals("PATCH")).hasSize(1);
  }

  @Test
  void cancelEndsThePollUnderWay() throws Exception {
    var session = StubService.open(parkingPolls().connect());
    var error = inBackground(session, s -> s.poll(0, 1));
    assertThat(arrived.await(20, TimeUnit.SECONDS)).isTrue();
    session.cancel();
    assertThat(error.get(10, TimeUnit.SECONDS)).isInstanceOf(ServiceError.Cancelled.class);
  }

  @Test
  void anInterruptEndsThePollUnderWay() throws Exception {
    var session = StubService.open(parkingPolls().connect());
    var error = new CompletableFuture<ServiceError>();
    var poller =
        Thread.ofVirtual().start(() -> error.complete(errorOf(session, s -> s.poll(0, 1))));
    assertThat(arrived.await(20, TimeUnit.SECONDS)).isTrue();
    poller.interrupt();
    assertThat(error.get(10, TimeUnit.SECONDS)).isInstanceOf(ServiceError.Cancelled.class);
  }

  @Test
  void aPollBlocksNeitherAcknowledgementNorClose() throws Exception {
    var stub = parkingPolls();
    var session = StubService.open(stub.connect());
    var error = inBackground(session, s -> s.poll(0, 1));
    assertThat(arrived.await(20, TimeUnit.SECONDS)).isTrue();
    session.acknowledge(4);
    session.close();
    assertThat(error.get(10, TimeUnit.SECONDS)).isInstanceOf(ServiceError.Cancelled.class);
    assertThat(stub.calls())
        .extracting(RecordedRequest::getMethod)
        .containsExactly("POST", "GET", "DELETE", "DELETE");
  }

  @Test
  void cancelEndsTheWaitBeforeTheNextAttempt() throws Exception {
    var stub = new StubService(server);
    stub.service =
        request ->
            StubService.path(request).startsWith("/queue")
                ? new MockResponse.Builder().code(429).setHeader("Retry-After", "30").build()
                : session("queue-1");
    Waiter announced =
        (duration, signal) -> {
          arrived.countDown();
          Waiter.REAL.pause(duration, signal);
        };
    var service = new SharedConnections(announced).connect(stub.settings());
    var session = StubService.open(service);
    var error = inBackground(session, s -> s.poll(0, 1));
    assertThat(arrived.await(20, TimeUnit.SECONDS)).isTrue();
    session.cancel();
    assertThat(error.get(10, TimeUnit.SECONDS)).isInstanceOf(ServiceError.Cancelled.class);
  }

  /** An acknowledgement has 20 s, and so has the renewal: together they have 20 s, too. */
  @Test
  void theWaitForARenewalEndsWithTheTimeOfTheCall() throws Exception {
    var stub = new StubService(server);
    stub.service =
        request -> {
          if (StubService.path(request).startsWith("/queue")) {
            stub.clock.advance(Duration.ofMillis(19_900));
            return StubService.json(401, "");
          }
          if (request.getMethod().equals("PATCH")) {
            await(open);
          }
          return session("queue-1");
        };
    var session = StubService.open(stub.connect());
    var error = inBackground(session, s -> s.acknowledge(4));
    assertThat(error.get(10, TimeUnit.SECONDS))
        .isInstanceOfSatisfying(
            ServiceError.Unavailable.class,
            late -> assertThat(late.details().message()).contains("not renewed in time"));
    open.countDown();
  }

  @Test
  void cancelEndsTheWaitForARenewalWhichGoesOn() throws Exception {
    var stub = new StubService(server);
    stub.service =
        request -> {
          if (StubService.path(request).startsWith("/queue")) {
            return "Bearer queue-2".equals(request.getHeaders().get("Authorization"))
                ? StubService.json(204, "")
                : StubService.json(401, "");
          }
          if (request.getMethod().equals("PATCH")) {
            arrived.countDown();
            await(open);
            return session("queue-2");
          }
          return session("queue-1");
        };
    var session = StubService.open(stub.connect());
    var error = inBackground(session, s -> s.poll(0, 1));
    assertThat(arrived.await(20, TimeUnit.SECONDS)).isTrue();
    session.cancel();
    assertThat(error.get(10, TimeUnit.SECONDS)).isInstanceOf(ServiceError.Cancelled.class);
    open.countDown();
    session.acknowledge(4);
    assertThat(stub.calls()).filteredOn(r -> r.getMethod().equals("PATCH")).hasSize(1);
  }

  /** Polls are not answered; everything else is. */
  private StubService parkingPolls() {
    var stub = new StubService(server);
    stub.service =
        request -> {
          if (!request.getMethod().equals("GET")) {
            return request.getMethod().equals("POST")
                ? session("queue-1")
                : StubService.json(204, "");
          }
          arrived.countDown();
          return new MockResponse.Builder().code(202).headersDelay(60, TimeUnit.SECONDS).build();
        };
    return stub;
  }

  private MockResponse session(String token) {
    return StubService.opened(server.url("/queue"), token);
  }

  private static CompletableFuture<ServiceError> inBackground(
      MessageSession session, Consumer<MessageSession> call) {
    var error = new CompletableFuture<ServiceError>();
    Thread.ofVirtual().start(() -> error.complete(errorOf(session, call)));
    return error;
  }

  private static void join(List<Thread> callers) throws InterruptedException {
    for (var caller : callers) {
      assertThat(caller.join(Duration.ofSeconds(20))).isTrue();
    }
  }

  private static ServiceError errorOf(MessageSession session, Consumer<MessageSession> call) {
    try {
      call.accept(session);
      return null;
    } catch (ServiceException e) {
      return e.error();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      if (!latch.await(20, TimeUnit.SECONDS)) {
        throw new AssertionError("the latch stayed shut");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
